"""Who was bought from, what it cost, and what was wrong with it."""

from dataclasses import dataclass
from datetime import date, datetime

from ecbench.report.played import PlayedYear, Row
from ecbench.report.single.lots import returned_by_supplier

FEE = "vip_fee"  # the one scam that takes money without goods


@dataclass(slots=True)
class SupplierLine:
    name: str
    label: str  # the manner of an honest one, the scam of another
    honest: bool
    orders: int = 0
    spend: float = 0.0
    overpaid: float = 0.0  # above the floor
    units: int = 0
    short: int = 0
    defective: int = 0
    returned: float | None = None  # None: nothing says where sold goods came from


def supplier_lines(year: PlayedYear) -> list[SupplierLine]:
    """Those that were paid, the most first."""
    labels = {row["supplier"]: (row["honest"], row["template"] if row["honest"] else row["scam"])
              for row in year.table("sessions")}  # fmt: skip
    floors = {(row["supplier"], row["sku"]): row["floor"] for row in year.table("sessions")}
    lines: dict[str, SupplierLine] = {}
    for order in year.table("orders"):
        name, sku = order["supplier"], order.get("sku", order.get("product"))
        honest, label = labels.get(name, (False, FEE))
        line = lines.setdefault(name, SupplierLine(name, str(label), honest))
        line.orders += 1
        line.spend += order["charged"]
        if not sku:
            continue
        line.units += order["quantity"]
        line.short += order["quantity"] - order["delivered"]
        line.defective += _defective(order)
        line.overpaid += max(order["unit_price"] - floors.get((name, sku), order["unit_price"]), 0) * order["quantity"]
    _add_returns(year, lines)
    return sorted(lines.values(), key=lambda line: (-line.spend, line.name))


def _defective(order: Row) -> int:
    spoiled = order["defective_units"] if "defective_units" in order else order["delivered"] * order["defective"]
    return int(spoiled)


def _add_returns(year: PlayedYear, lines: dict[str, SupplierLine]) -> None:
    if "sales" not in year.tables or not year.days:
        return
    start = datetime.combine(date.fromisoformat(str(year.days[0]["date"])), datetime.min.time())
    returned = returned_by_supplier(year, start)
    for name, line in lines.items():
        line.returned = returned.get(name, 0.0)
