"""The leaderboard of a report, and what a reader has to know before comparing its lines."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ecbench.analysis.compare.comparison import compare
from ecbench.analysis.compare.entries import warnings as unfairness
from ecbench.analysis.compare.tables import verdict_line
from ecbench.formatting import MISSING, yuan
from ecbench.metrics.anchors import Rung
from ecbench.metrics.measures import ASSETS, AXES, SKILL, Axis, axes_beside
from ecbench.metrics.published import PublishedModel, published_models
from ecbench.metrics.ranks import Entrant, paper_entrants, ranked_by, ranks
from ecbench.pages.forks import forks_below
from ecbench.pages.report.run_data import PlayedRun, beside_models, interval_of
from ecbench.runs.folder import Run

MOST_PAIRED = 6  # runs whose pairs are all told
FEW = 4  # names in a list that goes on with a number


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    name: str
    kind: Literal["own", "anchor", "published"]
    years: int | None  # None for an anchor
    assets: str
    cells: Sequence[str]  # skill, the axes but for assets, then calls and turns
    deviation: str = MISSING  # of the years' assets
    interval: str = MISSING  # of the mean, 95%
    bankrupt: int = 0
    rank: int | None = None  # among the paper's models, by final assets
    number: int | None = None  # of the run in the report
    skill_interval: str = ""  # 95%
    fork: str = ""  # of which run and day; empty where it is none


def axes_of_runs(runs: Sequence[PlayedRun]) -> tuple[Axis, ...]:
    """Behind final assets: abilities if every run is ranked by skill, else the paper's six."""
    skilled = bool(runs) and all(run.summary.primary is SKILL for run in runs)
    return axes_beside(SKILL if skilled else ASSETS)


def standings(runs: Sequence[PlayedRun]) -> list[LeaderboardLine]:
    """Runs and their anchors, the best first; runs that are shown alone; then the paper's models, beside whole years.

    The best has the highest skill where all runs are ranked by it, and the most assets elsewhere; a run that went
    bankrupt in a year is not first. A fork stands below the run that it was taken from, if the report has it.
    """
    axes = axes_of_runs(runs)
    primary = ASSETS if axes == axes_beside(ASSETS) else SKILL
    own = {run.entrant: (number, run) for number, run in enumerate(runs)}
    anchors = {
        Entrant(rung.name, {ASSETS.name: rung.final_assets, SKILL.name: rung.skill}): rung
        for rung in _shared_anchors(runs)
    }
    among = [*(who for who, (_, run) in own.items() if run.comparable), *anchors]
    alone = [who for who, (_, run) in own.items() if not run.comparable]
    ordered = [*ranked_by(primary, among), *ranked_by(ASSETS, alone)]
    ranked = [*(who for who, (_, run) in own.items() if run.ranked), *paper_entrants()]
    found = dict(zip(ranked, ranks(ranked, ASSETS), strict=True)) if len(ranked) > len(paper_entrants()) else {}
    lines = [
        _anchor(anchors[who], axes) if who in anchors else _own(*own[who], found.get(who), axes)
        for who in forks_below(ordered, _parents({who: run.run for who, (_, run) in own.items()}))
    ]
    if not beside_models(runs):
        return lines
    models = zip(paper_entrants(), published_models(), strict=True)
    return lines + [_published(model, found.get(who)) for who, model in models if primary is ASSETS]


def _shared_anchors(runs: Sequence[PlayedRun]) -> list[Rung]:
    """The anchors of all runs, but for those that are runs here; none if the runs have different ones."""
    rungs = [rung for run in runs if run.summary.ladder and run.comparable for rung in run.summary.ladder.rungs]
    anchors = {rung.name: rung for rung in rungs if rung.kind != "run"}
    if any(rung != anchors[rung.name] for rung in rungs if rung.kind != "run"):
        return []  # of other worlds or terms
    own = {(rung.name, rung.final_assets) for rung in rungs if rung.kind == "run"}
    return [rung for rung in anchors.values() if (rung.name, rung.final_assets) not in own]


