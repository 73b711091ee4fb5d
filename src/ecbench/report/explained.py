"""The picture of an explanation: its panels below one another, as a file."""

from pathlib import Path

import vl_convert

from ecbench.errors import RunError
from ecbench.explain.explanation import Explanation, Panel
from ecbench.report.colours import LIGHT
from ecbench.report.figure import chart, coloured, mark, named, quantity
from ecbench.report.svg import ACCENT, Spec, alone, drawn
from ecbench.runs.record.atomic_write import atomic_write

FORMS = (".svg", ".png")
WIDTH = 420


def write_picture(explanation: Explanation, path: Path) -> None:
    """Draw into a new file. Raises RunError for another kind of file, or one that exists."""
    if path.suffix not in FORMS:
        raise RunError(f"--picture {path}: give a file that ends in {' or '.join(FORMS)}")
    if path.exists():
        raise RunError(f"--picture {path} exists already; give another name")
    panels = {"vconcat": [_spec(panel) for panel in explanation.panels], "resolve": {"scale": {"color": "independent"}}}
    svg = alone(drawn(panels), LIGHT)
    content = svg.encode() if path.suffix == ".svg" else vl_convert.svg_to_png(svg, scale=2)
    try:
        atomic_write(path, content)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error


def _spec(panel: Panel) -> Spec:
    rows = [point._asdict() for point in panel.points]
    if panel.bars:
        place = {"y": named("x"), "x": quantity("y", panel.y)}
        return chart(rows, mark("bar", place, color=ACCENT), width=WIDTH, height=22 * len(rows), title=panel.title)
    series = list(dict.fromkeys(point.series for point in panel.points))
    place = {"x": quantity("x", panel.x, scale={"zero": False}), "y": quantity("y", panel.y)}
    colour = {"color": coloured("series", series)} if any(series) else {"color": {"value": ACCENT}}
    curve = "step-after" if panel.stepped else "linear"
    return chart(rows, mark("line", {**place, **colour}, interpolate=curve), width=WIDTH, height=200, title=panel.title)
