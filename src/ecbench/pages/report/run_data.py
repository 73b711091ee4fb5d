"""Runs as a report reads them: from the tables of every year whose checksums match, else from its events."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean
from typing import Any

from ecbench.analysis.compare.entries import ComparedRun, labels
from ecbench.errors import Divergence, RunError
from ecbench.formatting import yuan
from ecbench.metrics.measures import MEASURES
from ecbench.metrics.ranks import Entrant
from ecbench.pages.year_days import Funds
from ecbench.quantiles import mean_interval
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result, read_episode
from ecbench.runs.record.lines import End, is_over
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.results.derived_files import Report
from ecbench.runs.results.ranking import FULL_YEAR
from ecbench.runs.results.summary import Summary, summarize
from ecbench.runs.results.year_view import stored_rows, stored_year, view_record
from ecbench.world.files import WorldError
from ecbench.world.load import load_world
from ecbench.world.model import World


@dataclass(frozen=True, slots=True)
class PlayedYear:
    """One episode. Without a report it is not over, or the checksums do not match what its folder holds."""

    run: Run
    episode: int
    end: End | None
    report: Report | None
    money: Sequence[Funds]
    problem: str = ""  # why there is less of it than of others
    unreadable: bool = False  # not one turn could be read, for the reason that `problem` states

    @property
    def over(self) -> bool:
        return self.report is not None and is_over(self.end)

    @property
    def bankrupt(self) -> bool:
        return self.end is not None and self.end.ending == "bankruptcy"

    @property
    def outcome(self) -> str:
        """How it ended, or how far it has come."""
        ended = self.end.ending.replace("_", " ") if self.end else "not over"
        return f"{ended}, day {self.money[-1].day}, {yuan(self.money[-1].total)}" if self.money else ended


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

    @property
    def distinct(self) -> list[PlayedYear]:
        """The years of which something can be shown, without those that are copies of an earlier one."""
        known: set[tuple[str, End]] = set()
        kept = []
        for year in self.years:
            played = (self.run.world_of(year.episode).year_id, year.end) if year.end else None
            if len(year.money) > 1 and (played is None or played not in known):
                kept.append(year)
            known |= {played} if played else set()
        return kept

    @property
    def entrant(self) -> Entrant:
        """The run as it is ranked among others."""
        return replace(self.summary.entrant, name=self.label)

    @property
    def comparable(self) -> bool:
        """Whether it may be shown among others: all its years ended by the calendar or by bankruptcy."""
        return self.summary.ladder is not None and not self.summary.ladder.alone

    @property
    def ranked(self) -> bool:
        """Whether it is ranked among the paper's models."""
        return self.summary.rank.rank is not None

    def compared(self) -> ComparedRun:
        """The run as `ecbench compare` would take it, whose warnings hold here too."""
        years: dict[str, list[Report]] = {}
        for year in self.over:
            if year.report is not None:
                years.setdefault(self.run.world_of(year.episode).id, []).append(year.report)
        left_out = [f"{self.run.called(year.episode)}: {year.problem}" for year in self.years if year.problem]
        return ComparedRun(self.label, self.run, years, left_out)


def beside_models(runs: Sequence[PlayedRun]) -> bool:
    """Whether the paper's models may stand beside these runs: episodes shorter than a year are not comparable."""
    return all(run.run.terms.days >= FULL_YEAR for run in runs)


def unique_labels(runs: Sequence[Run]) -> list[str]:
    """A different name for each run, also where two folders have the same name."""
    names = labels(runs)
    return [
        name if names.count(name) == 1 else f"{name} {names[: index + 1].count(name)}"
        for index, name in enumerate(names)
    ]


def read_run(label: str, run: Run) -> PlayedRun:
    years = [_read_year(run, episode) for episode in range(run.episodes)]
    results = [
        Result(year.episode, (year.end,) if year.end else (), reports=(year.report,) if year.report else ())
        for year in years
    ]
    summary = summarize(run, results, bound_of)
    reports = {result.episode: result.report for result in summary.results}
    return PlayedRun(label, run, [replace(year, report=reports[year.episode]) for year in years], summary)


def _read_year(run: Run, episode: int) -> PlayedYear:
    try:
        stored = stored_year(run, episode)
        days = stored_rows(run, episode, stored.head, "days") if stored else None
        if stored is None or stored.end is None or days is None:
            return _from_events(run, episode, read_episode(run, episode))
    except RunError as problem:
        return PlayedYear(run, episode, None, None, [], problem=str(problem), unreadable=True)
    return PlayedYear(run, episode, stored.end, stored.report, _money(days), _why_short(stored.end))


def _from_events(run: Run, episode: int, recording: Recording) -> PlayedYear:
    """What the files do not say follows from the events; where they cannot be replayed, the money alone."""
    states, unfinished = recording.states, "not begun"
    if recording.turns:
        unfinished = f"not over, day {states[-1].day if states else 0}"
    problem, view = recording.damage or ("" if recording.year_end else unfinished), None
    try:
        view = view_record(run, episode, recording) if recording.turns else None
    except (Divergence, RunError) as trouble:
        problem = problem or str(trouble)
    if view is None:
        by_day = {0: Funds(0, run.terms.stake, 0.0, 0.0)}
        by_day |= {state.day: Funds(state.day, state.bank, state.wallet, state.escrow) for state in states}
        unreadable = bool(recording.damage) and not recording.turns
        return PlayedYear(run, episode, None, None, [by_day[day] for day in sorted(by_day)], problem, unreadable)
    end = None if view.unfinished or view.damage else view.end
    # What a year that goes on would come to if it stopped now has not happened.
    days = [row for row in view.tables.days if end or row.row != "final"]
    return PlayedYear(run, episode, end, view.report, _money(days), problem or (_why_short(end) if end else ""))


def _money(days: Sequence[Any]) -> list[Funds]:
    return [Funds(row.day, row.bank, row.wallet, row.escrow) for row in days]


def _why_short(end: End) -> str:
    return f"{end.ending.replace('_', ' ')} on day {end.day}; go on with ecbench resume" if end.resumable else ""


def interval_of(run: PlayedRun, measure: str) -> tuple[float, float] | None:
    """Over worlds where the run has several, copies of a year once; None where no two values differ."""
    compared = run.compared()
    read = MEASURES[measure].of_year
    by_world = {
        world: [value for value in map(read, compared.distinct(world)) if value is not None] for world in compared.years
    }
    means = [fmean(values) for values in by_world.values() if values]
    values = means if len(means) > 1 else [value for values in by_world.values() for value in values]
    return mean_interval(values) if len(set(values)) > 1 else None


@cache
def _loaded(source: str, world_id: str) -> World | None:
    try:
        world = load_world(source)
    except WorldError:
        return None
    return world if world.id == world_id else None


def world_of(year: PlayedYear) -> World | None:
    """None where it cannot be found or has changed: the report has no names and no calendar then."""
    site = year.run.world_of(year.episode)
    return _loaded(site.source, site.id)
