"""What yesterday did to each SKU of a store: the lines of its status page."""

from dataclasses import dataclass

from ecbench.market.books import Store


@dataclass(slots=True)
class DayLine:
    sold: int = 0
    revenue: float = 0.0
    returned: int = 0
    refunds: float = 0.0
    freight: float = 0.0


def day_lines(store: Store) -> dict[str, DayLine]:
    """Sales open the lines, returns join them or open their own, freight is added where there is a line."""
    lines: dict[str, DayLine] = {}
    for shipment in store.sold_yesterday:
        goods = shipment.goods
        lines[goods.product.sku] = DayLine(sold=goods.quantity, revenue=goods.gross)
    for back in store.came_back:
        goods = back.shipment.goods
        line = lines.setdefault(goods.product.sku, DayLine())
        line.returned += back.quantity
        line.refunds += goods.unit_price * back.quantity
    for sku, freight in store.freight_paid:
        if sku in lines:
            lines[sku].freight += freight
    return lines


def forget_freight_without_line(store: Store) -> None:
    """Freight joins a line that stood when it was paid; a line that a later return opens starts without it.

    Only in a closed store, whose lines are never reset, can a return come after the freight.
    """
    lines = day_lines(store)
    store.freight_paid = [paid for paid in store.freight_paid if paid[0] in lines]
