"""The leaderboard of a report, and what a reader has to know before comparing its lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ecbench.compare.fairness import warnings as unfairness
from ecbench.metrics.axes import AXES
from ecbench.metrics.places import by_assets, paper_entrants
from ecbench.metrics.published import PublishedModel, published_models
from ecbench.number_words import MISSING, yuan
from ecbench.report.run_data import PlayedRun, interval_of
from ecbench.runs.results.summary import is_insider

FEW = 4  # names in a list that goes on with a number


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    name: str
    published: bool
    years: int
    assets: float | None
    interval: str  # of the mean, 95%
    cells: Sequence[str]  # the axes but for assets
    bankrupt: int
    number: int | None = None  # of the run in the report


def standings(runs: Sequence[PlayedRun]) -> list[LeaderboardLine]:
    """Most assets first, but no run that went bankrupt in a year; a run without a finished year last."""
    lines = {run.entrant: _own(number, run) for number, run in enumerate(runs)}
    lines |= {who: _published(model) for who, model in zip(paper_entrants(), published_models(), strict=True)}
    return [lines[who] for who in by_assets(list(lines))]


def _own(number: int, run: PlayedRun) -> LeaderboardLine:
    found = interval_of(run, "final_assets")
    interval = f"{yuan(found[0])} to {yuan(found[1])}" if found else MISSING
    cells = [axis.text(run.value(axis.name)) for axis in AXES[1:]]
    bankrupt = sum(year.bankrupt for year in run.over)
    return LeaderboardLine(
        run.label, False, len(run.over), run.value("final_assets"), interval, cells, bankrupt, number
    )


def _published(model: PublishedModel) -> LeaderboardLine:
    spread = model.figures["final_assets"].spread
    shown = MISSING if spread is None else f"± {yuan(spread)} (std)"
    cells = [axis.text(model[axis.name]) for axis in AXES[1:]]
    return LeaderboardLine(
        model.name, True, model.episodes, model["final_assets"], shown, cells, int(model["bankrupt_runs"])
    )


def warnings(runs: Sequence[PlayedRun]) -> list[str]:
    """A line each: other games and terms, other worlds, years that are missing, and why a run has no place."""
    lines = unfairness([run.compared() for run in runs])
    played = _shared({run.label: f"played {_worlds(run)}" for run in runs})
    if len({frozenset(site.id for site in run.run.sites) for run in runs}) > 1:
        lines.append(f"Not the same worlds: {'; '.join(played)}. One may be worth more than another.")
    lines += [f"{run.label}: no year is over, so it has no figures yet." for run in runs if not run.over]
    no_place = {run.label: run.summary.no_place for run in runs if run.over and not is_insider(run.run)}
    lines += _shared({who: f"beside the paper's models: {why}" for who, why in no_place.items() if why})
    alike = {run.label: _alike(run) for run in runs if 0 < run.summary.distinct_years < len(run.over)}
    return lines + _shared(alike)


def _shared(statements: Mapping[str, str]) -> list[str]:
    """A line for each statement, with the names of all runs that it holds for."""
    names: dict[str, list[str]] = {}
    for name, what in statements.items():
        names.setdefault(what, []).append(name)
    return [f"{_listed(who)} {what}" for what, who in names.items()]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= FEW else f"{', '.join(names[:FEW])} and {len(names) - FEW} more"


def _alike(run: PlayedRun) -> str:
    years, differ = len(run.over), run.summary.distinct_years
    if differ == 1:
        return f"played {years} years that are identical, call by call, and count as one."
    return f"played {years} years of which {differ} differ, and count as that many."


def _worlds(run: PlayedRun) -> str:
    return _listed([site.name for site in run.run.sites])
