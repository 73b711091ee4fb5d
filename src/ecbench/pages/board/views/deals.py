"""What was bought: as its buyer knows it, and with the floors that were hidden while it bargained."""

from collections import Counter
from typing import Any

from ecbench.episode import Episode
from ecbench.market.books import PurchaseOrder
from ecbench.metrics.losses.account import ABOVE_FLOOR, FEES
from ecbench.metrics.losses.buying import floor_of, order_losses
from ecbench.pages.report.names import kind_name


def bought(year: Episode) -> list[dict[str, Any]]:
    """SKUs that have been bought, and from whom they came last; the one bought last comes first."""
    books, world = year.account.books, year.world
    coming = Counter[str]()
    for orders in books.in_transit.values():
        coming.update({order.product.sku: order.quantity for order in orders if order.product is not None})
    latest: dict[str, PurchaseOrder] = {}
    for order in reversed(books.orders):
        if order.product is not None:
            latest.setdefault(order.product.sku, order)
    emails = {supplier.name: supplier.email for supplier in world.suppliers}
    return [
        {
            "sku": sku,
            "title": world.product_by_sku[sku].title,
            "held": sum(lot.quantity for lot in books.stock[sku].lots) if sku in books.stock else 0,
            "coming": coming[sku],
            "supplier": order.supplier,
            "email": emails[order.supplier],
            "paid": round(order.unit_price, 2),
        }
        for sku, order in latest.items()
    ]


def deals(year: Episode) -> list[dict[str, Any]]:
    """Every purchase order beside the least that an honest supplier would have taken, the dearest mistake first.

    A membership fee is one, without a floor. Of an honest supplier `scam` is empty.
    """
    economy = year.account.economy
    scams = {supplier.name: supplier.scam for supplier in year.world.suppliers}
    found = []
    for order in year.account.books.orders:
        floor = floor_of(economy, order.supplier, order.product) if order.product else None
        lost = (loss.amount for loss in order_losses(order, economy) if loss.cause in (ABOVE_FLOOR, FEES))
        scam = scams[order.supplier]
        found.append(
            {
                "day": order.day,
                "supplier": order.supplier,
                "scam": kind_name(scam) if scam else "",
                "title": order.product.title if order.product else "membership fee",
                "units": order.quantity,
                "paid": round(order.unit_price, 2),
                "floor": None if floor is None else round(floor, 2),
                "overpaid": round(sum(lost), 2),
            }
        )
    return sorted(found, key=lambda deal: -deal["overpaid"])
