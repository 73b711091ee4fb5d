"""A report on the disk: the page whole or not at all, and its figures one by one."""

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from ecbench.report.across import figures_across
from ecbench.report.colours import LIGHT
from ecbench.report.figure import ReportFigure
from ecbench.report.pictures import alone, drawn
from ecbench.report.played import read_runs
from ecbench.report.run_page import detail_of, render_report
from ecbench.runs.disk import make_folder, write_whole
from ecbench.runs.folder import Run
from ecbench.runs.problems import RunError

ACROSS = "across"
PAGE = "report.html"  # of a run, in its folder


def write_report(runs: Sequence[Run], page: Path, figures: Path | None = None) -> int:
    """The bytes of the page. `figures` is a folder for a CSV and an SVG of each figure."""
    played = read_runs(runs)
    across = figures_across(played)
    details = [detail for number, run in enumerate(played) if (detail := detail_of(number, run)) is not None]
    text = render_report(played, across, details).encode()
    names = _folder_names([detail.run.label for detail in details])
    parts = dict(zip(names, (detail.figures for detail in details), strict=True))
    try:
        if figures is not None:
            _write_figures(figures, {ACROSS: across, **parts})
        make_folder(page.parent)
        write_whole(page, text)
    except OSError as error:
        raise RunError(f"cannot write {error.filename or page}: {error.strerror}") from error
    return len(text)


def _write_figures(folder: Path, parts: Mapping[str, Sequence[ReportFigure]]) -> None:
    for name, figures in parts.items():
        make_folder(folder / name)
        for figure in figures:
            write_whole(folder / name / f"{figure.key}.csv", _csv(figure).encode())
            write_whole(folder / name / f"{figure.key}.svg", alone(drawn(figure.spec), LIGHT).encode())


def _csv(figure: ReportFigure) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(figure.rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(figure.rows)
    return text.getvalue()


def _folder_names(labels: Sequence[str]) -> list[str]:
    """An agent may be called anything; a folder may not, and two must not be called alike."""
    plain = [re.sub(r"[^\w.-]+", "-", label).strip("-.") or "run" for label in labels]
    often = Counter([*plain, ACROSS])
    return [name if often[name] == 1 else f"{name}-{number}" for number, name in enumerate(plain)]
