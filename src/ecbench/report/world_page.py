"""A world as one page: pictures and tables, no scripts, nothing loaded from elsewhere."""

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from ecbench.number_words import SHORT_MONTHS
from ecbench.report.figure import Rows, chart, coloured, mark, named, quantity
from ecbench.report.svg import ACCENT, INK, Picture, Spec, picture
from ecbench.report.templates_env import page_style, page_templates
from ecbench.report.world_summary import Bin, Spread, WorldSummary

WIDTH = 300  # the drawing area; with its labels a picture fits a phone
ROW = 20
KINDS = {"event": "var(--event)", "promotion": "var(--promotion)"}

# Seasonal indices at which the grid changes colour; 1 is an average month.
SEASON_STEPS = (0.7, 0.85, 0.95, 1.05, 1.2, 1.4)
SEASON_COLOURS = tuple(f"var(--season-{step})" for step in range(len(SEASON_STEPS) + 1))

MONTH_STARTS = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
LETTERS = [month[0] for month in SHORT_MONTHS]


def write_world_page(summary: WorldSummary, path: Path) -> None:
    path.write_text(render_world_page(summary), encoding="utf-8", newline="\n")


def render_world_page(summary: WorldSummary) -> str:
    template, style = page_templates().get_template("world.html.j2"), Markup(page_style("world.css"))
    return template.render(world=summary, pictures=draw_world(summary), style=style)


def draw_world(summary: WorldSummary) -> list[Picture]:
    charts = (_prices, _returns, _price_spreads, _return_spreads, _seasonality, _calendar)
    return [chart(summary) for chart in charts]


def _prices(summary: WorldSummary) -> Picture:
    names = [f"¥{b.low:g}" if b.low < 1_000 else f"¥{b.low / 1_000:g}k" for b in summary.prices]
    peak = max(summary.prices, key=lambda b: b.count)
    text = f"The fullest bar: {peak.count:,} of {summary.products:,} products cost ¥{peak.low:,g} to ¥{peak.high:,g}."
    spec = _histogram(summary.prices, names, "Reference price, from")
    return picture("prices", "Reference prices of the catalog", text, spec)


def _returns(summary: WorldSummary) -> Picture:
    peak = max(summary.return_rates, key=lambda b: b.count)
    text = f"The fullest bar: of {peak.count:,} products {peak.low:.0%} to {peak.high:.0%} of all sales come back."
    names = [f"{b.low:.0%}" for b in summary.return_rates]
    spec = _histogram(summary.return_rates, names, "Natural return rate, from")
    return picture("returns", "Natural return rates of the catalog", text, spec)


def _histogram(bins: Sequence[Bin], names: Sequence[str], title: str) -> Spec:
    rows: Rows = [{"bin": name, "count": b.count} for name, b in zip(names, bins, strict=True)]
    axis = {"labelAngle": 0, "labelOverlap": True, "labelFontSize": 10}
    bars = {"x": named("bin", title=title, axis=axis), "y": quantity("count", "Products", axis={"format": ",d"})}
    return chart(rows, mark("bar", bars, color=ACCENT), width=WIDTH + 40, height=170)


def _price_spreads(summary: WorldSummary) -> Picture:
    rows = _spread_rows({s.name: s.prices for s in summary.store_types})
    low, high = min(row["low"] for row in rows) * 0.8, max(row["high"] for row in rows) * 1.25
    decades = [decade for decade in (10.0**power for power in range(-2, 9)) if low <= decade <= high]
    x = quantity(
        "low",
        "Reference price, ¥",
        scale={"type": "log", "domain": [low, high], "nice": False},
        axis={"values": decades, "format": ",~r"},
    )
    highest = max(rows, key=lambda row: row["middle"])
    text = (
        "Each line runs from the cheapest to the most expensive product; the dot is the median. "
        f"Highest: {highest['name']}."
    )
    return picture("price-spreads", "Prices by store type", text, _spreads(rows, x))


