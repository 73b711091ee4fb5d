"""A report on the disk: the page whole or not at all, and its figures one by one."""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ecbench.errors import RunError
from ecbench.pages.report.figure import DrawnFigure, draw, fill_all
from ecbench.pages.report.report_database import report_database
from ecbench.pages.report.run_data import PlayedRun, PlayedYear, beside_models, read_run, unique_labels
from ecbench.pages.report.run_page import LARGEST, TooLarge, render_report
from ecbench.pages.report.year_section import Chapter, ChapterPlan
from ecbench.redaction import redacted
from ecbench.runs.folder import Run
from ecbench.runs.record.atomic_write import atomic_write, make_folder
from ecbench.runs.workers.pool import Inline, map_pool
from ecbench.runs.workers.processes import Processes

ACROSS = "across"
PAGE = "report.html"  # of a run, in its folder
EVERY_YEAR = "all"
MOST_YEARS = 10  # of a single run that are shown by default
MOST_WORKERS = 2  # each may hold a long year: more would take more memory than a report may
WORTHWHILE = 50_000_000  # bytes to read, below which a process would take longer to start than to work

Episode = int | str | None


def mapped(function: Callable[[Any], Any], items: Sequence[Any], size: int) -> list[Any]:
    """What the function, which must be picklable, makes of each item; `size` is how many bytes it reads for all."""
    workers = min(MOST_WORKERS, len(items), os.cpu_count() or 1)
    executor = Processes() if workers > 1 and size >= WORTHWHILE else Inline()
    return map_pool(function, items, executor=executor, jobs=workers)


def write_report(
    runs: Sequence[Run],
    page: Path,
    figures: Path | None = None,
    episode: Episode = None,
) -> int:
    """The bytes of the page. `figures` is a folder for a CSV and an SVG of each figure.

    `episode` is the year of each run to show, or EVERY_YEAR; by default all years of a single run, and of several runs
    the year in the middle.
    """
    for run in runs:
        if isinstance(episode, int):
            run.require(episode)
    labelled = list(zip(unique_labels(runs), runs, strict=True))
    size = sum(_year_bytes(run, episode) for run in runs for episode in range(run.episodes))
    played: list[PlayedRun] = mapped(_read, labelled, size)
    for each in played:
        if each.years and all(year.unreadable for year in each.years):
            raise RunError(each.years[0].problem)
    text, across, chapters = _rendered(played, episode)
    content = redacted(text).encode()
    folders = _folder_names([chapter.name if _several(chapters) else played[chapter.run].label for chapter in chapters])
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


def _rendered(played: Sequence[PlayedRun], episode: Episode) -> Rendered:
    years = [_chosen(run, episode, alone=len(played) == 1) for run in played]
    try:
        return _with_years(played, years)
    except TooLarge:
        middle = [[year] if (year := run.shown) else [] for run in played]
        if episode is not None or sum(map(len, middle)) == sum(map(len, years)):
            raise
        return _with_years(played, middle)


def _chosen(run: PlayedRun, episode: Episode, *, alone: bool) -> list[PlayedYear]:
    """The years to show; none of a run without a day played."""
    middle = [run.shown] if run.shown else []
    if isinstance(episode, int):
        return [year for year in run.years if year.episode == episode and len(year.money) > 1]
    if episode == EVERY_YEAR:
        return run.distinct
    return run.distinct if alone and len(run.distinct) <= MOST_YEARS else middle


def _with_years(played: Sequence[PlayedRun], years: Sequence[Sequence[PlayedYear]]) -> Rendered:
    shown = [(number, year) for number, own in enumerate(years) for year in own]
    # A long year may take more than its share of the room, where others leave some.
    room = min(LARGEST, 2 * LARGEST // max(len(shown), 1))
    alone = len(shown) == 1
    plans = [
        ChapterPlan(index, number, played[number], year, room, alone) for index, (number, year) in enumerate(shown)
    ]
    size = sum(_year_bytes(plan.played.run, plan.year.episode) for plan in plans)
    across, chapters = draw_across(played), mapped(ChapterPlan.make, plans, size)
    return render_report(played, across, chapters), across, chapters


def draw_across(runs: Sequence[PlayedRun]) -> list[DrawnFigure]:
    """The figures of all runs; models' years never stand beside shorter episodes."""
    database = report_database(runs)
    return [draw(each, "all") for each in fill_all("runs", database, papers=beside_models(runs))]


def _read(labelled: tuple[str, Run]) -> PlayedRun:
    return read_run(*labelled)


def _year_bytes(run: Run, episode: int) -> int:
    try:
        return run.events_path(episode).stat().st_size
    except OSError:
        return 0


def _several(chapters: Sequence[Chapter]) -> bool:
    """Whether a run has more than one."""
    return len({chapter.run for chapter in chapters}) < len(chapters)


def _write_figures(folder: Path, parts: Mapping[str, Sequence[DrawnFigure]]) -> None:
    for name, figures in parts.items():
        make_folder(folder / name)
        for figure in figures:
            atomic_write(folder / name / f"{figure.key}.csv", figure.table.encode())
            atomic_write(folder / name / f"{figure.key}.svg", figure.file.encode())


def _folder_names(labels: Sequence[str]) -> list[str]:
    """An agent may be called anything; a folder may not, and two must not be called alike."""
    plain = [re.sub(r"[^\w.-]+", "-", label).strip("-.") or "run" for label in labels]
    often = Counter([*plain, ACROSS])
    return [name if often[name] == 1 else f"{name}-{number}" for number, name in enumerate(plain)]
