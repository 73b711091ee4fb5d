"""The summary of a run: every episode's end, the seven axes over them, and the places they reach."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from msgspec import structs

from ecbench.harness.context import ContextPolicy
from ecbench.metrics.axes import AXES, AxisFigures, axes_of
from ecbench.metrics.counterparts import Dealings, pooled
from ecbench.metrics.estimators import Figure
from ecbench.metrics.failure_modes import Incidence, incidence
from ecbench.metrics.measures import measured
from ecbench.metrics.places import entrant, places_among_models
from ecbench.players.merchants.registry import LISTINGS
from ecbench.rules import DEFAULT_RULES, DEFAULT_SET
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.episodes import Result
from ecbench.runs.record.events import is_over
from ecbench.runs.results.checksum_manifest import Report
from ecbench.runs.results.counters import Retries, add_retries, add_usage
from ecbench.runs.run_worlds import Site

FULL_YEAR = 365
PAPERS_WORLD = "default"  # has the paper's rules, suppliers and figures, with goods of our own
FRAUD_AXIS = "bad_spend_percent"  # a model wrote the paper's letters; templates give cheats away differently
OWN_LOOP_IN_INSPECT = "inspect"  # an adapter, but the turns and the context are ours
PERSONS_BOARD = "board"  # likewise an adapter: a person's clicks, without a loop in between
PAPERS_WINDOW = asdict(ContextPolicy())


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


@dataclass(frozen=True, slots=True)
class Summary:
    """The years of a run put together."""

    run: Run
    results: Sequence[Result]
    axes: AxisFigures | None  # None until an episode has ended
    ranks: dict[str, int | None]  # among the paper's models; empty where they cannot be compared
    spent: Spent = field(default_factory=Spent)
    measures: Mapping[str, Figure] = field(default_factory=dict)  # every measure of the paper; empty without axes
    failure_modes: Mapping[str, Incidence] = field(default_factory=dict)
    counterparts: Mapping[str, Mapping[str, Dealings]] = field(
        default_factory=dict
    )  # by honesty, then kind of supplier
    no_place: str = ""  # why there are no ranks, in a sentence
    distinct_years: int = 0  # of those that ended; identical years count once

    def to_json(self) -> dict[str, Any]:
        return {
            "folder": str(self.run.folder),
            "agent": self.run.terms.agent,
            "voice": self.run.terms.voice,
            "door": self.run.terms.door,
            "world": _world_json(self.run.sites[0]) if len(self.run.sites) == 1 else None,
            "worlds": [_world_json(site) for site in self.run.sites],
            "days": self.run.terms.days,
            "stake": self.run.terms.stake,
            "rule_set": self.run.terms.rule_set,
            "rules": dict(self.run.terms.rules),
            "episodes": [_result_json(self.run, result) for result in self.results],
            "axes": asdict(self.axes) if self.axes else None,
            "ranks": self.ranks,
            "no_place": self.no_place,
            "distinct_years": self.distinct_years,
            "spent": asdict(self.spent),
            "measures": {name: asdict(figure) for name, figure in self.measures.items()},
            "failure_modes": {name: found._asdict() for name, found in self.failure_modes.items()},
            "counterparts": {
                honesty: {name: found._asdict() for name, found in kinds.items()}
                for honesty, kinds in self.counterparts.items()
            },
        }


def summarize(run: Run, results: Sequence[Result]) -> Summary:
    """The axes cover the episodes that are over; one that was stopped has no result yet."""
    settled = sorted((result for result in results if result.end is not None), key=lambda result: result.episode)
    reports = [result.report for result in settled if result.report is not None]
    over = [result.report for result in settled if result.report and is_over(result.end)]
    figures = axes_of(over) if over else None
    no_place = why_no_place(run)
    ranks: dict[str, int | None] = {}
    if figures is not None and not no_place:
        excluded = () if is_model(run.terms.voice) else (FRAUD_AXIS,)
        ranks = places_among_models(entrant(run.terms.agent, figures, excluded))
    return Summary(
        run=run,
        results=sorted(results, key=lambda result: result.episode),
        axes=figures,
        ranks=ranks,
        spent=_spent(reports),
        measures=measured(over) if over else {},
        failure_modes=incidence(over) if over else {},
        counterparts=pooled(over) if over else {},
        no_place=no_place,
        distinct_years=len({result.end for result in settled if is_over(result.end)}),
    )


def comparability(summary: Summary) -> Iterator[str]:
    """What its place does and does not say, a sentence each."""
    if on_papers_world(summary.run):
        yield f"World {PAPERS_WORLD} has the paper's rules, suppliers and figures, but other products."
    if not summary.ranks:
        yield summary.no_place
        return
    if summary.distinct_years == 1:
        yield "Its place compares a single year with means of five."
    if summary.run.terms.door == PERSONS_BOARD:
        yield (
            "A person played. The record proves the calls and the money; it cannot prove who made the calls, nor that "
            "the player had not seen this world's hidden truth in another year."
        )
    elif not is_model(summary.run.terms.agent):
        yield (
            "A script may be written with knowledge that a model has to discover, such as the form of the demand "
            "formula: docs/validity.md explains why a script can beat models."
        )
    if summary.ranks[FRAUD_AXIS] is None:
        yield "Bad spend has no place: a model wrote the paper's letters, which give cheats away differently."
    if summary.axes is not None and summary.axes.bankrupt_runs:
        yield "A bankrupt business never gets first place."


def why_no_place(run: Run) -> str:
    """Why a run takes no place among the paper's models, in a sentence; nothing where it does."""
    if is_insider(run):
        return "It is an insider (it reads hidden state), so it gets no place among them."
    if run.terms.shared:
        return f"It shared its market with others: {run.seats} seats."
    if is_foreign(run):
        return f"It played over {run.terms.door}, driven by another program, and is ranked apart from them."
    if not on_papers_terms(run):
        return "Its terms are not the paper's, so it gets no place among them."
    if not on_papers_world(run):
        return f"Only runs on world {PAPERS_WORLD} get a place: other worlds may be worth more or less."
    return ""


