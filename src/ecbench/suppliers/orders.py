"""Agreements become purchase orders: a membership fee first, then the goods in the order they were agreed."""

from typing import NamedTuple

from ecbench.market.purchasing import OrderRefused, buy, pay_membership_fee
from ecbench.market.year import Year
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.sessions import Answer, Pair, confirm_order, withdraw_agreement
from ecbench.world.model import Supplier

MEMBERSHIP_FEE = "MEMBERSHIP_FEE"


class OrderResult(NamedTuple):
    sku: str  # MEMBERSHIP_FEE for a fee
    quantity: int
    agreed_price: float | None = None  # None: a fee
    unit_price: float = 0.0
    charged: float = 0.0
    refusal: str | None = None  # None: the order went through

    @property
    def placed(self) -> bool:
        return self.refusal is None


def place_orders(
    desk: SupplierDesk, year: Year, supplier: Supplier, answers: list[Answer], *, fee: bool
) -> list[OrderResult]:
    """Each against the bank as the one before left it."""
    results = [_charge_fee(desk, year, supplier)] if fee else []
    results += [
        _place(desk, year, answer.pair, answer.price, answer.quantity)
        for answer in answers
        if answer.pair is not None and answer.price is not None
    ]
    if results and any(result.placed for result in results):
        _count_order(desk, supplier)
    return results


def _charge_fee(desk: SupplierDesk, year: Year, supplier: Supplier) -> OrderResult:
    try:
        order = pay_membership_fee(year, supplier.name)
    except OrderRefused as refused:
        return OrderResult(MEMBERSHIP_FEE, 1, refusal=str(refused))
    desk.members.add(supplier.name)
    return OrderResult(MEMBERSHIP_FEE, 1, unit_price=order.charged, charged=order.charged)


def _place(desk: SupplierDesk, year: Year, pair: Pair, agreed: float, quantity: int) -> OrderResult:
    sku, supplier = pair.product.sku, pair.supplier
    try:
        _check_membership(desk, year, supplier)
        order = buy(
            year,
            supplier=supplier.name,
            product=pair.product,
            quantity=quantity,
            unit_price=_unit_price(pair, agreed),
            short=supplier.scam == "qty_bait",
            defective=supplier.scam == "quality_downgrade",
        )
    except OrderRefused as refused:
        withdraw_agreement(pair)
        return OrderResult(sku, quantity, agreed, refusal=str(refused))
    confirm_order(desk.book, pair, year.day)
    return OrderResult(sku, quantity, agreed, order.unit_price, order.charged)


def _check_membership(desk: SupplierDesk, year: Year, supplier: Supplier) -> None:
    """The vip_fee scam sells to members alone."""
    if supplier.scam == "vip_fee" and supplier.name not in desk.members:
        fee = year.rules.membership_fee
        raise OrderRefused(f"orders here are for members; the Premium Membership costs ¥{fee:,.2f}, once")


def _unit_price(pair: Pair, agreed: float) -> float:
    """In cents. A fraudulent supplier's floor is checked again here, so nothing undercuts it."""
    price = round(agreed, 2)
    return price if pair.supplier.honest else max(price, pair.kernel.terms.reservation)


def _count_order(desk: SupplierDesk, supplier: Supplier) -> None:
    """A supplier serves so many orders and then closes for good."""
    count = desk.orders.get(supplier.name, 0) + 1
    desk.orders[supplier.name] = count
    if count >= supplier.order_limit:
        desk.closed.add(supplier.name)
