"""Runs as a report reads them: the tables of every year that its seal vouches for, and what there is of the others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean, stdev
from typing import NamedTuple

from ecbench.compare.entries import ComparedRun, labels
from ecbench.compare.power import critical_value
from ecbench.metrics.measures import MEASURES
from ecbench.runs.disk import read_file
from ecbench.runs.events import End
from ecbench.runs.folder import Run
from ecbench.runs.problems import Divergence, RunError
from ecbench.runs.reader import Recording, read_end
from ecbench.runs.seal import Report, sealed_report
from ecbench.runs.seat import replay_year
from ecbench.runs.session import Result, read_episode
from ecbench.runs.summary import Summary, summarize
from ecbench.runs.tables import DayRow, YearTables, file_of, parse_sheets, read_sheets
from ecbench.runs.tables.sheets import read_sheet
from ecbench.world.model import World
from ecbench.world.problems import WorldError
from ecbench.worlds import load_world

LEVEL = 0.05


class Funds(NamedTuple):
    """Where the money was on a day: at the opening, in the morning, or when the year was over."""

    day: int
    bank: float
    wallet: float
    escrow: float

    @property
    def total(self) -> float:
        return self.bank + self.wallet + self.escrow


@dataclass(frozen=True, slots=True)
class PlayedYear:
    """One episode. Without a report it is not over, or nothing vouches for what lies in its folder."""

    run: Run
    episode: int
    end: End | None
    report: Report | None
    money: Sequence[Funds]
    tables: YearTables | None = None  # None: not read yet, or the money, which the turns tell, is all that is known
    problem: str = ""  # why there is less of it than of others

    @property
    def over(self) -> bool:
        return self.report is not None and self.end is not None and not self.end.resumable

    @property
    def bankrupt(self) -> bool:
        return self.end is not None and self.end.ending == "bankruptcy"


@dataclass(frozen=True, slots=True)
class PlayedRun:
    label: str
    run: Run
    years: Sequence[PlayedYear]
    summary: Summary

    @property
    def over(self) -> list[PlayedYear]:
        return [year for year in self.years if year.over]

    @property
    def shown(self) -> PlayedYear | None:
        """The year whose details stand for the run: of those that are over the one in the middle, else the longest."""
        if self.over:
            ranked = sorted(self.over, key=lambda year: (year.end.final_assets if year.end else 0.0, year.episode))
            return ranked[(len(ranked) - 1) // 2]
        begun = [year for year in self.years if len(year.money) > 1]
        return max(begun, key=lambda year: year.money[-1].day) if begun else None

    def value(self, measure: str) -> float | None:
        figure = self.summary.measures.get(measure)
        return None if figure is None else figure.value

    def compared(self) -> ComparedRun:
        """The run as `ecbench compare` would take it, whose warnings hold here too."""
        years: dict[str, list[Report]] = {}
        for year in self.over:
            if year.report is not None:
                years.setdefault(self.run.site(year.episode).id, []).append(year.report)
        left_out = [f"{self.run.called(year.episode)}: {year.problem}" for year in self.years if year.problem]
        return ComparedRun(self.label, self.run, years, left_out)


def read_runs(runs: Sequence[Run]) -> list[PlayedRun]:
    names = labels(runs)
    # Folders of one name may lie in different places.
    told = [
        name if names.count(name) == 1 else f"{name} {names[: place + 1].count(name)}"
        for place, name in enumerate(names)
    ]
    return [_read_run(label, run) for label, run in zip(told, runs, strict=True)]


def _read_run(label: str, run: Run) -> PlayedRun:
    years = [_read_year(run, episode) for episode in range(run.episodes)]
    results = [Result(year.episode, year.end, report=year.report) for year in years]
    return PlayedRun(label, run, years, summarize(run, results))


def _read_year(run: Run, episode: int) -> PlayedYear:
    try:
        sealed = _sealed(run, episode)
        return sealed or _from_events(run, episode, read_episode(run, episode))
    except RunError as problem:
        return PlayedYear(run, episode, None, None, [], problem=str(problem))


def _sealed(run: Run, episode: int) -> PlayedYear | None:
    """From its files, without a look at its turns: the checksums vouch for every byte."""
    folder = run.episode_folder(episode)
    try:
        found = read_end(read_file(run.events_path(episode)), run.terms_of(episode), episode)
    except OSError:
        return None
    report = sealed_report(folder, found[1]) if found else None
    if found is None or report is None:
        return None
    days = read_sheet(folder / file_of("days"), DayRow)
    return PlayedYear(run, episode, found[0], report, _money(days), problem=_why_short(found[0]))


def _from_events(run: Run, episode: int, recording: Recording) -> PlayedYear:
    """What the files do not say follows from the events: all of a year that is over, the money of any other."""
    if recording.damage or recording.end is None:
        day = recording.states[-1].day if recording.states else 0
        unfinished = f"not over, day {day}" if recording.turns else "not begun"
        return _begun(run, episode, recording, recording.damage or unfinished)
    try:
        played = replay_year(run.terms_of(episode), episode, run.load_world(episode), recording)
    except (Divergence, RunError) as problem:
        return _begun(run, episode, recording, str(problem))
    return _whole(run, episode, played.end, played.report, parse_sheets(played.files))


def _whole(run: Run, episode: int, end: End, report: Report, tables: YearTables) -> PlayedYear:
    return PlayedYear(run, episode, end, report, _money(tables.days), tables, _why_short(end))


def with_tables(year: PlayedYear) -> PlayedYear:
    """The same with all its tables, which are large: whoever looks at many years reads those of few."""
    if year.report is None or year.tables is not None:
        return year
    return replace(year, tables=read_sheets(year.run.episode_folder(year.episode)))


def _money(days: Sequence[DayRow]) -> list[Funds]:
    return [Funds(row.day, row.bank, row.wallet, row.escrow) for row in days]


def _why_short(end: End) -> str:
    return f"{end.ending.replace('_', ' ')} on day {end.day}; go on with ecbench resume" if end.resumable else ""


def _begun(run: Run, episode: int, recording: Recording, problem: str) -> PlayedYear:
    """The last turn of each day tells of its money."""
    money = {0: Funds(0, run.terms.stake, 0.0, 0.0)}
    for state in recording.states:
        money[state.day] = Funds(state.day, state.bank, state.wallet, state.escrow)
    return PlayedYear(run, episode, None, None, [money[day] for day in sorted(money)], problem=problem)


def interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Student's 95% interval of a mean; None where there are not two values that differ."""
    if len(values) < 2 or not stdev(values):
        return None
    half = critical_value(len(values) - 1, LEVEL) * stdev(values) / len(values) ** 0.5
    return fmean(values) - half, fmean(values) + half


def interval_of(run: PlayedRun, measure: str) -> tuple[float, float] | None:
    """Over worlds where the run has several: years on one world are alike. Copies of a year count once."""
    compared = run.compared()
    read = MEASURES[measure].of_year
    by_world = {
        world: [value for value in map(read, compared.distinct(world)) if value is not None] for world in compared.years
    }
    means = [fmean(values) for values in by_world.values() if values]
    return interval(means if len(means) > 1 else [value for values in by_world.values() for value in values])


@cache
def _loaded(source: str, world_id: str) -> World | None:
    try:
        world = load_world(source)
    except WorldError:
        return None
    return world if world.id == world_id else None


def world_of(year: PlayedYear) -> World | None:
    """None where it lies elsewhere now, or is another one: the report then goes without its names and its calendar."""
    site = year.run.site(year.episode)
    return _loaded(site.source, site.id)
