"""The picture of an explanation: its panels below one another, as a file."""

from pathlib import Path
from typing import Any

import vl_convert

from ecbench.analysis.explain.explanation import Dot, Explanation, Panel
from ecbench.errors import RunError
from ecbench.pages.report.colours import LIGHT
from ecbench.pages.report.svg import Spec, alone, drawn
from ecbench.pages.report.vega import Rows, spec_of
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
    parts = [_spec(panel) for panel in explanation.panels]
    titles = [f"({letter}) {panel.title}" for letter, panel in zip("abcd", explanation.panels)]
    resolve = {"scale": dict.fromkeys(("color", "size", "strokeDash"), "independent")}
    named = [{**part, "title": title} for part, title in zip(parts, titles)]
    svg = alone(drawn({"vconcat": named, "spacing": 22, "resolve": resolve} if parts[1:] else parts[0]), LIGHT)
    content = svg.encode() if path.suffix == ".svg" else vl_convert.svg_to_png(svg, scale=2)
    try:
        atomic_write(path, content)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error


def _spec(panel: Panel) -> Spec:
    rows: Rows = [{name: getattr(dot, name) for name in Dot.__slots__} for dot in panel.dots]
    chart = {"grid": _grid, "flow": _flow, "bar": _bars, "span": _spans}.get(panel.mark, _lines)(panel, rows)
    return spec_of(chart, chart.pop("data", rows))


def _colour(rows: Rows) -> dict[str, str]:
    return {"color": "series"} if any(row["series"] for row in rows) else {"color": "accent"}


def _layer(mark: str, colour: dict[str, str], **more: Any) -> dict[str, Any]:
    return {"mark": mark, **colour, **more}


def _lines(panel: Panel, rows: Rows) -> dict[str, Any]:
    styles = list(dict.fromkeys(row["style"] for row in rows))
    axes = {"x": {"title": panel.x, "scale": {"zero": False, "nice": False}}, "y": {"title": panel.y}}
    if panel.mark == "point":
        layer = _layer("point", _colour(rows), x="x", y="y", filled=True, size=40, opacity=0.6)
        return {"layers": [layer], "channels": axes, "width": WIDTH, "height": 160}
    curve = "step-after" if panel.mark == "step" else "linear"
    layer = _layer("line", _colour(rows), x="x", y="y", interpolate=curve)
    if len(styles) > 1:
        legend = {"title": None, "columns": 2}
        axes["strokeDash"] = {"scale": {"domain": styles, "range": DASHES[: len(styles)]}, "legend": legend}
        layer["strokeDash"] = "style"
    return {"layers": [layer], "channels": axes, "width": WIDTH, "height": 200}


def _listed(rows: Rows, y: dict[str, Any], *layers: dict[str, Any]) -> dict[str, Any]:
    """Charts with a line for each name."""
    many = len({row["x"] for row in rows}) > MANY
    names = {"axis": {"labelOverlap": False, **({"labelFontSize": 8} if many else {})}}
    channels = {"x": y, "y": names}
    return {"layers": layers, "channels": channels, "width": WIDTH - 100, "rows": "x", "row": 10 if many else ROW}


def _bars(panel: Panel, rows: Rows) -> dict[str, Any]:
    texts = {"mark": "text", "y": "x", "x": "y", "text": "text", "align": "left", "dx": 4, "color": "muted"}
    return _listed(rows, {"title": panel.y}, _layer("bar", _colour(rows), y="x", x="y"), texts)


def _spans(panel: Panel, rows: Rows) -> dict[str, Any]:
    axis = {"title": panel.y, "scale": {"nice": False, "zero": False}, "axis": {"tickCount": 8}}
    span = _layer("bar", _colour(rows), y="x", x="y", x2="end", only="isValid(datum.end)", height=8, cornerRadius=2)
    dot = {"mark": "circle", "y": "x", "x": "y", "only": "!isValid(datum.end)", "color": "ink", "size": 45}
    texts = {"mark": "text", "y": "x", "x": "end", "text": "text", "align": "left", "dx": 4}
    return _listed(rows, axis, {**span, "opacity": 0.7}, {**dot, "opacity": 1}, texts)


def _grid(_panel: Panel, rows: Rows) -> dict[str, Any]:
    """Blue below 1, orange above."""
    cells = [{**row, "shown": f"{row['y']:.2f}"} for row in rows]
    axes = {"x": {"axis": {"orient": "top", "labelAngle": 0}}}
    layer = {"mark": "heat", "x": "x", "y": "series", "value": "y", "centre": 1.0}
    size = {"width": WIDTH - 60, "rows": "series", "row": ROW}
    return {"layers": [layer], "channels": axes, **size, "data": cells}


def _flow(_panel: Panel, rows: Rows) -> dict[str, Any]:
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
    box = "datum.kind == 'box'"
    layers: list[dict[str, Any]] = [
        {"mark": "rect", "x": "x", "x2": "x2", "y": "y", "y2": "y2", "only": box, "color": "grid"},
        {"mark": "text", "x": f"={WIDTH / 2}", "y": "middle", "text": "text", "only": box, "fontSize": 11},
    ]
    for kind, align in (("down", "left"), ("up", "right")):
        only = f"datum.kind == '{kind}'"
        aside = {"align": align, "dx": 8 if kind == "down" else -8, "lineHeight": 12, "baseline": "middle"}
        head = {"shape": f"triangle-{kind}", "filled": True, "size": 60, "opacity": 1, "color": "accent"}
        layers += [
            {"mark": "rule", "x": "x", "y": "y", "y2": "y2", "only": only, "color": "accent"},
            {"mark": "point", "x": "x", "y": "y2", "only": only, **head},
            {"mark": "text", "x": "x", "y": "middle", "text": "text", "only": only, **aside},
        ]
    channels = {
        "x": {"axis": False, "scale": {"domain": [-2.2, 2.2]}},
        "y": {"axis": False, "scale": {"domain": [len(names) - 0.7, -0.3]}},
    }
    return {"layers": layers, "channels": channels, "width": WIDTH, "height": 64 * len(names), "data": marks}
