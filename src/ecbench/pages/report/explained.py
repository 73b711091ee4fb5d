"""The picture of an explanation: its panels below one another, as a file."""

from pathlib import Path
from typing import Any

import vl_convert

from ecbench.analysis.explain.explanation import Dot, Explanation, Panel
from ecbench.errors import RunError
from ecbench.pages.report.colours import LIGHT
from ecbench.pages.report.figure import Rows, chart, coloured, mark, named, panels, quantity
from ecbench.pages.report.svg import ACCENT, GRID, INK, MUTED, Spec, alone, drawn
from ecbench.runs.record.atomic_write import atomic_write

FORMS = (".svg", ".png")
WIDTH = 420
ROW = 18
MANY = 30  # bars; more are drawn small
DASHES = ([1, 0], [6, 3], [1, 3], [8, 3, 2, 3])  # of the first style, the second and so on


def write_picture(explanation: Explanation, path: Path) -> None:
    """Draw into a new file. Raises RunError for another kind of file, or one that exists."""
    if path.suffix not in FORMS:
        raise RunError(f"--picture {path}: give a file that ends in {' or '.join(FORMS)}")
    if path.exists():
        raise RunError(f"--picture {path} exists already; give another name")
    parts = {panel.title: {**_spec(panel), "title": panel.title} for panel in explanation.panels}
    svg = alone(drawn(panels(parts)), LIGHT)
    content = svg.encode() if path.suffix == ".svg" else vl_convert.svg_to_png(svg, scale=2)
    try:
        atomic_write(path, content)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error


def _spec(panel: Panel) -> Spec:
    rows: Rows = [{name: getattr(dot, name) for name in Dot.__slots__} for dot in panel.dots]
    draw = {"grid": _grid, "flow": _flow, "bar": _bars, "span": _spans}.get(panel.mark, _lines)
    return draw(panel, rows)


def _lines(panel: Panel, rows: Rows) -> Spec:
    place = {"x": quantity("x", panel.x, scale={"zero": False, "nice": False}), "y": quantity("y", panel.y)}
    encoding: dict[str, Any] = {**place, "color": _colour(rows)}
    styles = list(dict.fromkeys(row["style"] for row in rows))
    if len(styles) > 1:
        scale = {"domain": styles, "range": DASHES[: len(styles)]}
        encoding["strokeDash"] = {**coloured("style", styles), "scale": scale}
    if panel.mark == "point":
        return chart(rows, mark("point", encoding, filled=True, size=40, opacity=0.6), width=WIDTH, height=160)
    curve = "step-after" if panel.mark == "step" else "linear"
    return chart(rows, mark("line", encoding, interpolate=curve), width=WIDTH, height=200)


def _colour(rows: Rows) -> Spec:
    series = list(dict.fromkeys(row["series"] for row in rows))
    return coloured("series", series) if any(series) else {"value": ACCENT}


def _bars(panel: Panel, rows: Rows) -> Spec:
    place = {"y": _names(rows), "x": quantity("y", panel.y)}
    texts = mark("text", {**place, "text": {"field": "text"}}, align="left", dx=4, fontSize=10, color=MUTED)
    return chart(
        rows, mark("bar", {**place, "color": _colour(rows)}), texts, width=WIDTH - 100, height=_rows_high(rows)
    )


def _spans(panel: Panel, rows: Rows) -> Spec:
    x = quantity("y", panel.y, scale={"nice": False, "zero": False}, axis={"tickCount": 8})
    place = {"y": _names(rows)}
    span = {**place, "x": x, "x2": {"field": "end"}, "color": _colour(rows)}
    return chart(
        rows,
        mark("bar", span, "isValid(datum.end)", height=8, cornerRadius=2, opacity=0.7),
        mark("circle", {**place, "x": x}, "!isValid(datum.end)", color=INK, size=45, opacity=1),
        mark("text", {**place, "x": {**x, "field": "end"}, "text": {"field": "text"}}, align="left", dx=4, fontSize=10,
             color=INK),
        width=WIDTH - 100,
        height=_rows_high(rows),
    )  # fmt: skip


def _grid(_panel: Panel, rows: Rows) -> Spec:
    """Blue below 1, orange above."""
    place = {"x": named("x", axis={"orient": "top", "labelAngle": 0}), "y": named("series")}
    reach = max(abs(row["y"] - 1) for row in rows) or 1.0
    scale = {"scheme": "blueorange", "domain": [1 - reach, 1 + reach]}
    number = {"field": "y", "type": "quantitative", "legend": None}
    ink = {"condition": {"test": f"abs(datum.y - 1) > {0.7 * reach}", "value": "white"}, "value": "black"}
    texts = mark("text", {**place, "text": {**number, "format": ".2f"}, "color": ink}, fontSize=9)
    cells = mark("rect", {**place, "color": {**number, "scale": scale}})
    return chart(rows, cells, texts, width=WIDTH - 60, height=ROW * len({row["series"] for row in rows}))


def _names(rows: Rows) -> Spec:
    small = {"labelFontSize": 8} if len({row["x"] for row in rows}) > MANY else {}
    return named("x", axis={"labelOverlap": False, **small})


def _rows_high(rows: Rows) -> int:
    count = len({row["x"] for row in rows})
    return count * (ROW if count <= MANY else 10)


def _flow(_panel: Panel, rows: Rows) -> Spec:
    """Boxes below one another in the order of the arrows; arrows that lead back up stand on the left."""
    names = list(dict.fromkeys(name for row in rows for name in (row["x"], row["series"])))
    marks: Rows = [
        {"kind": "box", "x": -0.3, "x2": 0.3, "y": at - 0.15, "y2": at + 0.15, "middle": at, "text": name}
        for at, name in enumerate(names)
    ]
    for source, target in dict.fromkeys((row["x"], row["series"]) for row in rows):
        texts = [f"¥{row['y']:,.2f} on {row['text']}" for row in rows if (row["x"], row["series"]) == (source, target)]
        start, end = names.index(source), names.index(target)
        step = 0.17 if start < end else -0.17
        marks.append(
            {"kind": "down" if start < end else "up", "x": step, "y": start + step, "y2": end - step,
             "middle": (start + end) / 2 - 0.1 * (len(texts) - 1), "text": texts}
        )  # fmt: skip
    x = {"field": "x", "type": "quantitative", "axis": None, "scale": {"domain": [-2.2, 2.2]}}
    y = {"field": "y", "type": "quantitative", "axis": None, "scale": {"domain": [len(names) - 0.7, -0.3]}}
    along, words = {"x": x, "y": y, "y2": {"field": "y2"}}, {"y": {**y, "field": "middle"}, "text": {"field": "text"}}
    layers = [
        mark("rect", {**along, "x2": {"field": "x2"}}, "datum.kind == 'box'", color=GRID),
        mark("text", {**words, "x": {"value": WIDTH / 2}}, "datum.kind == 'box'", color=INK),
    ]
    for kind, align in (("down", "left"), ("up", "right")):
        only, look = f"datum.kind == '{kind}'", {"shape": f"triangle-{kind}", "filled": True, "size": 60, "opacity": 1}
        aside = {"align": align, "dx": 8 if kind == "down" else -8, "fontSize": 10, "lineHeight": 12, "color": INK}
        layers += [
            mark("rule", along, only, color=ACCENT),
            mark("point", {"x": x, "y": {**y, "field": "y2"}}, only, color=ACCENT, **look),
            mark("text", {**words, "x": x}, only, baseline="middle", **aside),
        ]
    return chart(marks, *layers, width=WIDTH, height=64 * len(names))
