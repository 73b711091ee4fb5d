"""Purchase orders: charged in full when an agreement is struck, delivered some days later."""

from ecbench.market.books import PurchaseOrder
from ecbench.market.draws import draw_between
from ecbench.market.ledger import FEES, PROCUREMENT, pay
from ecbench.market.year import MINUTES, Year
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
    books, rules = year.books, year.rules
    charged = unit_price * quantity
    if books.purse.bank < charged:
        raise _short_of_funds(year, charged)
    bits = year.rng.getrandbits
    soonest, latest = rules.lead_days
    days = draw_between(bits, soonest, latest)
    if year.market.calendar.events_on(year.date):
        days = _delayed(year, product, days)
    placed = year.day * MINUTES + year.minute
    arrives = placed + days * MINUTES + draw_between(bits, 0, MINUTES - 1)
    # Nobody reads the width of the delivery range here, but it is drawn: what the year draws next depends on it.
    draw_between(bits, 1, 2)
    delivered = quantity
    if short:
        least, spread = rules.short_delivery
        delivered = max(1, int(quantity * (least + spread * year.rng.random())))
    order = PurchaseOrder(
        len(books.orders) + 1,
        year.day,
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
    morning = -((year.market.opening_minute - arrives) // MINUTES)  # the first that finds it at the door
    books.in_transit.setdefault(max(morning, year.day + 1), []).append(order)  # today's has been
    books.orders.append(order)
    pay(books.purse, PROCUREMENT, charged)
    return order


def pay_membership_fee(year: Year, supplier: str) -> PurchaseOrder:
    """An order of its own that brings no goods."""
    fee = year.rules.membership_fee
    if year.books.purse.bank < fee:
        raise _short_of_funds(year, fee)
    now = year.day * MINUTES + year.minute
    order = PurchaseOrder(
        number=len(year.books.orders) + 1,
        day=year.day,
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
    year.books.orders.append(order)
    pay(year.books.purse, FEES, fee)
    return order


def _short_of_funds(year: Year, charge: float) -> OrderRefused:
    return OrderRefused(
        f"the bank holds ¥{year.books.purse.bank:,.2f} and the order costs ¥{charge:,.2f}; "
        "withdraw from the wallet or order less"
    )


def _delayed(year: Year, product: Product, days: int) -> int:
    store_type = year.world.category_by_name[product.category].store_type
    delay = year.market.calendar.delay_factor(store_type, year.date)
    return days if delay is None else max(1, round(days * delay))
