"""Purchase orders: charged in full when an agreement is struck, delivered some days later."""

from datetime import timedelta

from ecbench.market.books import PurchaseOrder
from ecbench.market.ledger import FEES, PROCUREMENT, pay
from ecbench.market.year import Year
from ecbench.world.model import Product


class OrderRefused(Exception):
    """The order was not placed and nothing was charged; the message says why."""


def buy(
    year: Year,
    *,
    supplier: str,
    product: Product,
    quantity: int,
    unit_price: float,
    short: bool = False,
    defective: bool = False,
) -> PurchaseOrder:
    """Pay for goods now. `short` and `defective` are what the supplier will do about it, unknown to the merchant."""
    if quantity < 1:
        raise OrderRefused(f"the quantity must be at least 1, not {quantity}")
    charged = unit_price * quantity
    _check_funds(year, charged)
    days = _lead_days(year, product)
    now = year.now
    arrives = now + timedelta(days=days, minutes=year.rng.randint(0, 1439))
    # Nobody reads the width of the delivery range here, but it is drawn: what the year draws next depends on it.
    year.rng.randint(1, 2)
    delivered = quantity
    if short:
        least, spread = year.rules.short_delivery
        delivered = max(1, int(quantity * (least + spread * year.rng.random())))
    order = PurchaseOrder(
        number=len(year.books.orders) + 1,
        day=year.day,
        placed=now,
        supplier=supplier,
        product=product,
        quantity=quantity,
        unit_price=unit_price,
        charged=charged,
        delivered=delivered,
        defective=defective,
        arrives=arrives,
    )
    year.books.in_transit.append(order)
    return _charge(year, order, PROCUREMENT)


def pay_membership_fee(year: Year, supplier: str) -> PurchaseOrder:
    """An order of its own that brings no goods."""
    fee = year.rules.membership_fee
    _check_funds(year, fee)
    order = PurchaseOrder(
        number=len(year.books.orders) + 1,
        day=year.day,
        placed=year.now,
        supplier=supplier,
        product=None,
        quantity=1,
        unit_price=fee,
        charged=fee,
        delivered=0,
        defective=False,
        arrives=year.now,
    )
    return _charge(year, order, FEES)


def _check_funds(year: Year, charge: float) -> None:
    bank = year.books.purse.bank
    if bank < charge:
        raise OrderRefused(
            f"the bank holds ¥{bank:,.2f} and the order costs ¥{charge:,.2f}; withdraw from the wallet or order less"
        )


def _lead_days(year: Year, product: Product) -> int:
    days = year.rng.randint(*year.rules.lead_days)
    store_type = year.world.category_by_name[product.category].store_type
    delay = year.market.calendar.delay_factor(store_type, year.date)
    return days if delay is None else max(1, round(days * delay))


def _charge(year: Year, order: PurchaseOrder, channel: str) -> PurchaseOrder:
    year.books.orders.append(order)
    pay(year.books.purse, channel, order.charged)
    return order
