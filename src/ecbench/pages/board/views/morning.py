"""What the night brought: goods that arrived this morning, what was sold yesterday, and what customers sent back."""

from dataclasses import dataclass

from ecbench.episode import Episode
from ecbench.market.purchasing import received_on
from ecbench.market.storefronts import day_lines


@dataclass(frozen=True, slots=True)
class MorningArrival:
    title: str
    supplier: str
    ordered: int
    delivered: int


@dataclass(frozen=True, slots=True)
class SalesRow:
    """Yesterday's sales and this morning's returns of a product in a store; amounts are yuan, before commission."""

    store: str
    sku: str
    title: str
    sold: int
    revenue: float
    returned: int
    refunds: float


@dataclass(frozen=True, slots=True)
class Morning:
    arrivals: list[MorningArrival]
    sales: list[SalesRow]  # the largest revenue first


def morning(year: Episode) -> Morning:
    books, opening = year.account.books, year.account.economy.opening_minute
    arrivals = [
        MorningArrival(order.product.title, order.supplier, order.quantity, order.delivered)
        for order in books.orders
        if order.product is not None and received_on(order, opening) == year.day
    ]
    sales = [
        SalesRow(
            store.name,
            sku,
            books.stock[sku].product.title,
            line.sold,
            round(line.revenue, 2),
            line.returned,
            round(line.refunds, 2),
        )
        for store in books.trading
        for sku, line in day_lines(store).items()
    ]
    return Morning(arrivals, sorted(sales, key=lambda row: -row.revenue))
