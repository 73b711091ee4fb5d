"""A figure of the report: its data, how they are drawn, and what there is to see in them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ecbench.metrics.published import published_models
from ecbench.pages.report.svg import INK, Spec

Rows = list[dict[str, Any]]

WIDTH = 300  # the drawing area; with its labels a picture fits a phone
ROW = 17
COLOURS = tuple(f"var(--run-{number})" for number in range(8))
PALE = "var(--published)"
HEAT_STEPS = (0.2, 0.4, 0.6, 0.8)
HEAT = tuple(f"var(--heat-{step})" for step in range(len(HEAT_STEPS) + 1))
PARTS = tuple(f"var(--part-{number})" for number in range(8))


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """`rows` are what is drawn, and become the CSV.

    `apart` is the drawing without the paper's models where they are in it; None there: nothing would be left.
    """

    key: str
    title: str
    caption: str
    rows: Rows
    spec: Spec
    paper: str = ""  # the labels of the figures in the paper that it follows
    layered: bool = False  # whether the paper's models are in it
    apart: Spec | None = None


def quantity(name: str, title: str | None = None, **more: Any) -> dict[str, Any]:
    axis = {"tickCount": 4, "labelOverlap": "greedy", "labelSeparation": 6, **more.pop("axis", {})}
    return {"field": name, "type": "quantitative", "title": title, "axis": axis, **more}


def named(name: str, **more: Any) -> dict[str, Any]:
    return {"field": name, "type": "nominal", "title": None, "sort": None, **more}


def coloured(name: str, domain: Iterable[str], colours: Sequence[str] = COLOURS, **more: Any) -> dict[str, Any]:
    """One colour a name; where there are more names than colours, they begin again."""
    names = list(domain)
    scale = {"domain": names, "range": [colours[place % len(colours)] for place in range(len(names))]}
    legend = {"title": None, "columns": 2, "columnPadding": 26, "labelLimit": 150, "symbolOpacity": 1}
    return {"field": name, "type": "nominal", "scale": scale, "legend": legend, "sort": None, **more}


def chart(rows: Rows, *layers: Spec, width: int = WIDTH, height: int = 200, **more: Any) -> Spec:
    return {"data": {"values": rows}, "width": width, "height": height, "layer": list(layers), **more}


def mark(kind: str, encoding: Spec, only: str = "", **look: Any) -> Spec:
    """A layer; `only` is a Vega expression that says which rows belong to it."""
    layer: dict[str, Any] = {"mark": {"type": kind, **look}, "encoding": dict(encoding)}
    if only:
        layer["transform"] = [{"filter": only}]
    return layer


def decades(lowest: float, highest: float) -> list[float] | None:
    """Ticks of an axis at powers of ten from 100,000 on; None leaves the choice where few would be seen."""
    first = 100_000.0
    ticks = [tick for power in range(9) if (tick := first * 10**power) <= 1.1 * highest]
    owed = [-first] if lowest <= -first else []
    return [*owed, 0.0, *ticks] if len(ticks) > 1 else None


def rows_high(count: int) -> int:
    return ROW * max(count, 1)


def panels(named_parts: Mapping[str, Spec], *, one_legend: bool = False) -> Spec:
    """Charts below one another, named (a), (b) and so on; a single one needs no name."""
    if len(named_parts) == 1:
        return next(iter(named_parts.values()))
    parts = [
        {**part, "title": f"({letter}) {name}"}
        for letter, (name, part) in zip("abcd", named_parts.items(), strict=False)
    ]
    resolve = {"color": "shared" if one_legend else "independent", "size": "independent", "strokeDash": "independent"}
    return {"vconcat": parts, "spacing": 22, "resolve": {"scale": resolve}}


def deviation(value: float | None, spread: float | None) -> dict[str, float | None]:
    """The columns of a whisker: one standard deviation to either side, empty where there is none."""
    if value is None or spread is None:
        return {"std": None, "low": None, "high": None}
    return {"std": spread, "low": value - spread, "high": value + spread}


def whisker(place: Spec, x: Spec, **look: Any) -> Spec:
    """A layer with the line of each row from `low` to `high`."""
    ends = {**place, "x": {**x, "field": "low"}, "x2": {"field": "high"}}
    return mark("rule", ends, "isValid(datum.low)", strokeWidth=1.5, **look)


def heat_map(rows: Rows, x: Spec, y: Spec, value: str, *, width: int, height: int, below: str = "") -> Spec:
    """Cells coloured by a share from 0 to 1, each with its text `shown`, and the number `below` in small under it."""
    scale = {"type": "threshold", "domain": HEAT_STEPS, "range": HEAT}
    deep = {"condition": {"test": f"datum.{value} >= {HEAT_STEPS[2]}", "value": "var(--on-heat)"}, "value": INK}
    shade = {"field": value, "type": "quantitative", "scale": scale, "legend": None}
    texts = [mark("text", {"x": x, "y": y, "text": {"field": "shown"}, "color": deep}, fontSize=10)]
    if below:
        count = {"field": below, "type": "quantitative", "format": ","}
        texts[0]["mark"]["dy"] = -4
        texts.append(mark("text", {"x": x, "y": y, "text": count, "color": deep}, fontSize=8, dy=7))
    return chart(rows, mark("rect", {"x": x, "y": y, "color": shade}), *texts, width=width, height=height)


def scatter(rows: Rows, x: Spec, y: Spec, labels: Sequence[str], *behind: Spec, **size: Spec) -> Spec:
    """A point a run in its colour, and a pale one a model of the paper; `size` may be a channel."""
    place = {"x": x, "y": y, **size}
    own = {**place, "color": coloured("name", labels)}
    return chart(
        rows,
        *behind,
        mark("point", place, "datum.published", filled=True, color=PALE, **({} if size else {"size": 45})),
        mark("point", own, "!datum.published", filled=True, opacity=1, **({} if size else {"size": 110})),
    )


def weekly_bars(weeks: Iterable[int], encoding: Spec) -> Spec:
    """Bars as wide as their number allows, stacked."""
    width = max(int(260 / max(*weeks, 1)), 2)
    scale = {"nice": False, "zero": False, "padding": width / 2 + 1}  # so that no bar lies on the axis
    week = quantity("week", "Week", axis={"tickMinStep": 1, "grid": False}, scale=scale)
    return mark("bar", {"x": week, **encoding}, width=width)


def texts_at(place: Spec) -> Spec:
    """A layer with the text `shown` to the right of each mark."""
    return mark("text", {**place, "text": {"field": "shown"}}, align="left", dx=4, fontSize=10, color=INK)


def published_rows(*columns: str) -> Rows:
    """A row a model of the paper, with these measures."""
    return [{"name": m.name, **{name: m[name] for name in columns}, "published": True} for m in published_models()]


def both(rows: Rows, draw: Callable[[Rows], Spec]) -> dict[str, Any]:
    """The drawing with the paper's models, and without them: rows say by `published` which they are."""
    own = [row for row in rows if not row["published"]]
    return {"rows": rows, "spec": draw(rows), "layered": len(own) < len(rows), "apart": draw(own) if own else None}


YUAN = "(datum.value < 0 ? '-' : '') + '¥' + format(abs(datum.value), '~s')"
"""A Vega expression for the labels of an axis in yuan."""