def _parents(runs: Mapping[Entrant, Run]) -> dict[Entrant, Entrant]:
    """By fork the run whose folder it names."""
    folders = {run.folder.absolute().name: who for who, run in runs.items()}
    named = {who: folders.get(run.terms.fork.run, who) for who, run in runs.items() if run.terms.fork}
    return {who: parent for who, parent in named.items() if parent is not who}


def _anchor(rung: Rung, axes: Sequence[Axis]) -> LeaderboardLine:
    cells = _cells({SKILL.name: rung.skill}.get, axes)
    return LeaderboardLine(rung.name, "anchor", None, yuan(rung.final_assets), cells)


def _own(number: int, run: PlayedRun, rank: int | None, axes: Sequence[Axis]) -> LeaderboardLine:
    fork, figures = run.run.terms.fork, run.summary.measures
    return LeaderboardLine(
        name=run.label,
        kind="own",
        rank=rank,
        years=len(run.over),
        assets=_yuan(run.summary.value("final_assets")),
        deviation=_yuan(figures["final_assets"].spread if figures else None),
        interval=MISSING if (ends := interval_of(run, ASSETS.name)) is None else f"{yuan(ends[0])} to {yuan(ends[1])}",
        skill_interval="" if (ends := interval_of(run, SKILL.name)) is None else f"{ends[0]:.3f} to {ends[1]:.3f}",
        cells=_cells(run.summary.value, axes),
        bankrupt=sum(year.bankrupt for year in run.over),
        number=number,
        fork=fork.label if fork else "",
    )


def _published(model: PublishedModel, rank: int | None) -> LeaderboardLine:
    assets, years = model.figures["final_assets"], model.episodes
    return LeaderboardLine(
        name=model.name,
        kind="published",
        rank=rank,
        years=years,
        assets=assets.value_text,
        deviation=assets.spread_text,
        cells=[MISSING, *(model.text(name) for name in (*(axis.name for axis in AXES[1:]), "tool_calls", "turns"))],
        bankrupt=int(model["bankrupt_runs"]),
    )


def _cells(value: Callable[[str], float | None], axes: Sequence[Axis]) -> list[str]:
    counts = [value(name) for name in ("tool_calls", "turns")]
    texts = [axis.text(value(axis.name)) for axis in axes]
    return [SKILL.text(value(SKILL.name)), *texts, *(MISSING if count is None else f"{count:,.0f}" for count in counts)]


def _yuan(amount: float | None) -> str:
    return MISSING if amount is None else yuan(amount)


def warnings(runs: Sequence[PlayedRun]) -> list[str]:
    """A line each: other games and terms, other worlds, years that are missing, and why a run is shown alone."""
    lines = unfairness([run.compared() for run in runs])
    played = _shared({run.label: f"played {_worlds(run)}" for run in runs})
    if len({frozenset(site.id for site in run.run.worlds) for run in runs}) > 1:
        lines.append(f"Not the same worlds: {'; '.join(played)}. One may be worth more than another.")
    lines += [f"{run.label}: no episode is over, so it has no figures yet." for run in runs if not run.over]
    alone = {run.label: ladder.alone for run in runs if (ladder := run.summary.ladder) and ladder.alone}
    lines += _shared({label: f"shown alone: {why}." for label, why in alone.items()}, ": ")
    unmeasured = [run.label for run in runs if run.summary.ladder and not run.summary.ladder.measured]
    if unmeasured:
        lines.append(f"Without anchors yet: {_listed(unmeasured)}; ecbench show RUN --ladder plays them.")
    alike = {run.label: _alike(run) for run in runs if 0 < run.summary.distinct_years < len(run.over)}
    return lines + _shared(alike)


def pair_sentences(runs: Sequence[PlayedRun]) -> list[str]:
    """What the runs' paired episodes show, a sentence for each pair; none for a single run, or very many."""
    compared = [run.compared() for run in runs if run.over and run.comparable]
    if not 2 <= len(compared) <= MOST_PAIRED:
        return []
    pairs = compare(compared).pairs
    return [verdict_line(pair, len(pairs)) for pair in pairs]


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
        return f"played {years} episodes that are equal to the yuan: they are one observation."
    return f"played {years} episodes of which {differ} differ: equal episodes are one observation."


def _worlds(run: PlayedRun) -> str:
    return _listed([site.name for site in run.run.worlds])
