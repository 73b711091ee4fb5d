"""Yesterday's sales, returns and freight of each SKU of a store: the lines of its status page."""

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
    for goods in store.sold_yesterday.goods:
        lines[goods.product.sku] = DayLine(sold=goods.quantity, revenue=goods.gross)
    for back in store.came_back:
        line = lines.setdefault(back.goods.product.sku, DayLine())
        line.returned += back.quantity
        line.refunds += back.goods.unit_price * back.quantity
    for parcel in store.sent:
        known = lines.get(parcel.goods.product.sku)
        if known is not None:
            known.freight += parcel.freight
    return lines


def forget_freight_without_line(store: Store) -> None:
    """Freight joins a line that stood when it was paid; a line that a later return opens starts without it.

    Only in a closed store, whose lines are never reset, can a return come after the freight.
    """
    lines = day_lines(store)
    store.sent = [parcel for parcel in store.sent if parcel.goods.product.sku in lines]
