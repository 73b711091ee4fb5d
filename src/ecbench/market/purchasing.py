"""Purchase orders: charged in full when an agreement is struck, delivered some days later."""

from random import Random

from ecbench.decimals import money
from ecbench.market.draws import whole_number
from ecbench.market.economy import MINUTES
from ecbench.market.filed import PurchaseOrder
from ecbench.market.ledger import FEES, PROCUREMENT, pay
from ecbench.market.marketplace import Account
from ecbench.world.model import Product


class OrderRefused(Exception):
    """The order was not placed and nothing was charged. The message says why."""

    def __init__(self, message: str, *, missing: float = 0.0) -> None:
        super().__init__(message)
        self.missing = missing  # yuan that the bank lacked


def buy(
    account: Account,
    *,
    supplier: str,
    product: Product,
    quantity: int,
    unit_price: float,
    short: bool = False,
    defective: bool = False,
) -> PurchaseOrder:
    """Place an order and charge its total, rounded to cents. `short` and `defective` are hidden from the merchant."""
    if quantity < 1:
        raise OrderRefused(f"the quantity must be at least 1, not {quantity}")
    books = account.books
    charged = money(unit_price * quantity)
    _check_bank(books.purse.bank, charged)
    number = len(books.orders) + 1
    stream = account.economy.order_stream(account.rng, number)
    placed = account.market.day * MINUTES + account.minute
    arrives = placed + _minutes_on_the_way(account, product, stream)
    delivered = quantity
    if short:
        least, spread = account.rules.short_delivery
        delivered = max(1, int(quantity * (least + spread * stream.random())))
    order = PurchaseOrder(
        number,
        account.market.day,
        placed,
        supplier,
        product,
        quantity,
        unit_price,
        charged,
        delivered,
        defective,
        arrives,
    )
    books.in_transit.setdefault(received_on(order, account.economy.opening_minute), []).append(order)
    books.orders.append(order)
    pay(books.purse, PROCUREMENT, charged)
    return order


def _check_bank(bank: float, charge: float) -> None:
    """An order is paid in full when it is placed."""
    if bank < charge:
        raise OrderRefused(f"the bank holds ¥{bank:,.2f} and the order costs ¥{charge:,.2f}", missing=charge - bank)


def _minutes_on_the_way(account: Account, product: Product, stream: Random) -> int:
    days = whole_number(stream, *account.rules.lead_days)
    delay = account.economy.delay(product, account.market.date)
    if delay is not None:
        days = max(1, round(days * delay))
    minutes = days * MINUTES + whole_number(stream, 0, MINUTES - 1)
    # The width of the shown delivery range: unused here, but later draws of the stream depend on it.
    whole_number(stream, 1, 2)
    return minutes


def received_on(order: PurchaseOrder, opening_minute: int) -> int:
    """The day of the first morning at or after the arrival, and after the day of the order."""
    return max(-((opening_minute - order.arrives) // MINUTES), order.day + 1)


def pay_membership_fee(account: Account, supplier: str) -> PurchaseOrder:
    """Charge the fee as an order without goods."""
    fee = account.rules.membership_fee
    _check_bank(account.books.purse.bank, fee)
    now = account.market.day * MINUTES + account.minute
    order = PurchaseOrder(
        number=len(account.books.orders) + 1,
        day=account.market.day,
        placed=now,
        supplier=supplier,
        product=None,
        quantity=1,
        unit_price=fee,
        charged=fee,
        delivered=0,
        defective=False,
        arrives=now,
    )
    account.books.orders.append(order)
    pay(account.books.purse, FEES, fee)
    return order
