"""The episodes of a run put together: its axes, measures, ladder and usage, or the standings of its seats."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from operator import attrgetter
from typing import Any

from msgspec import structs, to_builtins

from ecbench.metrics.anchors import with_skill
from ecbench.metrics.arena_standings import EntryResult, Standing, head_to_head, standings
from ecbench.metrics.estimators import Figure, distinct
from ecbench.metrics.losses.failure_modes import Incidence, incidence
from ecbench.metrics.measures import ALL_AXES, ASSETS, Axis, axis_values, measured, primary_axis
from ecbench.metrics.negotiation import Dealings, pooled
from ecbench.metrics.ranks import Entrant, Rank, ranks_among_models
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name
from ecbench.runs.play.episodes import Result
from ecbench.runs.play.external_seats import GAVE_UP
from ecbench.runs.record.lines import End, is_result
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.results.derived_files import Report, Retries, add_usage
from ecbench.runs.results.ranking import AnchorLadder, BoundOf, run_ladder, unranked_reason
from ecbench.runs.terms import WorldRef, rules_of


@dataclass(frozen=True, slots=True)
class Spent:
    """What the models of a run took, over all its episodes; `usage` as providers report it, cost in dollars."""

    turns: int = 0
    seconds: float = 0.0  # waiting for the agent's model
    usage: dict[str, float] = field(default_factory=dict)
    supplier_usage: dict[str, float] = field(default_factory=dict)
    retries: Retries = field(default_factory=dict)
    supplier_retries: Retries = field(default_factory=dict)
    supplier_lines: int = 0  # letters and judgements
    supplier_fallbacks: dict[str, int] = field(default_factory=dict)  # written by the template, by reason


by_number = attrgetter("episode")
SPENT = tuple(each.name for each in fields(Spent) if each.name != "seconds")  # as `metrics.json` has them


@dataclass(frozen=True, slots=True)
class Summary:
    """The episodes of a run put together."""

    run: Run
    results: Sequence[Result]
    entrant: Entrant = field(compare=False)  # as it is ranked, which follows from the fields above
    ladder: AnchorLadder | None = None  # None until an episode has ended
    spent: Spent = field(default_factory=Spent)
    measures: Mapping[str, Figure] = field(default_factory=dict)  # empty until an episode has ended
    failure_modes: Mapping[str, Incidence] = field(default_factory=dict)
    # By honesty, then kind of supplier:
    counterparts: Mapping[str, Mapping[str, Dealings]] = field(default_factory=dict)
    distinct_years: int = 0  # of those that ended; those on one world that are equal to the yuan count once

    @property
    def axes(self) -> dict[str, float | None] | None:
        """The value on each axis; None until an episode has ended."""
        return axis_values(self.measures) if self.measures else None

    @property
    def episodes(self) -> int:
        """How many episodes the measures cover."""
        return self.measures[ASSETS.name].episodes if self.measures else 0

    def value(self, measure: str) -> float | None:
        """Of a measure over the episodes; None without a sample."""
        return self.measures[measure].value if measure in self.measures else None

    @property
    def ranks(self) -> dict[str, Rank]:
        """By the name of an axis, among the paper's models."""
        return ranks_among_models(self.entrant)

    @property
    def primary(self) -> Axis:
        """The axis that ranks this run."""
        return primary_axis(rules_of(self.run.terms))

    @property
    def rank(self) -> Rank:
        """By final assets. A run that is not ranked by them is not ranked on any other axis."""
        return self.ranks[ASSETS.name]

    def to_json(self) -> dict[str, Any]:
        return {
            "folder": str(self.run.folder),
            "agent": self.run.player.agent,
            "voice": self.run.terms.voice,
            "transport": self.run.player.transport,
            "world": _world_json(self.run.worlds[0]) if len(self.run.worlds) == 1 else None,
            "worlds": [_world_json(ref) for ref in self.run.worlds],
            "days": self.run.terms.days,
            "stake": self.run.terms.stake,
            "rule_set": self.run.terms.rule_set,
            "rules": dict(self.run.terms.rules),
            "primary_score": self.primary.name,
            "episodes": [_result_json(self.run, result) for result in self.results],
            "axes": self.axes,
            "fork": structs.asdict(self.run.terms.fork) if self.run.terms.fork else None,
            **self.rank._asdict(),
            "ranks": {name: rank._asdict() for name, rank in self.ranks.items()},
            **({"ladder": self.ladder.to_json()} if self.ladder else {}),
            "distinct_years": self.distinct_years,
            "spent": asdict(self.spent),
            "measures": {name: asdict(figure) for name, figure in self.measures.items()},
            "failure_modes": {name: found._asdict() for name, found in self.failure_modes.items()},
            "counterparts": {
                honesty: {name: found._asdict() for name, found in kinds.items()}
                for honesty, kinds in self.counterparts.items()
            },
        }


