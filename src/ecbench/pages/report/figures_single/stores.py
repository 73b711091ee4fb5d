"""Stores and their prices, from the tables of a year."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ecbench.pages.report.figure import COLOURS, ReportFigure, Rows, chart, coloured, mark, named, quantity, rows_high
from ecbench.pages.report.svg import MUTED
from ecbench.pages.report.year_data import ShownYear
from ecbench.runs.results.table_rows import SaleRow, StoreRow
from ecbench.world.model import World

MONTH_DAYS = 30
CATEGORIES = 12  # that are drawn: those that earned most
MARKUPS = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 50]  # where the axis has ticks
POINTS = 180  # days that a curve is drawn through


def stores(year: ShownYear) -> ReportFigure | None:
    """The reputation of each store while it was open."""
    mornings = [row for row in year.tables.stores if row.row == "morning"] if year.tables else []
    if not mornings:
        return None
    longest = [store for store, _ in Counter(row.store for row in mornings).most_common(len(COLOURS))]
    closed = len({row.store for row in mornings}) - len(longest)
    mornings = [row for row in mornings if row.store in longest]
    step = year.money[-1].day // POINTS + 1
    rows: Rows = [
        {"day": row.day, "store": _store(row, year.world), "reputation": round(row.reputation, 4),
         "listings": row.listings, "units": row.units, "capacity_used": round(row.capacity_used, 4)}
        for row in mornings
        if row.day % step == 0 or row.day == mornings[-1].day
    ]  # fmt: skip
    last = {_store(row, year.world): row.reputation for row in mornings}
    best, worst = max(last, key=lambda name: last[name]), min(last, key=lambda name: last[name])
    caption = f"{len(last) + closed} stores; reputation when last seen: {best} {last[best]:.2f}"
    caption = f"1 store; reputation when last seen: {last[best]:.2f}." if len(last) == 1 else (
        f"{caption}, {worst} {last[worst]:.2f}. A line ends where its store closed."
    )  # fmt: skip
    caption += f" Drawn: the {len(longest)} open longest." if closed else ""
    encoding = {
        "x": quantity("day", "Day", scale={"nice": False}),
        "y": quantity("reputation", "Reputation", scale={"zero": False}),
        "color": coloured("store", last, COLOURS),
    }
    lines = chart(rows, mark("line", encoding, strokeWidth=1.6))
    return ReportFigure("stores", "Stores and their reputation", caption, rows, lines)


def _store(row: StoreRow, world: World | None) -> str:
    found = world.store_type_by_id.get(row.type) if world else None
    return f"{row.store.removeprefix('store_')} {found.name if found else row.type}"


def prices(year: ShownYear) -> ReportFigure | None:
    """Prices over reference prices, by category and month; every unit sold weighs the same."""
    sales = year.tables.sales if year.tables else ()
    if not sales:
        return None
    months: dict[tuple[str, int], list[SaleRow]] = {}
    earned: dict[str, float] = {}
    for row in sales:
        months.setdefault((row.category, row.day // MONTH_DAYS), []).append(row)
        earned[row.category] = earned.get(row.category, 0.0) + row.net
    kept = sorted(earned, key=lambda name: -earned[name])[:CATEGORIES]
    rows: Rows = [
        {"category": category, "month": month + 1, "price_over_reference": round(mean_markup(sold), 4),
         "units": sum(row.units for row in sold)}
        for (category, month), sold in sorted(months.items())
        if category in kept
    ]  # fmt: skip
    seen = [row["price_over_reference"] for row in rows]
    markups = {name: mean_markup([row for row in sales if row.category == name]) for name in kept}
    spec = chart(
        rows,
        mark("rule", {"x": {"datum": 1.0}}, color=MUTED, strokeDash=[3, 3]),
        mark(
            "circle",
            _markup_encoding(kept, seen),
            color="var(--run-0)",
            opacity=0.55,
        ),
        width=215,
        height=rows_high(len(kept)) + 10,
    )
    title = "Prices against reference, by category"
    return ReportFigure("prices", title, _prices_caption(mean_markup(sales), markups), rows, spec)


def mean_markup(sales: Sequence[SaleRow]) -> float:
    """Price over reference price of the units sold, on average."""
    return sum(row.units * row.price / row.reference_price for row in sales) / sum(row.units for row in sales)


def _prices_caption(mean: float, markups: Mapping[str, float]) -> str:
    dear, cheap = max(markups, key=lambda n: markups[n]), min(markups, key=lambda n: markups[n])
    caption = f"On average a unit sold at {mean:.2f} times its reference price (the dashed line)"
    if f"{markups[dear]:.2f}" != f"{markups[cheap]:.2f}":
        caption += (
            f"; of the {len(markups)} categories that earned most {dear} was dearest, {markups[dear]:.2f}, and {cheap} "
            f"cheapest, {markups[cheap]:.2f}"
        )
    return f"{caption}. A dot is a month of 30 days, the larger the more units."


def _markup_encoding(categories: list[str], markups: Sequence[float]) -> Mapping[str, object]:
    size = {"field": "units", "type": "quantitative", "legend": None, "scale": {"range": [10, 120]}}
    return {
        "y": named("category", scale={"domain": categories}),
        "x": quantity(
            "price_over_reference",
            "Price / reference price",
            scale={"type": "log", "nice": False, "domain": [min(0.7, *markups), max(1.5, *markups)]},
            axis={"values": MARKUPS},
        ),
        "size": size,
    }
