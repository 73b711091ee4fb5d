"""What was bought: as its buyer knows it, and with the floors that were hidden while it bargained."""

from dataclasses import dataclass

from ecbench.episode import Episode
from ecbench.market.books import PurchaseOrder
from ecbench.metrics.losses.account import ABOVE_FLOOR, FEES
from ecbench.metrics.losses.buying import floor_of, order_losses
from ecbench.world.supplier_kinds import Scam


@dataclass(frozen=True, slots=True)
class BoughtGoods:
    """A SKU that has been bought before, and from whom it came last."""

    sku: str
    title: str
    reference: float
    held: int  # in the warehouse and on shelves
    coming: int
    supplier: str
    email: str
    paid: float  # for a unit, the last time


@dataclass(frozen=True, slots=True)
class RevealedDeal:
    """A purchase order beside the least that an honest supplier would have taken."""

    day: int
    supplier: str
    scam: Scam  # empty: honest
    title: str
    units: int
    paid: float  # for a unit
    floor: float | None  # None of a membership fee
    overpaid: float  # for all units, by the account of losses


def bought(year: Episode) -> list[BoughtGoods]:
    """The SKU bought last comes first."""
    books, world = year.account.books, year.world
    coming: dict[str, int] = {}
    for orders in books.in_transit.values():
        for order in orders:
            if order.product is not None:
                coming[order.product.sku] = coming.get(order.product.sku, 0) + order.quantity
    latest: dict[str, PurchaseOrder] = {}
    for order in reversed(books.orders):
        if order.product is not None:
            latest.setdefault(order.product.sku, order)
    emails = {supplier.name: supplier.email for supplier in world.suppliers}
    return [
        BoughtGoods(
            sku,
            world.product_by_sku[sku].title,
            world.product_by_sku[sku].reference_price,
            sum(lot.quantity for lot in books.stock[sku].lots) if sku in books.stock else 0,
            coming.get(sku, 0),
            order.supplier,
            emails[order.supplier],
            round(order.unit_price, 2),
        )
        for sku, order in latest.items()
    ]


def deals(year: Episode) -> list[RevealedDeal]:
    """Every purchase order, a membership fee being one, the dearest mistake first."""
    economy = year.account.economy
    scams = {supplier.name: supplier.scam for supplier in year.world.suppliers}
    found = []
    for order in year.account.books.orders:
        floor = floor_of(economy, order.supplier, order.product) if order.product else None
        lost = (loss.amount for loss in order_losses(order, economy) if loss.cause in (ABOVE_FLOOR, FEES))
        found.append(
            RevealedDeal(
                order.day,
                order.supplier,
                scams[order.supplier],
                order.product.title if order.product else "membership fee",
                order.quantity,
                round(order.unit_price, 2),
                None if floor is None else round(floor, 2),
                round(sum(lost), 2),
            )
        )
    return sorted(found, key=lambda deal: -deal.overpaid)