def summarize(
    run: Run, results: Sequence[Result], bound: BoundOf = bound_of, episodes: Sequence[int] | None = None
) -> Summary:
    """The run, or some of its episodes. The axes cover those that have a result: they are over, and the agent acted."""
    ordered = [_with_bound(run, result, bound) for result in sorted(results, key=by_number)]  # they end in any order
    settled = [result for result in ordered if result.end is not None]
    over = [result.report for result in settled if result.report and is_result(result.end)]
    measures = measured(over) if over else {}
    ended = {result.episode: result.end for result in settled}
    ends = {episode: ended.get(episode) for episode in (range(run.episodes) if episodes is None else episodes)}
    return Summary(
        run=run,
        results=ordered,
        entrant=_entrant(run, list(ends.values()), measures),
        ladder=run_ladder(run, ends, axis_values(measures), bound) if measures else None,
        spent=_spent(result.report for result in settled if result.report is not None),
        measures=measures,
        failure_modes=incidence(over) if over else {},
        counterparts=pooled(over) if over else {},
        distinct_years=_distinct_years(run, settled),
    )


def _with_bound(run: Run, result: Result, bound: BoundOf) -> Result:
    if result.report is None or not is_result(result.end):
        return result
    found = bound(run, result.episode)
    return replace(result, reports=tuple(with_skill(report, found) for report in result.reports))


def _entrant(run: Run, ends: Sequence[End | None], figures: Mapping[str, Figure]) -> Entrant:
    name, why = short_name(run.player.agent), unranked_reason(run, ends)
    if not figures:
        return Entrant(name, dict.fromkeys((axis.name for axis in ALL_AXES), None), barred=why)
    bankrupt = int(figures["bankrupt_runs"].value or 0)
    return Entrant(name, axis_values(figures), figures[ASSETS.name].episodes, bankrupt, why)


def _distinct_years(run: Run, settled: Iterable[Result]) -> int:
    by_world: dict[str, list[Report]] = {}
    for result in settled:
        if result.report and is_result(result.end):
            by_world.setdefault(run.world_of(result.episode).id, []).append(result.report)
    return sum(len(distinct(reports)) for reports in by_world.values())


def _spent(reports: Iterable[Report]) -> Spent:
    totals: dict[str, Any] = {}
    for run in (report["run"] for report in reports):
        add_usage(totals, {"seconds": run["model_seconds"]} | {name: run[name] for name in SPENT})
    return Spent(**totals)


def _world_json(ref: WorldRef) -> dict[str, Any]:
    return {"name": ref.name, "id": ref.id, "seed": ref.seed}


def _result_json(run: Run, result: Result) -> dict[str, Any]:
    fields = {"episode": result.episode, "world": run.world_of(result.episode).name}
    if result.end is None:
        return fields | {"ending": None, "resumable": True, "problem": result.problem}
    fields |= {**structs.asdict(result.end), "final_assets": result.end.assets, "resumable": result.end.resumable}
    if result.report is not None:
        fields["axes"] = axis_values(measured([result.report]))
    return fields | {"problem": result.problem} if result.problem else fields


SharedRound = list[EntryResult]


def finished_rounds(run: Run, results: Sequence[Result]) -> list[SharedRound]:
    """The results of each finished episode, by number, in the order of entries."""
    rounds = []
    for result in sorted(results, key=by_number):
        if result.over:
            ends = [result.ends[own.seat(result.episode)] for own in run.entries()]
            rounds.append([EntryResult(entry, end.assets, end.ending) for entry, end in enumerate(ends)])
    return rounds


def run_standings(run: Run, results: Sequence[Result]) -> list[Standing]:
    agents = [seat.agent for seat in run.terms.seats]
    return standings(run.terms.labels, agents, finished_rounds(run, results))


def shared_json(run: Run, results: Sequence[Result]) -> dict[str, Any]:
    """The result as `--json` has it."""
    rounds = finished_rounds(run, results)
    return {
        "folder": str(run.folder),
        "episodes": run.episodes,
        "worlds": [ref.source for ref in run.worlds],
        **{name: value for name, value in to_builtins(run.terms).items() if name != "world"},
        "results": [_episode_json(run, result) for result in sorted(results, key=by_number)],
        "standings": [asdict(standing) for standing in run_standings(run, results)],
        "head_to_head": {"entries": run.terms.labels, "share_richer": head_to_head(rounds)},
    }


def _episode_json(run: Run, result: Result) -> dict[str, Any]:
    labels = run.seat_labels(result.episode)
    seats = [
        {"seat": seat, "entry": labels[seat], **structs.asdict(end), "final_assets": end.assets}
        for seat, end in enumerate(result.ends)
    ]
    world = run.world_of(result.episode).source
    found = {"episode": result.episode, "world": world, "over": result.over, "problem": result.problem}
    return {**found, "seats": seats}


def seat_failures(run: Run, result: Result) -> list[str]:
    """Why seats of an episode did not reach the end of their year, a line each."""
    labels = run.seat_labels(result.episode)
    return [
        f"seat {seat} ({labels[seat]}), day {end.day}: {end.reason}"
        for seat, end in enumerate(result.ends)
        if end.reason and end.ending != GAVE_UP
    ]