def on_papers_terms(run: Run) -> bool:
    """Whether the terms are those of the paper, the world apart: a full year from the usual stake, rules and window."""
    terms = run.terms
    same_window = terms.model.get("window", PAPERS_WINDOW) == PAPERS_WINDOW
    same_money = terms.stake == DEFAULT_RULES.stake and terms.rule_set == DEFAULT_SET and not terms.rules
    return terms.days == FULL_YEAR and same_money and same_window and not terms.fork


def on_papers_world(run: Run) -> bool:
    return [site.source for site in run.sites] == [PAPERS_WORLD]


def is_foreign(run: Run) -> bool:
    """Whether another program's loop played, with its own cuts and its own memory."""
    return run.terms.door not in ("", OWN_LOOP_IN_INSPECT, PERSONS_BOARD)


def is_insider(run: Run) -> bool:
    """Whether the merchant reads hidden state: a yardstick for others, not a competitor."""
    return any(listing.reads_hidden_state for listing in LISTINGS if listing.name == run.terms.agent)


def _spent(reports: Iterable[Report]) -> Spent:
    runs = [report["run"] for report in reports]
    return Spent(
        turns=sum(run["turns"] for run in runs),
        seconds=sum(run["model_seconds"] for run in runs),
        usage=_added_up(run["usage"] for run in runs),
        supplier_usage=_added_up(run["supplier_usage"] for run in runs),
        retries=_retries(run["retries"] for run in runs),
        supplier_retries=_retries(run["supplier_retries"] for run in runs),
        supplier_lines=sum(run["supplier_lines"] for run in runs),
        supplier_fallbacks=dict(sum((Counter(run["supplier_fallbacks"]) for run in runs), Counter()).most_common()),
    )


def _retries(parts: Iterable[Retries]) -> Retries:
    totals: Retries = {}
    for part in parts:
        add_retries(totals, part)
    return totals


def _added_up(parts: Iterable[dict[str, float]]) -> dict[str, float]:
    totals: dict[str, float] = {}
    for part in parts:
        add_usage(totals, part)
    return totals


def _world_json(site: Site) -> dict[str, Any]:
    return {"name": site.name, "id": site.id, "seed": site.seed}


def _result_json(run: Run, result: Result) -> dict[str, Any]:
    fields = {"episode": result.episode, "world": run.site(result.episode).name}
    if result.end is None:
        return fields | {"ending": None, "resumable": True, "problem": result.problem}
    fields |= {**structs.asdict(result.end), "resumable": result.end.resumable}
    if result.report is not None:
        own = asdict(axes_of([result.report]))
        fields["axes"] = {axis.name: own[axis.name] for axis in AXES}
    return fields | {"problem": result.problem} if result.problem else fields
