"""Who was bought from, what it cost, and what was wrong with it."""

from dataclasses import dataclass

from ecbench.report.year_data import ShownYear


@dataclass(slots=True)
class PaidSupplier:
    name: str
    label: str  # the manner of an honest one, the scam of another
    honest: bool
    orders: int = 0
    spend: float = 0.0
    overpaid: float = 0.0  # above the floor
    units: int = 0
    short: int = 0
    defective: int = 0
    returned: float = 0.0  # units that customers sent back


def supplier_lines(year: ShownYear) -> list[PaidSupplier]:
    """Those that were paid, the most first."""
    if year.tables is None:
        return []
    lines: dict[str, PaidSupplier] = {}
    for order in year.tables.orders:
        label = order.template if order.honest else order.scam
        line = lines.setdefault(order.supplier, PaidSupplier(order.supplier, label, order.honest))
        line.orders += 1
        line.spend += order.charged
        if order.sku:  # a membership fee has none
            line.units += order.quantity
            line.short += order.short_units
            line.defective += order.defective_units
        if order.floor is not None:
            line.overpaid += max(order.unit_price - order.floor, 0.0) * order.quantity
    for name, units in year.goods.returned.items() if year.goods else ():
        if name in lines:
            lines[name].returned += units
    return sorted(lines.values(), key=lambda line: (-line.spend, line.name))
