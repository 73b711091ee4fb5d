"""A merchant's own history with each supplier it has written to: bargains, orders, what arrived and what came back."""

from collections import defaultdict
from typing import Any

from ecbench.episode import Episode
from ecbench.market.books import PurchaseOrder, Stock


def supplier_histories(year: Episode) -> list[dict[str, Any]]:
    """The suppliers in the order of their latest letter, newest first, with units and yuan to date.

    `ordered` and `delivered` are of orders that have arrived. Returns are those of its goods: a SKU from several
    suppliers counts by their shares. `usual_returns` would have come back at the natural rates of these goods.
    """
    suppliers = {supplier.name: supplier for supplier in year.world.suppliers}
    orders: dict[str, list[PurchaseOrder]] = defaultdict(list)
    for order in year.account.books.orders:
        orders[order.supplier].append(order)
    bargains: dict[str, int] = defaultdict(int)
    for (name, _), pair in year.desk.book.pairs.items():
        bargains[name] += not pair.concluded
    coming = {order.number for waiting in year.account.books.in_transit.values() for order in waiting}
    found = []
    for name, exchanges in year.desk.exchanges.items():
        placed, goods = orders[name], [order for order in orders[name] if order.product is not None]
        arrived = [order for order in goods if order.number not in coming]
        sold, returned, usual = _returns(name, year.account.books.stock)
        found.append(
            {
                "name": name,
                "email": suppliers[name].email,
                "category": suppliers[name].category,
                "letters": 2 * len(exchanges),
                "day": exchanges[-1].day.isoformat(),
                "open_bargains": bargains[name],
                "orders": len(placed),
                "spent": round(sum(order.charged for order in placed), 2),
                "ordered": sum(order.quantity for order in arrived),
                "delivered": sum(order.delivered for order in arrived),
                "on_the_way": sum(order.quantity for order in goods if order.number in coming),
                "sold": round(sold, 1),
                "returned": round(returned, 1),
                "usual_returns": round(usual, 1),
                "suspicious": is_suspicious(returned, usual),
                "member": name in year.desk.members,
            }
        )
    return sorted(found, key=lambda row: str(row["day"]), reverse=True)


def is_suspicious(returned: float, usual: float) -> bool:
    """Whether far more units came back than is natural for the goods; a single one never is."""
    return returned > 2 * usual + 2


def _returns(name: str, stocks: dict[str, Stock]) -> tuple[float, float, float]:
    """Units sold, returned, and returned at the natural rate, of the goods that a supplier delivered."""
    sold = returned = usual = 0.0
    for stock in stocks.values():
        if units := stock.by_supplier.get(name):
            share = units / stock.delivered
            sold += share * stock.sold
            returned += share * stock.returned
            usual += share * stock.sold * stock.product.return_rate
    return sold, returned, usual
