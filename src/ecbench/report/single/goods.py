"""Stores, prices and stock, from the tables of what was sold and returned."""

from collections.abc import Mapping
from datetime import date, datetime

from ecbench.report.across.trade import TEMPLATES
from ecbench.report.figure import COLOURS, Figure, Rows, chart, coloured, mark, named, quantity, rows_high
from ecbench.report.pictures import GRID, MUTED
from ecbench.report.played import PlayedYear
from ecbench.report.single.lots import AGES, ages_by_week
from ecbench.world.model import World

MONTH_DAYS = 30
CATEGORIES = 12  # that are drawn: those that earned most


def stores(year: PlayedYear, world: World | None) -> Figure | None:
    """The reputation of each store while it was open."""
    kept = [row for row in year.table("stores") if row["row"] == "morning"]
    if not kept:
        return None
    rows: Rows = [
        {"day": row["day"], "store": _store(row, world), "reputation": round(row["reputation"], 4),
         "listings": row["listings"], "capacity_used": round(row["capacity_used"], 4)}
        for row in kept
        if row["day"] % 2 or row["day"] == kept[-1]["day"]
    ] or [{"day": row["day"], "store": _store(row, world), "reputation": row["reputation"], "listings": row["listings"],
           "capacity_used": row["capacity_used"]} for row in kept]  # fmt: skip
    last = {row["store"]: row for row in rows}
    best, worst = (pick(last.values(), key=lambda row: row["reputation"]) for pick in (max, min))
    caption = f"{len(last)} stores. Reputation at the end: {best['store']} {best['reputation']:.2f}"
    caption += f", {worst['store']} {worst['reputation']:.2f}." if len(last) > 1 else "."
    encoding = {
        "x": quantity("day", "Day"),
        "y": quantity("reputation", "Reputation", scale={"zero": False}),
        "color": coloured("store", last, COLOURS),
    }
    return Figure(
        "stores", "Stores and their reputation", caption, rows, chart(rows, mark("line", encoding, strokeWidth=1.6))
    )


def _store(row: Mapping[str, object], world: World | None) -> str:
    kind = str(row["type"])
    found = world.store_type_by_id.get(kind) if world else None
    return f"{str(row['store']).removeprefix('store_')} {found.name if found else kind}"


def prices(year: PlayedYear, _world: World | None) -> Figure | None:
    """Prices over reference prices, by category and month; every unit sold weighs the same."""
    sums: dict[tuple[str, int], list[float]] = {}
    earned: dict[str, float] = {}
    for row in year.table("sales"):
        cell = sums.setdefault((row["category"], row["day"] // MONTH_DAYS), [0.0, 0.0])
        cell[0] += row["units"] * row["price"] / row["reference_price"]
        cell[1] += row["units"]
        earned[row["category"]] = earned.get(row["category"], 0.0) + row["net"]
    if not sums:
        return None
    kept = sorted(earned, key=lambda name: -earned[name])[:CATEGORIES]
    rows: Rows = [
        {"category": name, "month": month + 1, "price_over_reference": round(total / units, 4), "units": units}
        for name in kept
        for (category, month), (total, units) in sorted(sums.items())
        if category == name
    ]
    whole, units = (sum(cell[place] for cell in sums.values()) for place in (0, 1))
    mean = {n: _mean([cell for (name, _), cell in sums.items() if name == n]) for n in kept}
    dear, cheap = max(mean, key=lambda n: mean[n]), min(mean, key=lambda n: mean[n])
    caption = (
        f"On average a unit sold at {whole / units:.2f} times its reference price; of the {len(kept)} categories that "
        f"earned most, {dear} was dearest ({mean[dear]:.2f}) and {cheap} cheapest ({mean[cheap]:.2f}). A dot is a month "
        "of 30 days, the line marks the reference price."
    )
    place = {"y": named("category", scale={"domain": kept}, axis={"labelLimit": 140})}
    x = quantity("price_over_reference", "Price / reference price", scale={"zero": False})
    colour = {"field": "month", "type": "quantitative", "scale": {"range": ["var(--heat-1)", "var(--heat-4)"]},
              "legend": None}  # fmt: skip
    del colour["scale"]
    spec = chart(
        rows,
        mark("rule", {"x": {"datum": 1.0}}, color=MUTED, strokeDash=[3, 3]),
        mark("circle", {**place, "x": x, "size": {"field": "units", "type": "quantitative", "legend": None,
                                                  "scale": {"range": [10, 120]}}}, color="var(--run-0)", opacity=0.55),
        width=215,
        height=rows_high(len(kept)) + 10,
    )  # fmt: skip
    return Figure("prices", "Prices against reference, by category", caption, rows, spec)


def _mean(cells: list[list[float]]) -> float:
    return sum(total for total, _ in cells) / sum(units for _, units in cells)


def stock_by_age(year: PlayedYear, world: World | None) -> Figure | None:
    """Units held at the end of each week by how long they had been there, oldest sold first."""
    if "sales" not in year.tables or len(year.days) < 2:
        return None
    start = world.start if world else date.fromisoformat(str(year.days[0]["date"]))
    rows = ages_by_week(year, datetime.combine(start, datetime.min.time()))
    if not any(row["units"] for row in rows):
        return None
    weeks: dict[int, float] = {}
    for row in rows:
        weeks[row["week"]] = weeks.get(row["week"], 0) + row["units"]
    fullest = max(weeks, key=lambda week: weeks[week])
    total = sum(row["units"] for row in rows)
    old = sum(row["units"] for row in rows if row["age"] == AGES[-1][0]) / total
    caption = (
        f"The warehouse was fullest in week {fullest}: {weeks[fullest]:,.0f} units. Over the year {old:.0%} of the stock had "
        f"lain {AGES[-1][0]}; what is left at the end ({weeks[max(weeks)]:,.0f} units) counts for nothing."
    )
    encoding = {
        "x": quantity("week", "Week", axis={"tickMinStep": 1, "grid": False}),
        "y": quantity("units", "Units", stack="zero"),
        "color": coloured("age", [name for name, _ in AGES], TEMPLATES),
        "order": {"field": "order", "type": "quantitative"},
    }
    spec = chart(
        rows, mark("bar", encoding, width=max(int(260 / max(weeks)), 2)), mark("rule", {"y": {"datum": 0}}, color=GRID)
    )
    return Figure("stock", "Stock by age", caption, rows, spec)
