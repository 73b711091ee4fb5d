"""The leaderboard of a report, and what a reader has to know before comparing its lines."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from ecbench.compare.fairness import warnings as unfairness
from ecbench.metrics.axes import ASSETS, AXES, BAD_SPEND, SKILL
from ecbench.metrics.places import Entrant, Place, paper_entrants, places, ranked_by, why_no_place
from ecbench.metrics.published import PublishedModel, published_models
from ecbench.number_words import MISSING, yuan
from ecbench.quantiles import mean_error
from ecbench.report.run_data import PlayedRun, interval_of
from ecbench.runs.folder import Run
from ecbench.runs.results.place_rule import TEMPLATES

FEW = 4  # names in a list that goes on with a number


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    name: str
    published: bool
    place: Place  # by the primary score
    years: int
    assets: str
    deviation: str  # of the years' assets
    interval: str  # of the mean, 95%
    cells: Sequence[str]  # skill, the axes but for assets, then calls and turns
    bankrupt: int
    number: int | None = None  # of the run in the report
    fork: str = ""  # of which run and day; empty where it is none


def standings(runs: Sequence[PlayedRun]) -> list[LeaderboardLine]:
    """The best primary score first, but no run that went bankrupt in a year; a run without a finished year last.

    That is skill where all runs are ranked by it, and final assets elsewhere.

    A fork stands below the run that it was taken from, where the report has it.
    """
    skilled = bool(runs) and all(run.summary.primary is SKILL for run in runs)
    axis = SKILL if skilled else ASSETS
    own = {run.entrant: (number, run) for number, run in enumerate(runs)}
    models = dict(zip(paper_entrants(), published_models(), strict=True))
    everyone = [*own, *models]
    found = dict(zip(everyone, places(everyone, axis), strict=True))
    lines: list[LeaderboardLine] = []
    for who in _forks_below(ranked_by(axis, everyone), {who: run.run for who, (_, run) in own.items()}):
        place = Place(found[who], why_no_place(who, axis))
        lines.append(_published(models[who], place) if who in models else _own(*own[who], place))
    return lines


def _forks_below(ranked: Sequence[Entrant], runs: Mapping[Entrant, Run]) -> list[Entrant]:
    """In the same order, but each fork behind the run whose folder it names."""
    folders = {run.folder.absolute().name: who for who, run in runs.items()}
    forks = [(fork, who) for who in ranked if who in runs and (fork := runs[who].terms.fork)]
    parents = {who: folders[fork.run] for fork, who in forks if folders.get(fork.run, who) is not who}
    placed: list[Entrant] = []

    def place(who: Entrant) -> None:
        if who not in placed:
            placed.append(who)
            for each in ranked:
                if parents.get(each) is who:
                    place(each)

    # Folders may have been renamed so that two forks name each other: then both are placed in the end.
    for who in (*(each for each in ranked if each not in parents), *ranked):
        place(who)
    return placed


def _own(number: int, run: PlayedRun, place: Place) -> LeaderboardLine:
    fork, figures = run.run.terms.fork, run.summary.measures
    return LeaderboardLine(
        name=run.label,
        published=False,
        place=place,
        years=len(run.over),
        assets=_yuan(run.value("final_assets")),
        deviation=_yuan(figures["final_assets"].spread if figures else None),
        interval=_interval(interval_of(run, "final_assets")),
        cells=_cells(run.value),
        bankrupt=sum(year.bankrupt for year in run.over),
        number=number,
        fork=fork.label if fork else "",
    )


def _published(model: PublishedModel, place: Place) -> LeaderboardLine:
    assets, years = model.figures["final_assets"], model.episodes
    half = None
    if assets.spread is not None:
        sample = assets.spread * (sqrt(years / (years - 1)) if assets.of_population else 1.0)
        half = mean_error(sample, years)
    return LeaderboardLine(
        name=model.name,
        published=True,
        place=place,
        years=years,
        assets=assets.value_text,
        deviation=assets.spread_text,
        interval=_interval(None if half is None else (assets.value - half, assets.value + half)),
        cells=[MISSING, *(model.text(name) for name in (*(axis.name for axis in AXES[1:]), "tool_calls", "turns"))],
        bankrupt=int(model["bankrupt_runs"]),
    )


def _cells(value: Callable[[str], float | None]) -> list[str]:
    counts = [value(name) for name in ("tool_calls", "turns")]
    axes = [axis.text(value(axis.name)) for axis in AXES[1:]]
    return [SKILL.text(value(SKILL.name)), *axes, *(MISSING if count is None else f"{count:,.0f}" for count in counts)]


def _yuan(amount: float | None) -> str:
    return MISSING if amount is None else yuan(amount)


def _interval(ends: tuple[float, float] | None) -> str:
    return f"{yuan(ends[0])} to {yuan(ends[1])}" if ends else MISSING


def warnings(runs: Sequence[PlayedRun]) -> list[str]:
    """A line each: other games and terms, other worlds, years that are missing, and why a run has no place."""
    lines = unfairness([run.compared() for run in runs])
    played = _shared({run.label: f"played {_worlds(run)}" for run in runs})
    if len({frozenset(site.id for site in run.run.sites) for run in runs}) > 1:
        lines.append(f"Not the same worlds: {'; '.join(played)}. One may be worth more than another.")
    lines += [f"{run.label}: no year is over, so it has no figures yet." for run in runs if not run.over]
    lines += _shared({run.label: f"no place: {why}." for run in runs if (why := run.summary.no_place)}, ": ")
    if any(why_no_place(run.entrant, BAD_SPEND) == TEMPLATES for run in runs):
        lines.append(f"{BAD_SPEND.title} has no place: {TEMPLATES}.")
    alike = {run.label: _alike(run) for run in runs if 0 < run.summary.distinct_years < len(run.over)}
    return lines + _shared(alike)


def _shared(statements: Mapping[str, str], between: str = " ") -> list[str]:
    """A line for each statement, with the names of all runs that it holds for."""
    names: dict[str, list[str]] = {}
    for name, what in statements.items():
        names.setdefault(what, []).append(name)
    return [f"{_listed(who)}{between}{what}" for what, who in names.items()]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= FEW else f"{', '.join(names[:FEW])} and {len(names) - FEW} more"


def _alike(run: PlayedRun) -> str:
    years, differ = len(run.over), run.summary.distinct_years
    if differ == 1:
        return f"played {years} years that are equal to the yuan: they are one observation."
    return f"played {years} years of which {differ} differ: equal years are one observation."


def _worlds(run: PlayedRun) -> str:
    return _listed([site.name for site in run.run.sites])
