"""Orders at suppliers' floors: one letter repeats the floor as often as the supplier will turn it down."""

import json
from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from ecbench.episode import Episode
from ecbench.market.calendar import WEEK
from ecbench.players.merchants.protocol import Call, call
from ecbench.suppliers.desk import left_this_week
from ecbench.suppliers.kernel import Kernel, opened_kernel, respond, terms_of
from ecbench.suppliers.scams import MEMBERS_ONLY, SCHEMES
from ecbench.suppliers.supplier_traits import traits_of
from ecbench.world.model import Product, Supplier

MOST_ROUNDS = 60
UNLIMITED_UNITS = 10**9


class FloorOrder(NamedTuple):
    supplier: Supplier
    units: dict[str, int]  # by SKU


class Seller(NamedTuple):
    """A supplier of sound goods: what a delivered unit costs over reference, and the share of an order that comes."""

    supplier: Supplier
    cost: float
    delivered: float


def sellers_of(episode: Episode, category: str) -> list[Seller]:
    """Cheapest first, without those of defective goods and those that sell to members only."""
    economy, found = episode.account.economy, []
    goods, (least, more) = episode.world.products_by_category[category], economy.rules.short_delivery
    for supplier in episode.world.suppliers_by_category[category] if goods else ():
        scheme = SCHEMES[supplier.scam] if supplier.scam else None
        if supplier.scam in MEMBERS_ONLY or (scheme is not None and scheme.defective):
            continue
        share = least + more / 2 if scheme is not None and scheme.short else 1.0
        dearest = max(goods, key=lambda each: each.reference_price)
        floor = terms_of(economy, supplier, dearest).reservation / dearest.reference_price
        found.append(Seller(supplier, floor / share, share))
    return sorted(found, key=lambda each: (each.cost, each.supplier.name))


def orders_left(episode: Episode, supplier: Supplier) -> int:
    if supplier.name in episode.account.closed_suppliers:
        return 0
    return supplier.order_limit - episode.desk.orders.get(supplier.name, 0)


def left_in_week(episode: Episode, supplier: Supplier) -> int:
    left = left_this_week(episode.desk, episode.account, supplier)
    return UNLIMITED_UNITS if left is None else left


def left_in_year(episode: Episode, sellers: Iterable[Seller], days_left: int) -> float:
    """Units that still arrive from them, if every order takes a whole week's supply."""
    units = 0.0
    for seller in sellers:
        supply = traits_of(episode.account.economy, seller.supplier).weekly_supply or UNLIMITED_UNITS
        units += seller.delivered * max(0, min(orders_left(episode, seller.supplier), 1 + days_left // WEEK)) * supply
    return units


def letter_to(episode: Episode, orders: list[FloorOrder]) -> Call:
    """One letter to suppliers of different categories, each of which answers for its own goods.

    Where bids do not bind, it repeats the floor until it is accepted; else it bids the lowest that is accepted at once.
    """
    bids: list[dict[str, object]] = []
    for order in orders:
        for sku, units in order.units.items():
            kernel = _kernel(episode, order.supplier, episode.world.product_by_sku[sku])
            prices = [_lowest_accepted(kernel)] if episode.account.rules.binding_bids else _floor_bids(kernel)
            bids += [{"action": "offer", "sku_id": sku, "price": price, "quantity": units} for price in prices]
    content = f"```negotiate\n{json.dumps(bids)}\n```"
    return call("chatbox", uids=[order.supplier.email for order in orders], content=content)


def _kernel(episode: Episode, supplier: Supplier, product: Product) -> Kernel:
    """A copy of the talks on a SKU as they stand, or of those that a bid would open."""
    pair = episode.desk.book.pairs.get((supplier.name, product.sku))
    if pair is not None and not pair.concluded:
        return pair.kernel.copy()
    terms = terms_of(episode.account.economy, supplier, product)
    return opened_kernel(terms, supplier.name, product.sku, 0 if pair is None else pair.cycle + 1)


def _floor_bids(kernel: Kernel) -> list[float]:
    """The floor, as often as it has to be bid until it is accepted; a supplier never walks away from its floor."""
    bids = [kernel.reservation]
    while respond(kernel, kernel.reservation) != "Accept" and len(bids) < MOST_ROUNDS:
        bids.append(kernel.reservation)
    return bids


def _lowest_accepted(kernel: Kernel) -> float:
    """In this round, to the cent."""
    low, high = round(100 * kernel.reservation), round(100 * max(kernel.p_max, kernel.reservation))
    cents = range(low, high)
    return (low + bisect_left(cents, True, key=lambda bid: respond(kernel.copy(), bid / 100) == "Accept")) / 100
