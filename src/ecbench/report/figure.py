"""A figure of the report: its data, how they are drawn, and what there is to see in them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ecbench.report.svg import Spec

Rows = list[dict[str, Any]]

WIDTH = 300  # the drawing area; with its labels a picture fits a phone
ROW = 17
COLOURS = tuple(f"var(--run-{number})" for number in range(8))
PALE = "var(--published)"


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
    paper: str = ""  # the label of the figure in the paper that it follows
    layered: bool = False  # whether the paper's models are in it
    apart: Spec | None = None
    notes: Sequence[str] = field(default_factory=tuple)


def quantity(name: str, title: str | None = None, **more: Any) -> dict[str, Any]:
    axis = {"tickCount": 4, "labelOverlap": True, "labelSeparation": 6, **more.pop("axis", {})}
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


def decades(lowest: float, highest: float, first: float = 100_000) -> list[float] | None:
    """Ticks of an axis at powers of ten from a first one on; None leaves the choice where few would be seen."""
    ticks = [tick for power in range(9) if (tick := first * 10**power) <= 1.1 * highest]
    owed = [-first] if lowest <= -first else []
    return [*owed, 0.0, *ticks] if len(ticks) > 1 else None


def rows_high(count: int) -> int:
    return ROW * max(count, 1)


def both(rows: Rows, draw: Callable[[Rows], Spec]) -> dict[str, Any]:
    """The drawing with the paper's models, and without them: rows say by `published` which they are."""
    own = [row for row in rows if not row["published"]]
    return {"rows": rows, "spec": draw(rows), "layered": len(own) < len(rows), "apart": draw(own) if own else None}


YUAN = "(datum.value < 0 ? '-' : '') + '¥' + format(abs(datum.value), '~s')"
"""A Vega expression for the labels of an axis in yuan."""
