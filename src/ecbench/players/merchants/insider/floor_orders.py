"""Orders at suppliers' floors: one letter repeats the floor as often as the supplier will turn it down."""

import json
from typing import NamedTuple

from ecbench.episode import Episode
from ecbench.market.calendar import WEEK
from ecbench.players.merchants.protocol import Call, call
from ecbench.suppliers.kernel import Kernel, opened_kernel, respond, terms_of
from ecbench.suppliers.scams import MEMBERS_ONLY, SCHEMES
from ecbench.suppliers.supplier_traits import traits_of
from ecbench.suppliers.weekly_supply import left_this_week
from ecbench.world.model import Product, Supplier

MOST_ROUNDS = 60
MOST_LETTERS = 3  # to one supplier in a row, where each carries one bid for a SKU
ROUND_WORTH = 0.03  # of the reference price: what a letter more is worth
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
    if supplier.name in episode.account.closed_suppliers or wants_fee(episode, supplier):
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


def letters(episode: Episode, orders: list[FloorOrder]) -> list[Call]:
    """Letters to suppliers of different categories, each of which answers for its own goods.

    Where bids do not bind, one letter repeats every bid until it is accepted. Where they bind, a letter has one bid
    for a SKU.
    """
    bids: list[list[dict[str, object]]] = []
    for order in orders:
        for sku, units in order.units.items():
            kernel = _kernel(episode, order.supplier, episode.world.product_by_sku[sku])
            prices = _binding_bids(kernel) if episode.account.rules.binding_bids else _floor_bids(kernel)
            bids.append([{"action": "offer", "sku_id": sku, "price": price, "quantity": units} for price in prices])
    if episode.account.rules.binding_bids:
        texts = [[own[number] for own in bids if number < len(own)] for number in range(max(map(len, bids)))]
    else:
        texts = [[bid for own in bids for bid in own]]
    uids = [order.supplier.email for order in orders]
    return [call("chatbox", uids=uids, content=f"```negotiate\n{json.dumps(text)}\n```") for text in texts]


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


def _binding_bids(kernel: Kernel) -> list[float]:
    """The floor for some rounds and then the lowest price that is accepted, where a round costs ROUND_WORTH."""
    best: tuple[float, list[float]] | None = None
    for rounds in range(MOST_LETTERS):
        price = _lowest_accepted(kernel)
        cost = price + rounds * ROUND_WORTH * kernel.terms.reference_price
        if best is None or cost < best[0]:
            best = cost, [*[kernel.reservation] * rounds, price]
        if price == kernel.reservation:
            break
        respond(kernel, kernel.reservation)
    assert best is not None
    return best[1]


def _lowest_accepted(kernel: Kernel) -> float:
    """In this round, to the cent."""
    low, high = round(100 * kernel.reservation), round(100 * max(kernel.p_max, kernel.reservation))
    if respond(kernel.copy(), low / 100) == "Accept":
        return low / 100
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if respond(kernel.copy(), middle / 100) == "Accept" else (middle, high)
    return high / 100
