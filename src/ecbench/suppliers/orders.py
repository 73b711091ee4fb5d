"""Agreements become purchase orders: a membership fee first, then the goods in the order they were agreed."""

from ecbench.decimals import money
from ecbench.market.marketplace import Account
from ecbench.market.purchasing import (
    InsufficientFunds,
    OrderRefused,
    QuantityTooSmall,
    buy,
    pay_membership_fee,
)
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.records import MEMBERSHIP_FEE, OrderResult
from ecbench.suppliers.scams import SCHEMES, Scheme
from ecbench.suppliers.sessions import Agreement, confirm_order, withdraw_agreement
from ecbench.suppliers.weekly_supply import BeyondSupply, check_supply, count_supply
from ecbench.world.model import Supplier


class MembersOnly(OrderRefused):
    """The supplier wants its membership fee first."""

    def __init__(self, fee: float) -> None:
        super().__init__(fee)
        self.fee = fee


def place_orders(
    desk: SupplierDesk, account: Account, supplier: Supplier, agreed: list[Agreement], *, fee: bool
) -> list[OrderResult]:
    """Each against the bank as the one before left it."""
    results = [_charge_fee(desk, account, supplier)] if fee else []
    served = fee and results[0].placed
    for agreement in agreed:
        result = _place(desk, account, agreement)
        results.append(result)
        served = served or result.refusal is None
    if served:
        count = desk.orders[supplier.name] = desk.orders.get(supplier.name, 0) + 1
        if count >= supplier.order_limit:
            account.closed_suppliers.add(supplier.name)
    return results


def _charge_fee(desk: SupplierDesk, account: Account, supplier: Supplier) -> OrderResult:
    try:
        order = pay_membership_fee(account, supplier.name)
    except OrderRefused as refused:
        return OrderResult(MEMBERSHIP_FEE, 1, refusal=_message(refused), missing=_missing(refused))
    desk.members.add(supplier.name)
    fee = order.charged
    return OrderResult(MEMBERSHIP_FEE, 1, None, fee, fee, money(fee))


def _place(desk: SupplierDesk, account: Account, agreement: Agreement) -> OrderResult:
    pair, agreed, quantity = agreement.pair, agreement.price, agreement.quantity
    product, supplier = pair.product, pair.supplier
    unit_price, short, defective = money(agreed), False, False
    try:
        if supplier.scam:
            scheme = SCHEMES[supplier.scam]
            _check_membership(desk, account, supplier, scheme)
            # The floor of a fraudulent supplier is checked again here, so nothing undercuts it.
            unit_price = max(unit_price, pair.kernel.terms.reservation)
            short, defective = scheme.short, scheme.defective
        check_supply(desk, account, supplier, quantity)
        order = buy(
            account,
            supplier=supplier.name,
            product=product,
            quantity=quantity,
            unit_price=unit_price,
            short=short,
            defective=defective,
        )
    except OrderRefused as refused:
        withdraw_agreement(pair)
        return OrderResult(product.sku, quantity, agreed, refusal=_message(refused), missing=_missing(refused))
    confirm_order(desk.book, pair, order.number, account.market.day)
    count_supply(desk, account, supplier, quantity)
    return OrderResult(product.sku, quantity, agreed, unit_price, order.charged, money(order.charged))


def _check_membership(desk: SupplierDesk, account: Account, supplier: Supplier, scheme: Scheme) -> None:
    if scheme.members_only and supplier.name not in desk.members:
        raise MembersOnly(account.rules.membership_fee)


def _missing(refused: OrderRefused) -> float:
    return refused.charge - refused.bank if isinstance(refused, InsufficientFunds) else 0.0


def _message(refused: OrderRefused) -> str:
    """Why an order was not placed, as the reply states it."""
    match refused:
        case MembersOnly(fee=fee):
            return f"orders here are for members; the Premium Membership costs ¥{fee:,.2f}, once"
        case InsufficientFunds(bank=bank, charge=charge):
            return f"the bank holds ¥{bank:,.2f} and the order costs ¥{charge:,.2f}"
        case BeyondSupply(limit=limit, left=left, renewed=renewed):
            return f"{left:,} of {limit:,} units are left for you this week; the next week begins on {renewed}"
        case QuantityTooSmall(quantity=quantity):
            return f"the quantity must be at least 1, not {quantity}"
    raise refused
