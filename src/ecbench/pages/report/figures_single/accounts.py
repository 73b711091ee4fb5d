"""Where a year's money was, and where it came from and went."""

from collections.abc import Sequence
from typing import Any

from ecbench.analysis.explain.world_figures import calendar_of
from ecbench.formatting import counted, yuan
from ecbench.market.ledger import CHANNELS
from ecbench.pages.report.figure import (
    YUAN,
    ReportFigure,
    Rows,
    chart,
    coloured,
    decades,
    mark,
    named,
    quantity,
    rows_high,
    texts_at,
)
from ecbench.pages.report.run_data import Funds
from ecbench.pages.report.svg import ACCENT, INK, Spec
from ecbench.pages.report.year_data import ShownYear
from ecbench.world.model import World

ACCOUNTS = ("total", "bank", "escrow", "wallet")
OCCASIONS = {"event": "var(--event)", "promotion": "var(--promotion)"}


def accounts(year: ShownYear) -> ReportFigure | None:
    """Bank, wallet, escrow and their sum, with what the calendar had on."""
    if len(year.money) < 2:
        return None
    rows: Rows = [
        {"day": row.day, "account": account, "yuan": round(getattr(row, account), 2)}
        for row in _every_other(year.money)
        for account in ACCOUNTS
    ]
    last, lowest = year.money[-1], min(year.money, key=lambda row: row.bank)
    best = max(row.total for row in year.money)
    half = next(row.day for row in year.money if row.total >= best / 2)
    caption = (
        f"From {yuan(year.money[0].total)} to {yuan(last.total)} on day {last.day}; half of its best morning was "
        f"reached on day {half}. The bank was lowest on day {lowest.day}, at {yuan(lowest.bank)}."
    )
    days = {"x": quantity("day", "Day", scale={"domain": [0, max(last.day, 1)]})}
    scale = {"type": "symlog", "constant": 10_000}
    ticks = decades(min(row.bank for row in year.money), best)
    y = quantity("yuan", None, scale=scale, axis={"labelExpr": YUAN, "values": ticks})
    colours = (INK, "var(--run-0)", "var(--run-1)", "var(--run-2)")
    lines = chart(
        rows,
        mark("line", {**days, "y": y, "color": coloured("account", ACCOUNTS, colours)}, strokeWidth=1.6),
        height=190,
    )
    strip = occasions(year.world, last.day)
    if not strip:
        return ReportFigure("accounts", "Assets and where they were", caption, rows, lines)
    names = list(dict.fromkeys(str(row["name"]) for row in strip))
    span = {
        "x": {**days["x"], "field": "first", "title": None, "axis": None},
        "x2": {"field": "last"},
        "y": named("name", axis={"labelLimit": 110, "labelFontSize": 8, "labelOverlap": False}),
        "color": {**coloured("kind", OCCASIONS, tuple(OCCASIONS.values()))},
    }
    calendar = chart(strip, mark("bar", span, height=5), height=10 * len(names))
    joined = {"vconcat": [lines, calendar], "spacing": 4, "resolve": {"scale": {"color": "independent"}}}
    return ReportFigure("accounts", "Assets and where they were", caption, rows, joined)


def _every_other(money: Sequence[Funds]) -> list[Funds]:
    """Enough for a curve: at most about 180 points."""
    step = len(money) // 180 + 1
    return [row for place, row in enumerate(money) if place % step == 0 or place == len(money) - 1]


def occasions(world: World | None, last: int) -> Rows:
    """Events and promotions before a day, each up to the day after its last."""
    if world is None:
        return []
    spans = [(o, (o.first - world.start).days, (o.last - world.start).days + 1) for o in calendar_of(world)]
    return [
        {"name": o.name, "kind": o.kind, "first": first, "last": min(end, last)}
        for o, first, end in spans
        if 0 <= first < last
    ]


