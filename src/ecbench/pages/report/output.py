"""A report on the disk: the page whole or not at all, and its figures one by one."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from ecbench.errors import RunError
from ecbench.pages.report.figure import DrawnFigure, draw, fill_all
from ecbench.pages.report.report_database import report_database
from ecbench.pages.report.run_data import PlayedRun, PlayedYear, beside_models, read_run, unique_labels
from ecbench.pages.report.run_page import LARGEST, TooLarge, render_report
from ecbench.pages.report.year_section import Chapter, ChapterPlan, chapter_of
from ecbench.redaction import redacted
from ecbench.runs.folder import Run
from ecbench.runs.record.atomic_write import atomic_write, make_folder

ACROSS = "across"
PAGE = "report.html"  # of a run, in its folder
MOST_YEARS = 10  # of a single run that are shown
LADDERS_PART = 3  # of the room of a page, for the negotiations of all years


def write_report(
    runs: Sequence[Run],
    page: Path,
    figures: Path | None = None,
    episode: int | None = None,
) -> int:
    """The bytes of the page. `figures` is a folder for a CSV and an SVG of each figure.

    `episode` is the year of each run to show; by default all years of a single run, and of several runs the year in
    the middle.
    """
    for run in runs:
        if episode is not None:
            run.require(episode)
    played = [read_run(label, run) for label, run in zip(unique_labels(runs), runs, strict=True)]
    for each in played:
        if each.years and all(year.unreadable for year in each.years):
            raise RunError(each.years[0].problem)
    text, across, chapters = _rendered(played, episode)
    content = redacted(text).encode()
    plans = [chapter.plan for chapter in chapters]
    several = len({plan.run for plan in plans}) < len(plans)  # years of a run
    folders = _folder_names([plan.name if several else plan.played.label for plan in plans])
    parts = dict(zip(folders, (chapter.figures for chapter in chapters), strict=True))
    try:
        if figures is not None:
            _write_figures(figures, {ACROSS: across, **parts})
        make_folder(page.parent)
        atomic_write(page, content)
    except OSError as error:
        raise RunError(f"cannot write {error.filename or page}: {error.strerror}") from error
    return len(content)


Rendered = tuple[str, list[DrawnFigure], list[Chapter]]


def _rendered(played: Sequence[PlayedRun], episode: int | None) -> Rendered:
    years = [_chosen(run, episode, alone=len(played) == 1) for run in played]
    try:
        return _with_years(played, years)
    except TooLarge:
        middle = [[year] if (year := run.shown) else [] for run in played]
        if episode is not None or sum(map(len, middle)) == sum(map(len, years)):
            raise
        return _with_years(played, middle)


def _chosen(run: PlayedRun, episode: int | None, *, alone: bool) -> list[PlayedYear]:
    """The years to show; none of a run without a day played."""
    middle = [run.shown] if run.shown else []
    if episode is not None:
        return [year for year in run.years if year.episode == episode and len(year.money) > 1]
    return run.distinct if alone and len(run.distinct) <= MOST_YEARS else middle


def _with_years(played: Sequence[PlayedRun], years: Sequence[Sequence[PlayedYear]]) -> Rendered:
    shown = [(number, year) for number, own in enumerate(years) for year in own]
    room, alone = LARGEST // LADDERS_PART // max(len(shown), 1), len(shown) == 1
    chapters = [
        chapter_of(ChapterPlan(index, number, played[number], year, room, alone))
        for index, (number, year) in enumerate(shown)
    ]
    # Models' years never stand beside shorter episodes.
    across = [draw(each, "all") for each in fill_all("runs", report_database(played), papers=beside_models(played))]
    return render_report(played, across, chapters), across, chapters


def _write_figures(folder: Path, parts: Mapping[str, Sequence[DrawnFigure]]) -> None:
    for name, figures in parts.items():
        make_folder(folder / name)
        for each in figures:
            for suffix, content in ((".csv", each.table), (".svg", each.file)):
                atomic_write(folder / name / f"{each.filled.figure.key}{suffix}", content.encode())


def _folder_names(labels: Sequence[str]) -> list[str]:
    """An agent may be called anything; a folder may not, and two must not be called alike."""
    plain = [re.sub(r"[^\w.-]+", "-", label).strip("-.") or "run" for label in labels]
    often = Counter([*plain, ACROSS])
    return [name if often[name] == 1 else f"{name}-{number}" for number, name in enumerate(plain)]
