"""The end of a year: how it ended, its ladder of anchors, and other years of the folder beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace as restated

from ecbench.errors import RunError
from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.metrics.axes import ASSETS, SKILL, axes_beside
from ecbench.metrics.ranks import paper_entrants
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name
from ecbench.runs.play.episodes import recorded_end
from ecbench.runs.record.lines import is_over
from ecbench.runs.results.ranking import shown_alone_reason
from ecbench.runs.results.summary import summarize_year
from ecbench.runs.results.year_view import view_year
from ecbench.runs.terms import SeatTerms, Terms

PERSON = "person"
YEAR_DAYS = 365  # of the paper's models


@dataclass(frozen=True, slots=True)
class YearStanding:
    """A line of the table: the year itself, an anchor of its ladder, another year of this folder under the same terms,
    the year that a fork was taken from, or, as a scale from another catalog, a model of the paper."""

    name: str
    kind: Literal["run", "anchor", "bound", "folder", "parent", "paper"]
    final_assets: float


@dataclass(frozen=True, slots=True)
class EndView:
    """What the board shows of a year that is over."""

    ending: str
    reason: str
    day: int
    final_assets: float
    stake: float
    skill: float | None  # None without a bound
    bound: float | None
    ranked_by_skill: bool
    calls: int
    fork: str  # of which run and day; empty if it is not a fork
    axes: dict[str, float | None]  # by title
    alone: str  # why the year is shown alone; empty if it is not
    standings: list[YearStanding]  # richest first, then the paper's models


def year_end(run: Run, episode: int, others: Sequence[tuple[Run, int]], bound: float | None = None) -> EndView:
    """The end of a finished year. `others` are years of the same folder, of any terms. No skill without a bound."""
    view = view_year(run, episode)
    if view.end.resumable:
        raise RunError("the year is not over")
    summary = summarize_year(run, episode, view.end, view.report, lambda *_: bound)
    own, alone = YearStanding(short_name(run.player.agent), "run", view.end.assets), shown_alone_reason(run, [view.end])
    rungs = summary.ladder.rungs if summary.ladder else ()
    rows = [YearStanding(rung.name, rung.kind, rung.final_assets) for rung in rungs] or [own]
    if view.end.ending in ENDED_BY_MARKET:
        rows += _of_folder(run, episode, others)
    short = run.terms.days < YEAR_DAYS  # which is never shown beside the years of models
    scale = (
        [] if alone or short else [YearStanding(model.name, "paper", model.assets or 0.0) for model in paper_entrants()]
    )
    return EndView(
        ending=view.end.ending,
        reason=view.end.reason,
        day=view.end.day,
        final_assets=view.end.assets,
        stake=run.terms.stake,
        skill=summary.axes.skill if summary.axes else None,
        bound=bound,
        ranked_by_skill=summary.primary is SKILL,
        calls=view.end.calls,
        fork=run.terms.fork.label if run.terms.fork else "",
        axes={axis.title: summary.entrant.values[axis.name] for axis in (ASSETS, *axes_beside(summary.primary))},
        alone=alone,
        standings=[*sorted(rows, key=lambda row: -row.final_assets), *scale],
    )


def _of_folder(run: Run, episode: int, others: Sequence[tuple[Run, int]]) -> Iterator[YearStanding]:
    """The year that a fork was taken from, and of each agent its best year that ended by the calendar or bankruptcy.

    The latter under the same terms, but for the agents and the suppliers' voice.
    """
    best: dict[str, YearStanding] = {}
    fork, own_terms = run.terms.fork, _without_agents(run.terms_of(episode))
    for other, number in others:
        same_terms = _without_agents(other.terms_of(number)) == own_terms
        parent = fork and (other.folder.name, number, other.seat(number)) == (fork.run, fork.episode, fork.seat)
        itself = (other.folder, other.entry, number) == (run.folder, run.entry, episode)
        end = recorded_end(other, number) if (parent or same_terms) and not itself else None
        if not is_over(end) or (not parent and end.ending not in ENDED_BY_MARKET):
            continue
        found = YearStanding(short_name(other.player.agent), "parent" if parent else "folder", end.assets)
        if parent:
            yield found
        elif found.name not in best or best[found.name].final_assets < found.final_assets:
            best[found.name] = found
    yield from best.values()


def _without_agents(terms: Terms) -> Terms:
    return restated(terms, seats=(SeatTerms(""),) * len(terms.seats), voice="")
