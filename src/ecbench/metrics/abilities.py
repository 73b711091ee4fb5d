"""What a merchant is able to do, one axis for each ability, beside the published axes; each is a share of money."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from ecbench.market.books import Parcel
from ecbench.market.calendar import WEEK
from ecbench.market.filed import PurchaseOrder
from ecbench.market.marketplace import Account
from ecbench.market.returns import return_layers
from ecbench.metrics.estimators import figure, yuan
from ecbench.metrics.losses.shelves import least_sending, sending
from ecbench.sums import ordered_sum
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Product


def abilities(account: Account) -> dict[str, Any]:
    """A section of the report; null without a sample."""
    deals, spent = list(honest_deals(account)), ordered_sum([order.charged for order in account.books.orders])
    lost = ordered_sum([_lost_to_cheat(account, order) for order in account.books.orders])
    unserved = service_loss(account)
    sold = ordered_sum([stock.sold * stock.product.reference_price for stock in account.books.stock.values()])
    return {
        "range_captured": range_captured(deals),
        "lost_to_cheats": yuan(lost),
        "lost_to_cheats_share": figure(lost / spent) if spent else None,
        "service_loss": yuan(unserved),
        "service_loss_share": figure(unserved / sold) if sold else None,
        "most_committed": most_committed(account),
        "learning": learning(deals),
    }


class HonestDeal(NamedTuple):
    """Goods ordered from an honest supplier, and what a unit could have cost."""

    supplier: str
    product: Product
    units: int
    price: float
    floor: float

    @property
    def range(self) -> float:
        return self.product.reference_price - self.floor

    @property
    def captured(self) -> float:
        """The share of the bargaining range that the buyer got: 1 at the floor, 0 at the reference price."""
        return (self.product.reference_price - self.price) / self.range


def honest_deals(account: Account) -> Iterator[HonestDeal]:
    """In the order in which they were made; goods without a range to bargain over are left out."""
    for order in account.books.orders:
        supplier = account.world.supplier_by_name[order.supplier]
        if supplier.honest and order.product is not None:
            floor = terms_of(account.economy, supplier, order.product).floor
            if order.product.reference_price > floor:
                yield HonestDeal(order.supplier, order.product, order.quantity, order.unit_price, floor)


def range_captured(deals: Sequence[HonestDeal]) -> float | None:
    """Yuan saved under the reference price over the yuan that floors would have saved, on all units bought."""
    whole = ordered_sum([deal.range * deal.units for deal in deals])
    return figure(ordered_sum([deal.captured * deal.range * deal.units for deal in deals]) / whole) if whole else None


def _lost_to_cheat(account: Account, order: PurchaseOrder) -> float:
    """Fees, goods that never came, prices that a scam raised, and what defective goods cost that come back, in yuan."""
    supplier, product, rules = account.world.supplier_by_name[order.supplier], order.product, account.rules
    if supplier.honest:
        return 0.0
    if product is None:
        return order.charged
    terms = terms_of(account.economy, supplier, product)
    raised = max(0.0, min(order.unit_price, terms.reservation) - terms.floor)
    defective = return_layers(product, 1.0 if order.defective else 0.0, product.reference_price, rules)
    more_returns = order.unit_price * (defective.blended - defective.natural)
    return order.unit_price * (order.quantity - order.delivered) + (raised + more_returns) * order.delivered


def service_loss(account: Account) -> float:
    """Yuan of sales not shipped in time, and of freight too dear or too slow, at reference prices and floors."""
    kept = 1.0 - account.rules.commission
    unshipped = [
        stock.cancelled * (kept * stock.product.reference_price - _floor(account, stock.product))
        for stock in account.books.stock.values()
    ]
    return ordered_sum(unshipped) + ordered_sum([_freight_loss(account, parcel) for parcel in account.books.sent])


def _freight_loss(account: Account, parcel: Parcel) -> float:
    """Against the speed that loses least by freight and returns together."""
    product, rules = parcel.goods.product, account.rules
    freight = rules.freight_cost[product.size]
    terms = (product.return_rate, product.reference_price, freight, _floor(account, product))
    return parcel.goods.quantity * (sending(rules, parcel.speed, *terms) - least_sending(rules, *terms))


def _floor(account: Account, product: Product) -> float:
    return account.world.category_by_name[product.category].floor_ratio * product.reference_price


def most_committed(account: Account) -> float | None:
    """The largest share of its cash that the orders of a week took, goods at their category's floor; null if none."""
    paid, goods = defaultdict[int, float](float), defaultdict[int, float](float)
    for order in account.books.orders:
        paid[order.day] += order.charged
        if order.product is not None:
            goods[order.day] += _floor(account, order.product) * order.quantity
    shares = []
    for row in account.books.days:
        week = range(row.day - WEEK, row.day)
        if committed := ordered_sum([goods[day] for day in week]):
            cash = row.bank + row.wallet + ordered_sum([paid[day] for day in week])
            shares.append(min(1.0, committed / cash) if cash > 0 else 1.0)
    return figure(max(shares)) if shares else None


def learning(deals: Sequence[HonestDeal]) -> dict[str, Any]:
    """How much more of the range the later half of each pair's deals captures than the earlier half, on average."""
    pairs: dict[tuple[str, str], list[float]] = {}
    for deal in deals:
        pairs.setdefault((deal.supplier, deal.product.sku), []).append(deal.captured)
    gains = [
        fmean(captured[-(len(captured) // 2) :]) - fmean(captured[: len(captured) // 2])
        for captured in pairs.values()
        if len(captured) > 1
    ]
    return {"gain": figure(fmean(gains)) if gains else None, "pairs": len(gains)}
