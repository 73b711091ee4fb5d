"""Pictures of a world: static SVG whose colours are CSS variables, so that a page can be light or dark."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from ecbench.report.svg import ACCENT, INK, Picture, picture
from ecbench.report.world_summary import MONTHS, Bin, WorldSummary

WIDTH = 300  # the drawing area; with its labels a picture fits a phone
ROW = 20
KINDS = {"event": "var(--event)", "promotion": "var(--promotion)"}

# Seasonal indices at which the grid changes colour; 1 is an average month.
SEASON_STEPS = (0.7, 0.85, 0.95, 1.05, 1.2, 1.4)
SEASON_COLOURS = tuple(f"var(--season-{step})" for step in range(len(SEASON_STEPS) + 1))

MONTH_STARTS = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def draw_world(summary: WorldSummary) -> list[Picture]:
    charts = (_prices, _returns, _price_spreads, _return_spreads, _seasonality, _calendar)
    return [chart(summary) for chart in charts]


def _prices(summary: WorldSummary) -> Picture:
    names = [f"¥{b.low:g}" if b.low < 1_000 else f"¥{b.low / 1_000:g}k" for b in summary.prices]
    chart = _histogram(summary.prices, names, "Reference price, from")
    peak = max(summary.prices, key=lambda b: b.count)
    text = f"The fullest bar: {peak.count:,} of {summary.products:,} products cost ¥{peak.low:,g} to ¥{peak.high:,g}."
    return _picture("prices", "Reference prices of the catalog", text, chart)


def _returns(summary: WorldSummary) -> Picture:
    chart = _histogram(
        summary.return_rates, [f"{b.low:.0%}" for b in summary.return_rates], "Natural return rate, from"
    )
    peak = max(summary.return_rates, key=lambda b: b.count)
    text = f"The fullest bar: of {peak.count:,} products {peak.low:.0%} to {peak.high:.0%} of all sales come back."
    return _picture("returns", "Natural return rates of the catalog", text, chart)


def _histogram(bins: Sequence[Bin], names: Sequence[str], title: str) -> alt.Chart:
    rows = [{"bin": name, "count": b.count} for name, b in zip(names, bins, strict=True)]
    x = alt.X("bin:N", sort=None, title=title, axis=alt.Axis(labelAngle=0, labelOverlap=True, labelFontSize=10))
    bars = alt.Chart(_data(rows), width=WIDTH + 40, height=170).mark_bar(color=ACCENT)
    chart: alt.Chart = bars.encode(x=x, y=alt.Y("count:Q", title="Products", axis=alt.Axis(tickCount=4, format=",d")))
    return chart


def _price_spreads(summary: WorldSummary) -> Picture:
    rows = [_spread_row(s.name, s.prices.low, s.prices.middle, s.prices.high) for s in summary.store_types if s.prices]
    low, high = min(row["low"] for row in rows) * 0.8, max(row["high"] for row in rows) * 1.25
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    decades = [decade for decade in (10.0**power for power in range(-2, 9)) if low <= decade <= high]
    chart = _spreads(rows, "Reference price, ¥", scale, alt.Axis(values=decades, format=",~r"))
    highest = max(rows, key=lambda row: row["middle"])
    text = (
        "Each line runs from the cheapest to the most expensive product; the dot is the median. "
        f"Highest: {highest['name']}."
    )
    return _picture("price-spreads", "Prices by store type", text, chart)


def _return_spreads(summary: WorldSummary) -> Picture:
    rows = [
        _spread_row(s.name, s.return_rates.low, s.return_rates.middle, s.return_rates.high)
        for s in summary.store_types
        if s.return_rates
    ]
    chart = _spreads(rows, "Natural return rate", alt.Scale(), alt.Axis(tickCount=5, format=".0%"))
    worst = max(rows, key=lambda row: row["middle"])
    text = f"Lowest to highest product; the dot is the median. Most returned: {worst['name']}, {worst['middle']:.0%}."
    return _picture("return-spreads", "Return rates by store type", text, chart)


def _data(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"values": rows}


def _spread_row(name: str, low: float, middle: float, high: float) -> dict[str, Any]:
    return {"name": name, "low": low, "middle": middle, "high": high}


def _spreads(rows: list[dict[str, Any]], title: str, scale: alt.Scale, axis: alt.Axis) -> alt.LayerChart:
    base = alt.Chart(_data(rows), width=WIDTH - 60, height=ROW * len(rows)).encode(
        y=alt.Y("name:N", sort=None, title=None)
    )
    span = base.mark_rule(color=ACCENT, strokeWidth=5, opacity=0.45, strokeCap="round").encode(
        x=alt.X("low:Q", title=title, scale=scale, axis=axis), x2="high:Q"
    )
    dot = base.mark_circle(color=ACCENT, size=70, opacity=1).encode(x="middle:Q")
    layers: alt.LayerChart = span + dot
    return layers


def _seasonality(summary: WorldSummary) -> Picture:
    rows: list[dict[str, Any]] = [
        {"name": s.name, "month": month[0], "place": place, "index": f"{index:.1f}", "value": index}
        for s in summary.store_types
        for place, (month, index) in enumerate(zip(MONTHS, s.seasonality, strict=True))
    ]
    base = alt.Chart(_data(rows), width=WIDTH - 40, height=ROW * len(summary.store_types)).encode(
        x=alt.X(
            "place:O",
            title=None,
            axis=alt.Axis(orient="top", labelAngle=0, labelExpr=f"{[m[0] for m in MONTHS]}[datum.value]"),
        ),
        y=alt.Y("name:N", sort=None, title=None),
    )
    scale = alt.Scale(type="threshold", domain=SEASON_STEPS, range=SEASON_COLOURS)
    cells = base.mark_rect().encode(color=alt.Color("value:Q", scale=scale, legend=None))
    strong = alt.condition(
        f"datum.value < {SEASON_STEPS[0]} || datum.value >= {SEASON_STEPS[-2]}",
        alt.value("var(--on-season)"),
        alt.value(INK),
    )
    numbers = base.mark_text(fontSize=9).encode(text="index:N", color=strong)
    peak = max(rows, key=lambda row: row["value"])
    text = (
        "Sales index by month, 1 in an average month. "
        f"The highest is {peak['name']} in {MONTHS[peak['place']]}, {peak['value']:g}."
    )
    return _picture("seasonality", "Seasonality", text, cells + numbers)


def _calendar(summary: WorldSummary) -> Picture:
    rows = [{"name": o.name, "kind": o.kind, "first": o.day, "last": o.day + o.days} for o in summary.calendar]
    names = list(dict.fromkeys(str(row["name"]) for row in rows))
    months = alt.Axis(values=list(MONTH_STARTS), orient="top", labelAlign="left", labelOffset=2, labelExpr=_month_of())
    chart = (
        alt.Chart(_data(rows), width=WIDTH - 60, height=ROW * max(len(names), 1))
        .mark_bar(height=10, cornerRadius=2)
        .encode(
            x=alt.X("first:Q", title=None, scale=alt.Scale(domain=[0, 365], nice=False), axis=months),
            x2="last:Q",
            y=alt.Y("name:N", sort=names, title=None, axis=alt.Axis(labelLimit=190)),
            color=alt.Color(
                "kind:N", scale=alt.Scale(domain=list(KINDS), range=list(KINDS.values())), legend=alt.Legend(title=None)
            ),
        )
    )
    events = sum(o.kind == "event" for o in summary.calendar)
    text = (
        f"{events} events and {len(summary.calendar) - events} promotion windows in a year; the table below lists them."
    )
    return _picture("calendar", "The calendar", text, chart)


def _month_of() -> str:
    """A Vega expression: the first letter of the month that starts on a day of the year."""
    return f"{[m[0] for m in MONTHS]}[indexof({list(MONTH_STARTS)}, datum.value)]"


def _picture(key: str, title: str, text: str, chart: alt.Chart | alt.LayerChart) -> Picture:
    return picture(key, title, text, chart.to_dict())