def _return_spreads(summary: WorldSummary) -> Picture:
    rows = _spread_rows({s.name: s.return_rates for s in summary.store_types})
    worst = max(rows, key=lambda row: row["middle"])
    text = f"Lowest to highest product; the dot is the median. Most returned: {worst['name']}, {worst['middle']:.0%}."
    x = quantity("low", "Natural return rate", axis={"tickCount": 5, "format": ".0%"})
    return picture("return-spreads", "Return rates by store type", text, _spreads(rows, x))


def _spread_rows(spreads: dict[str, Spread | None]) -> Rows:
    return [
        {"name": name, "low": spread.low, "middle": spread.middle, "high": spread.high}
        for name, spread in spreads.items()
        if spread
    ]


def _spreads(rows: Rows, x: Spec) -> Spec:
    line = {"y": named("name"), "x": x, "x2": {"field": "high"}}
    dot = {"y": named("name"), "x": {**x, "field": "middle"}}
    return chart(
        rows,
        mark("rule", line, color=ACCENT, strokeWidth=5, opacity=0.45, strokeCap="round"),
        mark("circle", dot, color=ACCENT, size=70, opacity=1),
        width=WIDTH - 60,
        height=ROW * len(rows),
    )


def _seasonality(summary: WorldSummary) -> Picture:
    rows: Rows = [
        {"name": s.name, "place": place, "index": f"{index:.1f}", "value": index}
        for s in summary.store_types
        for place, index in enumerate(s.seasonality)
    ]
    months = {"orient": "top", "labelAngle": 0, "labelExpr": f"{LETTERS}[datum.value]"}
    place = {"x": {"field": "place", "type": "ordinal", "title": None, "axis": months}, "y": named("name")}
    scale = {"type": "threshold", "domain": SEASON_STEPS, "range": SEASON_COLOURS}
    shade = {"field": "value", "type": "quantitative", "scale": scale, "legend": None}
    strong = f"datum.value < {SEASON_STEPS[0]} || datum.value >= {SEASON_STEPS[-2]}"
    ink = {"condition": {"test": strong, "value": "var(--on-season)"}, "value": INK}
    spec = chart(
        rows,
        mark("rect", {**place, "color": shade}),
        mark("text", {**place, "text": {"field": "index"}, "color": ink}, fontSize=9),
        width=WIDTH - 40,
        height=ROW * len(summary.store_types),
    )
    peak = max(rows, key=lambda row: row["value"])
    text = (
        "Sales index by month, 1 in an average month. "
        f"The highest is {peak['name']} in {SHORT_MONTHS[peak['place']]}, {peak['value']:g}."
    )
    return picture("seasonality", "Seasonality", text, spec)


def _calendar(summary: WorldSummary) -> Picture:
    rows: Rows = [{"name": o.name, "kind": o.kind, "first": o.day, "last": o.day + o.days} for o in summary.calendar]
    letter = f"{LETTERS}[indexof({list(MONTH_STARTS)}, datum.value)]"  # of the month that starts on this day
    months = {"values": list(MONTH_STARTS), "orient": "top", "labelAlign": "left", "labelOffset": 2}
    spans = {
        "x": {**quantity("first", scale={"domain": [0, 365], "nice": False}), "axis": {**months, "labelExpr": letter}},
        "x2": {"field": "last"},
        "y": named("name", axis={"labelLimit": 190}),
        "color": coloured("kind", KINDS, tuple(KINDS.values())),
    }
    names = {row["name"] for row in rows}
    bars = mark("bar", spans, height=10, cornerRadius=2)
    events = sum(o.kind == "event" for o in summary.calendar)
    text = (
        f"{events} events and {len(summary.calendar) - events} promotion windows in a year; the table below lists them."
    )
    spec = chart(rows, bars, width=WIDTH - 60, height=ROW * max(len(names), 1))
    return picture("calendar", "The calendar", text, spec)
