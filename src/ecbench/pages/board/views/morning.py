"""What the night brought: goods that arrived this morning, what was sold yesterday, and what customers sent back."""

from typing import Any

from ecbench.episode import Episode
from ecbench.market.purchasing import received_on
from ecbench.market.storefronts import day_lines


def morning(year: Episode) -> dict[str, Any]:
    """Arrivals, and sales by product and store, the largest revenue first; amounts are yuan, before commission."""
    books, opening = year.account.books, year.account.economy.opening_minute
    arrivals = [
        {
            "title": order.product.title,
            "supplier": order.supplier,
            "ordered": order.quantity,
            "delivered": order.delivered,
        }
        for order in books.orders
        if order.product is not None and received_on(order, opening) == year.day
    ]
    sales = [
        {
            "store": store.name,
            "sku": sku,
            "title": books.stock[sku].product.title,
            "sold": line.sold,
            "revenue": round(line.revenue, 2),
            "returned": line.returned,
            "refunds": round(line.refunds, 2),
        }
        for store in books.trading
        for sku, line in day_lines(store).items()
    ]
    return {"arrivals": arrivals, "sales": sorted(sales, key=lambda row: -row["revenue"])}