def collapse(year: ShownYear) -> ReportFigure | None:
    """Of a year that was overdrawn: assets and bank beside the stock, those mornings shaded (fig:collapse)."""
    days = year.tables.days if year.tables else ()
    overdrawn = [row.day for row in days if row.bank < 0 and row.row == "morning"]
    if not overdrawn:
        return None
    rows: Rows = [
        {"day": row.day, "row": row.row, "total": row.total, "bank": row.bank, "units": row.units,
         "overdrawn": row.bank < 0}
        for row in days
    ]  # fmt: skip
    standing = [row.day for row in days if row.row == "morning"][: -1 if days[-1].row == "final" else None]
    fullest, deepest = max(days, key=lambda row: row.units), min(days, key=lambda row: row.bank)
    end = days[-1]
    caption = (
        f"Overdrawn (shaded) on {counted(len({*overdrawn} & {*standing}), 'morning')} before the last, first on day "
        f"{overdrawn[0]}, at most by "
        f"{yuan(-deepest.bank)} on day {deepest.day}. The most stock: {fullest.units:,} units on day {fullest.day}; "
        f"{end.units:,} were left on day {end.day}, with {yuan(end.total)}."
    )
    x = quantity("day", "Day", scale={"domain": [0, max(end.day, 1)]})
    y = quantity("total", None, axis={"labelExpr": YUAN})
    money = {"total": INK, "bank": "var(--run-0)"}
    lines = [
        mark("line", {"x": x, "y": {**y, "field": name}, "color": {"datum": name}}, strokeWidth=1.6) for name in money
    ]
    colour = {"domain": [*money, "units held (right)"], "range": [*money.values(), "var(--run-1)"]}
    legend = {"title": None, "columns": 3, "symbolType": "stroke", "symbolOpacity": 1}
    lines[0]["encoding"]["color"] |= {"scale": colour, "legend": legend}
    units = quantity("units", None, axis={"orient": "right", "grid": False})
    stock = mark("line", {"x": x, "y": units, "color": {"datum": "units held (right)"}}, strokeWidth=1.2)
    spans = [{"first": first, "last": last} for first, last in spans_of(overdrawn, days[-1].day)]
    band = {
        "data": {"values": spans},
        **mark("rect", {"x": {**x, "field": "first"}, "x2": {"field": "last"}}, color="var(--bad)", opacity=0.15),
    }
    layers = [band, {"layer": lines}, stock]
    spec = chart(rows, *layers, width=270, height=190, resolve={"scale": {"y": "independent"}})
    return ReportFigure("collapse", "Overdrawn", caption, rows, spec, "fig:collapse")


def spans_of(days: Sequence[int], end: int) -> list[tuple[int, int]]:
    """Days in a row as spans, each up to the day after its last, but not past the end."""
    spans: list[tuple[int, int]] = []
    for day in days:
        first = spans.pop()[0] if spans and spans[-1][1] >= day else day
        spans.append((first, day + 1))
    return [(first, min(last, end)) for first, last in spans]


def waterfall(year: ShownYear) -> ReportFigure | None:
    """From the stake to the final assets, channel by channel; they add up to the cent."""
    if year.tables is None or year.played.end is None:
        return None
    first, *_, last = year.tables.days
    flows: dict[str, float] = {name: getattr(last, f"{name}_to_date") for name in CHANNELS}
    steps = {name: flow for name, flow in flows.items() if flow}
    stake = first.total
    # What comes in first, then the costs, the largest first: nothing falls below the axis on the way.
    ordered = sorted(steps, key=lambda name: (steps[name] < 0, -abs(steps[name])))
    rows: Rows = [money_bar("stake", 0.0, stake, "whole")]
    height = stake
    for name in ordered:
        rows.append(money_bar(name, height, height + steps[name], "in" if steps[name] > 0 else "out"))
        height += steps[name]
    rows.append(money_bar("final assets", 0.0, last.total, "whole"))
    if not steps:
        caption = f"Nothing came in and nothing went out: {yuan(stake)} stayed {yuan(last.total)}."
    else:
        largest = min(steps, key=lambda name: steps[name])
        caption = (
            f"Stake {yuan(stake)}, revenue {yuan(steps.get('revenue', 0.0))} after commission; the largest cost is "
            f"{largest}, {yuan(-steps[largest])}. What is left: {yuan(last.total)}."
        )
    return ReportFigure("waterfall", "From the stake to the final assets", caption, rows, bars_between(rows))


def bars_between(rows: Rows) -> Spec:
    """Bars that hang where the one before them ended."""
    place = {"y": named("step")}
    colour = {"in": "var(--good)", "out": "var(--bad)", "whole": ACCENT}
    # The amounts stand to the right of their bars, and want room there.
    most = 1.55 * max(row["right"] for row in rows)
    x = quantity("start", "Yuan", axis={"labelExpr": YUAN}, scale={"domainMax": most, "nice": False})
    return chart(
        rows,
        mark("bar", {**place, "x": x, "x2": {"field": "end"},
                     "color": {**coloured("kind", colour, tuple(colour.values())), "legend": None}}, height=12),
        texts_at({**place, "x": {**x, "field": "right"}}),
        width=230,
        height=rows_high(len(rows)) + 20,
    )  # fmt: skip


def money_bar(step: str, start: float, end: float, kind: str) -> dict[str, Any]:
    amount = end - start
    shown = yuan(amount) if kind == "whole" else f"{'+' if amount > 0 else '-'}¥{abs(amount):,.0f}"
    return {"step": step, "kind": kind, "yuan": round(amount, 2), "start": start, "end": end, "right": max(start, end),
            "shown": shown}  # fmt: skip
