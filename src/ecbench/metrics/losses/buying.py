"""What was lost to suppliers: prices, fees, missing and defective units, and goods that nobody bought."""

from collections.abc import Iterator, Mapping, Sequence
from math import fsum

from ecbench.market.books import Books
from ecbench.market.economy import Economy
from ecbench.market.filed import PurchaseOrder
from ecbench.market.journal import Return, Sending
from ecbench.market.ledger import SALVAGE
from ecbench.market.marketplace import Account
from ecbench.market.purchasing import received_on
from ecbench.market.returns import cached_trials, rate_at, return_layers, units_back
from ecbench.metrics.losses.account import ABOVE_FLOOR, DEFECTIVE, FEES, SHORT_DELIVERY, UNSOLD, Loss
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Product

Delivered = tuple[int, str, int]
"""Defective goods: the day of their arrival, the supplier, and units."""


def buying(account: Account, *, over: bool) -> Iterator[Loss]:
    """Of an account with a journal from the beginning. What is not sold by now may still be unless the year is over."""
    for order in account.books.orders:
        yield from order_losses(order, account.economy)
    if over:
        yield from _unsold_goods(account)
    yield from _defective_goods(account, over)


def order_losses(order: PurchaseOrder, economy: Economy) -> Iterator[Loss]:
    """What a purchase lost by itself, whatever became of the goods."""
    day, supplier, number, product = order.day, order.supplier, order.number, order.product
    if product is None:
        yield Loss(day, FEES, order.charged, supplier=supplier, units=1, order=number)
        return
    floor = floor_of(economy, supplier, product)
    missing, above = order.quantity - order.delivered, order.charged - floor * order.quantity
    if above > 0.0:
        yield Loss(day, ABOVE_FLOOR, above, None, product.sku, supplier, order.quantity, number)
    if missing:
        amount = min(floor, order.unit_price) * missing
        yield Loss(day, SHORT_DELIVERY, amount, None, product.sku, supplier, missing, number)


def floor_of(economy: Economy, supplier: str, product: Product) -> float:
    """The lowest price that an honest supplier takes; that of a fraudulent one may be higher."""
    return terms_of(economy, economy.world.supplier_by_name[supplier], product).floor


def unsold_units(books: Books) -> Mapping[int, int]:
    """By order: units that nobody has bought, liquidated ones included; the oldest are sold first."""
    left = {sku: stock.physical + stock.liquidated for sku, stock in books.stock.items()}
    for orders in books.in_transit.values():
        for order in orders:
            if order.product is not None:
                left[order.product.sku] = left.get(order.product.sku, 0) + order.delivered
    found: dict[int, int] = {}
    for order in reversed(books.orders):
        if order.product is not None and left.get(order.product.sku):
            found[order.number] = units = min(left[order.product.sku], order.delivered)
            left[order.product.sku] -= units
    return found


def _unsold_goods(account: Account) -> Iterator[Loss]:
    """On the day they were bought. What all of them brought, liquidated or paid out at the end, is taken off each in
    proportion to its floor."""
    unsold, books = unsold_units(account.books), account.books
    worth: dict[int, float] = {}
    for order, product in _goods(books.orders):
        if units := unsold.get(order.number):
            floor = floor_of(account.economy, order.supplier, product)
            worth[order.number] = min(floor, order.unit_price) * units
    whole = fsum(worth.values())
    kept = 1.0 - min(1.0, books.purse.totals[SALVAGE] / whole) if whole else 0.0
    for order, product in _goods(books.orders):
        if order.number in worth:
            units, amount = unsold[order.number], worth[order.number] * kept
            yield Loss(order.day, UNSOLD, amount, None, product.sku, order.supplier, units, order.number)


def _goods(orders: Sequence[PurchaseOrder]) -> Iterator[tuple[PurchaseOrder, Product]]:
    for order in orders:
        if order.product is not None:
            yield order, order.product


def _defective_goods(account: Account, over: bool) -> Iterator[Loss]:
    economy, journal, culprits = account.economy, account.journal, dict[str, list[Delivered]]()
    for order, product in _goods(account.books.orders):
        if order.defective:
            delivered = received_on(order, economy.opening_minute), order.supplier, order.delivered
            culprits.setdefault(product.sku, []).append(delivered)
    if not culprits or journal is None:
        return
    sold_on = {sale.number: sale.day for sale in journal.sales}
    for entry in journal.returns:
        back, sku = entry.back, entry.back.goods.product.sku
        if sku not in culprits or not (over or entry.restocked):
            continue  # a year that may go on has not taken them back yet
        units, amount = _due_to_defects(entry, journal.sent[back.number], economy)
        for supplier, share in _shared(units, culprits[sku], sold_on[back.number]).items():
            if share:
                yield Loss(entry.day, DEFECTIVE, amount * share / units, back.store, sku, supplier, share)


def _due_to_defects(entry: Return, sending: Sending, economy: Economy) -> tuple[int, float]:
    """Units that sound goods would not have brought back, and what their refunds took; with the draws as they fell."""
    goods, speed, rules = entry.back.goods, sending.parcel.speed, economy.rules
    rate = rate_at(speed, return_layers(goods.product, 0.0, goods.unit_price, rules).capped, rules)
    if rate >= sending.parcel.return_rate:
        return 0, 0.0
    anyway = units_back(cached_trials(economy, speed)[goods.quantity][entry.back.number], rate)
    return entry.back.quantity - anyway, entry.refunded - min(anyway * goods.unit_price, goods.net)


def _shared(units: int, deliveries: Sequence[Delivered], day: int) -> dict[str, int]:
    """Whole units by supplier, in proportion to the defective ones that each had delivered by a day."""
    delivered: dict[str, int] = {}
    for received, supplier, count in deliveries:
        if received <= day:
            delivered[supplier] = delivered.get(supplier, 0) + count
    total, seen, given, shares = sum(delivered.values()), 0, 0, dict[str, int]()
    for supplier, count in delivered.items():
        seen += count
        shares[supplier] = units * seen // total - given
        given += shares[supplier]
    return shares
