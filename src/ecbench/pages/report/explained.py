"""The picture of an explanation as a file: `explained.toml` states how its rows are drawn."""

import tomllib
from importlib.resources import files
from pathlib import Path

import vl_convert

from ecbench.analysis.explain.explanation import Explanation
from ecbench.errors import RunError
from ecbench.pages.report.colours import LIGHT
from ecbench.pages.report.vega import alone, drawn, spec_of
from ecbench.runs.record.atomic_write import atomic_write

FORMS = (".svg", ".png")


def write_picture(explanation: Explanation, path: Path) -> None:
    """Draw into a new file. Raises RunError for another kind of file, or one that exists."""
    if path.suffix not in FORMS:
        raise RunError(f"--picture {path}: give a file that ends in {' or '.join(FORMS)}")
    if path.exists():
        raise RunError(f"--picture {path} exists already; give another name")
    charts = tomllib.loads((files("ecbench.pages.report") / "explained.toml").read_text(encoding="utf-8"))
    rows = [{"panel": name, **row} for name, shown in explanation.panels.items() for row in shown]
    svg = alone(drawn(spec_of(charts[explanation.key], rows)), LIGHT)
    content = svg.encode() if path.suffix == ".svg" else vl_convert.svg_to_png(svg, scale=2)
    try:
        atomic_write(path, content)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error
