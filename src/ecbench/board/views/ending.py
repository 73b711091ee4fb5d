"""The end of a year: how it ended, and which place it takes among merchants and models, or why none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ecbench.errors import RunError
from ecbench.market.finalize import ENDED_BY_MARKET
from ecbench.metrics.axes import ASSETS, AXES, SKILL
from ecbench.metrics.places import Entrant, paper_entrants, ranked_by
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name
from ecbench.runs.record.events import End, is_over
from ecbench.runs.record.indexed_record import recorded_end
from ecbench.runs.results.place_rule import why_disqualified
from ecbench.runs.results.summary import Summary, place_remarks, summarize_year
from ecbench.runs.results.year_view import view_year
from ecbench.runs.terms import SeatTerms, Terms

PERSON = "person"


@dataclass(frozen=True, slots=True)
class YearStanding:
    """A line of the table: a model of the paper, a year of this folder under the same terms, or the year itself.

    Beside a fork stands the year that it was taken from, without a number: their terms differ. Years that were left
    early or cannot be compared have no number either.
    """

    name: str
    kind: str  # paper, folder, own, parent
    final_assets: float
    bankrupt: bool = False
    counts: bool = True  # whether it has a number in the table


@dataclass(frozen=True, slots=True)
class AxisPlace:
    """A year's value on an axis, and its place there."""

    axis: str
    place: int | None
    no_place: str  # why there is none; empty where there is one
    value: float | None


@dataclass(frozen=True, slots=True)
class EndView:
    """What the board shows of a year that is over."""

    ending: str
    reason: str
    day: int
    final_assets: float
    stake: float
    skill: float | None  # None without a bound
    bound: float | None  # on average
    ranked_by_skill: bool
    calls: int
    fork: str  # of which run and day; empty where it is none
    place: int | None  # for final assets, among the paper's models
    no_place: str  # why it has none; empty where it has one
    among: int  # how many there are, itself included
    places: list[AxisPlace]
    remarks: list[str]  # what the places do not say
    standings: list[YearStanding]  # richest first


def year_end(run: Run, episode: int, others: Sequence[tuple[Run, int]], bound: float | None = None) -> EndView:
    """Of a year that is over. `others` are years of the same folder, of whatever terms. No skill without a bound."""
    view = view_year(run, episode)
    if view.end.resumable:
        raise RunError("the year is not over")
    summary = summarize_year(run, episode, view.end, view.report, lambda *_: bound)
    place, no_place = summary.place
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
        place=place,
        no_place=no_place,
        among=len(paper_entrants()) + 1,
        places=_places(summary),
        remarks=[] if no_place else list(place_remarks(summary)),
        standings=_standings(run, episode, view.end, others, ranked=not no_place),
    )


def _places(summary: Summary) -> list[AxisPlace]:
    found, values = summary.places, summary.entrant.values
    return [AxisPlace(axis.title, *found[axis.name], values[axis.name]) for axis in AXES]


def _standings(
    run: Run, episode: int, end: End, others: Sequence[tuple[Run, int]], *, ranked: bool
) -> list[YearStanding]:
    """Beside the paper's models if `ranked`; there only years that have a place too are numbered."""
    rows = [_standing(run, "own", end, ranked=ranked), *_of_folder(run, episode, others, ranked=ranked)]
    if ranked:
        rows += [YearStanding(model.name, "paper", model.assets or 0.0) for model in paper_entrants()]
    entrants = {Entrant(row.name, {ASSETS.name: row.final_assets}, bankrupt=row.bankrupt): row for row in rows}
    return [entrants[each] for each in ranked_by(ASSETS, list(entrants))]


def _of_folder(run: Run, episode: int, others: Sequence[tuple[Run, int]], *, ranked: bool) -> Iterator[YearStanding]:
    """The year that a fork was taken from, and of each agent its best finished year.

    The latter under the same terms, but for the agents and the suppliers' voice.
    """
    best: dict[str, YearStanding] = {}
    fork, own_terms = run.terms.fork, _without_agents(run.terms_of(episode))
    for other, number in others:
        same_terms = _without_agents(other.terms_of(number)) == own_terms
        parent = fork and (other.folder.name, number, other.seat(number)) == (fork.run, fork.episode, fork.seat)
        itself = (other.folder, other.entry, number) == (run.folder, run.entry, episode)
        end = recorded_end(other, number) if (parent or same_terms) and not itself else None
        if not is_over(end):
            continue
        found = _standing(other, "parent" if parent else "folder", end, ranked=ranked)
        if parent:
            yield replace(found, counts=False)
        elif found.name not in best or _merit(best[found.name]) < _merit(found):
            best[found.name] = found
    yield from best.values()


def _standing(run: Run, kind: str, end: End, *, ranked: bool) -> YearStanding:
    counts = not why_disqualified(run, [end]) if ranked else end.ending in ENDED_BY_MARKET
    return YearStanding(short_name(run.terms.agent), kind, end.assets, end.ending == "bankruptcy", counts)


def _merit(standing: YearStanding) -> tuple[bool, float]:
    return standing.counts, standing.final_assets


def _without_agents(terms: Terms) -> Terms:
    return replace(terms, seats=(SeatTerms(""),) * len(terms.seats), seat=0, voice="")
