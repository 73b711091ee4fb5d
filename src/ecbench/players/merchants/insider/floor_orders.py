"""Orders at suppliers' floors: one letter repeats the floor as often as the supplier will turn it down."""

import json
from typing import NamedTuple

from ecbench.episode import Episode
from ecbench.market.calendar import WEEK
from ecbench.players.merchants.protocol import Call, call
from ecbench.suppliers.kernel import opened_kernel, respond, terms_of
from ecbench.suppliers.scams import MEMBERS_ONLY, SCHEMES
from ecbench.suppliers.supplier_traits import traits_of
from ecbench.suppliers.weekly_supply import left_this_week
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
    """Cheapest first, without those of defective goods."""
    economy, found = episode.account.economy, []
    goods = episode.world.products_by_category[category]
    for supplier in episode.world.suppliers_by_category[category] if goods else ():
        scheme, share = SCHEMES.get(supplier.scam) if supplier.scam else None, 1.0
        if scheme is not None:
            if scheme.defective:
                continue
            least, more = economy.rules.short_delivery
            share = least + more / 2 if scheme.short else 1.0
        dearest = max(goods, key=lambda each: each.reference_price)
        floor = terms_of(economy, supplier, dearest).reservation / dearest.reference_price
        found.append(Seller(supplier, floor / share, share))
    return sorted(found, key=lambda each: (each.cost, each.supplier.name))


def wants_fee(episode: Episode, supplier: Supplier) -> bool:
    """Whether it sells to members only, and the fee is not paid."""
    return supplier.scam in MEMBERS_ONLY and supplier.name not in episode.desk.members


def fee_letters(suppliers: list[Supplier]) -> list[Call]:
    """The fee is asked for in the answer to a first letter, and charged when a second one agrees to it."""
    addresses = [supplier.email for supplier in suppliers]
    return [call("chatbox", uids=addresses, content=text) for text in ("Good day.", "I will pay the membership fee.")]


def orders_left(episode: Episode, supplier: Supplier) -> int:
    if supplier.name in episode.account.market.closed_suppliers or wants_fee(episode, supplier):
        return 0
    return supplier.order_limit - episode.desk.orders.get(supplier.name, 0)


def left_in_week(episode: Episode, supplier: Supplier) -> int:
    left = left_this_week(episode.desk, episode.account, supplier)
    return UNLIMITED_UNITS if left is None else left


def left_in_year(episode: Episode, seller: Seller, days_left: int) -> float:
    """Units that still arrive from it, if every order takes a whole week's supply."""
    supply = traits_of(episode.account.economy, seller.supplier).weekly_supply
    orders = min(orders_left(episode, seller.supplier), 1 + days_left // WEEK)
    return seller.delivered * max(0, orders) * (supply or UNLIMITED_UNITS)


def unit_price(episode: Episode, supplier: Supplier, sku: str) -> float:
    return terms_of(episode.account.economy, supplier, episode.world.product_by_sku[sku]).reservation


def letter(episode: Episode, orders: list[FloorOrder]) -> Call:
    """One letter to suppliers of different categories: each answers for its own goods."""
    offers = []
    for order in orders:
        for sku, units in order.units.items():
            price = unit_price(episode, order.supplier, sku)
            offer = {"action": "offer", "sku_id": sku, "price": price, "quantity": units}
            rounds = _rounds_to_floor(episode, order.supplier, episode.world.product_by_sku[sku], price)
            offers += [offer] * rounds
    content = f"```negotiate\n{json.dumps(offers)}\n```"
    return call("chatbox", uids=[order.supplier.email for order in orders], content=content)


def _rounds_to_floor(episode: Episode, supplier: Supplier, product: Product, price: float) -> int:
    """How often the floor has to be bid until it is accepted; a supplier never walks away from its floor."""
    pair = episode.desk.book.pairs.get((supplier.name, product.sku))
    if pair is not None and not pair.concluded:
        kernel = pair.kernel.copy()
    else:
        terms = terms_of(episode.account.economy, supplier, product)
        kernel = opened_kernel(terms, supplier.name, product.sku, 0 if pair is None else pair.cycle + 1)
    rounds = 1
    while respond(kernel, price) != "Accept" and rounds < MOST_ROUNDS:
        rounds += 1
    return rounds
