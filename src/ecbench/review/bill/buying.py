"""What was lost to suppliers: prices, fees, missing and defective units, and goods that nobody bought.

Every yuan paid for goods is in one place: for units that never came it is a short delivery, for units that were never
sold it is theirs, and of what is left the part above the floor is the price's.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import fsum

from ecbench.market.books import PurchaseOrder
from ecbench.market.journal import Return, Sending
from ecbench.market.ledger import SALVAGE
from ecbench.market.purchasing import received_on
from ecbench.metrics.defects import DefectiveDelivery, ReturnedSale, due_to_defects, shared_by_suppliers
from ecbench.review.bill.causes import ABOVE_BEST, ABOVE_FLOOR, DEFECTIVE, FEES, SHORT_DELIVERY, UNSOLD
from ecbench.review.bill.charges import Charge
from ecbench.review.bill.replayed_year import BilledYear
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Product

Unsold = Mapping[int, int]
"""Units by the number of their purchase order."""


def buying(played: BilledYear) -> Iterator[Charge]:
    unsold = unsold_units(played)
    yield from _fees(played)
    yield from _prices(played, unsold)
    yield from _short_deliveries(played)
    yield from _goods_never_sold(played, unsold)
    yield from _defective_goods(played)


def floor_of(played: BilledYear, supplier: str, product: Product) -> float:
    """The lowest that this supplier would ever take; a cheat's is higher than an honest one's."""
    economy = played.year.account.economy
    return terms_of(economy, economy.world.supplier_by_name[supplier], product).reservation


def unsold_units(played: BilledYear) -> Unsold:
    """What nobody had bought when the year was over, liquidated units included: those bought last, SKU by SKU.

    The warehouse gives its oldest units first.
    """
    if not played.over:
        return {}
    books = played.books
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


def _fees(played: BilledYear) -> Iterator[Charge]:
    for order in played.books.orders:
        if order.product is None:
            yield Charge(order.day, FEES, order.charged, supplier=order.supplier, units=1)


def _prices(played: BilledYear, unsold: Unsold) -> Iterator[Charge]:
    won: dict[str, float] = {}  # by SKU, the lowest price so far of goods that came whole and sound
    for order, product in _goods(played.books.orders):
        sku, paid, units = product.sku, order.unit_price, order.delivered - unsold.get(order.number, 0)
        limits = {ABOVE_FLOOR: floor_of(played, order.supplier, product), ABOVE_BEST: won.get(sku, paid)}
        for cause, limit in limits.items():
            if paid > limit and units:
                amount = (paid - limit) * units
                yield Charge(order.day, cause, amount, sku=sku, supplier=order.supplier, units=units)
        if order.delivered == order.quantity and not order.defective:
            won[sku] = min(paid, won.get(sku, paid))


def _short_deliveries(played: BilledYear) -> Iterator[Charge]:
    for order, product in _goods(played.books.orders):
        missing = order.quantity - order.delivered
        if missing:
            amount = order.unit_price * missing
            yield Charge(order.day, SHORT_DELIVERY, amount, sku=product.sku, supplier=order.supplier, units=missing)


def _goods_never_sold(played: BilledYear, unsold: Unsold) -> Iterator[Charge]:
    """On the day they were bought. What liquidation brought is taken off the SKUs that were liquidated, and what the
    year's end paid for goods off those that were left, by the floors of their categories."""
    orders = [(order, product) for order, product in _goods(played.books.orders) if unsold.get(order.number)]
    worth: dict[str, float] = {}
    units: dict[str, int] = {}
    for order, product in orders:
        worth[product.sku] = worth.get(product.sku, 0.0) + order.unit_price * unsold[order.number]
        units[product.sku] = units.get(product.sku, 0) + unsold[order.number]
    books, goods = played.books, {product.sku: product for _, product in orders}
    gone = {sku: books.stock[sku].liquidated if sku in books.stock else 0 for sku in worth}
    sold_off = {sku: worth[sku] * gone[sku] / units[sku] for sku in worth}
    left = {sku: _category_floor(played, goods[sku]) * max(0, units[sku] - gone[sku]) for sku in worth}
    share = min(1.0, _ratio(books.purse.totals[SALVAGE] - books.closing_stock, fsum(sold_off.values())))
    closing = _ratio(books.closing_stock, fsum(left.values()))
    for order, product in orders:
        count, sku = unsold[order.number], product.sku
        kept = 1.0 - _ratio(share * sold_off[sku], worth[sku])
        amount = order.unit_price * count * kept - closing * left[sku] * count / units[sku]
        yield Charge(order.day, UNSOLD, amount, sku=sku, supplier=order.supplier, units=count)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _category_floor(played: BilledYear, product: Product) -> float:
    return played.year.world.category_by_name[product.category].floor_ratio * product.reference_price


def _goods(orders: Sequence[PurchaseOrder]) -> Iterator[tuple[PurchaseOrder, Product]]:
    for order in orders:
        if order.product is not None:
            yield order, order.product


def _defective_goods(played: BilledYear) -> Iterator[Charge]:
    culprits = _culprits(played)
    if not culprits:
        return
    sold_on = {sale.number: sale.day for sale in played.journal.sales}
    for entry in played.journal.returns:
        back, sku = entry.back, entry.back.goods.product.sku
        if sku not in culprits or not (played.over or entry.restocked):
            continue  # the end of a year that may go on has not taken them back yet
        sale = _returned_sale(entry, played.journal.sent[back.number])
        units, amount = due_to_defects(sale, played.year.account.economy)
        for supplier, share in shared_by_suppliers(units, culprits[sku], sold_on[back.number]).items():
            if share:
                yield Charge(entry.day, DEFECTIVE, amount * share / units, back.store, sku, supplier, share)


def _culprits(played: BilledYear) -> dict[str, list[DefectiveDelivery]]:
    """Deliveries of defective goods by SKU."""
    opening, found = played.year.account.economy.opening_minute, dict[str, list[DefectiveDelivery]]()
    for order, product in _goods(played.books.orders):
        if order.defective:
            delivery = DefectiveDelivery(received_on(order, opening), order.supplier, order.delivered)
            found.setdefault(product.sku, []).append(delivery)
    return found


def _returned_sale(entry: Return, sending: Sending) -> ReturnedSale:
    goods, parcel = entry.back.goods, sending.parcel
    return ReturnedSale(
        entry.back.number,
        goods.product,
        goods.unit_price,
        goods.quantity,
        goods.net,
        parcel.speed,
        parcel.return_rate,
        entry.back.quantity,
        entry.refunded,
    )
