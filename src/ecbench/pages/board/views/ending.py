"""The end of a year: how it ended, its ladder of anchors, and other years of the folder beside it."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace as restated

from ecbench.errors import RunError
from ecbench.formatting import yuan
from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.metrics.measures import SKILL
from ecbench.metrics.ranks import paper_entrants
from ecbench.pages.board.games import Attempt, code_of
from ecbench.pages.run_verdict import cause_sentence, result_sentence
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name
from ecbench.runs.play.episodes import recorded_end
from ecbench.runs.record.lines import End, is_over
from ecbench.runs.results.ranking import shown_alone_reason
from ecbench.runs.results.summary import Summary, summarize
from ecbench.runs.results.year_view import view_year
from ecbench.runs.terms import SeatTerms, Terms, rules_of

PERSON = "person"
YEAR_DAYS = 365  # of the paper's models


Standing = dict[str, Any]


def _standing(name: str, kind: str, assets: float) -> Standing:
    return {"name": name, "kind": kind, "final_assets": assets}


def year_end(
    run: Run,
    episode: int,
    others: Sequence[tuple[Run, int]],
    bound: float | None = None,
    par: Mapping[str, float] = MappingProxyType({}),
    attempt: Attempt | None = None,
) -> dict[str, Any]:
    """The end of a finished year: its verdict, what it stands beside, and a line to send.

    `others` are years of the same folder, of any terms; `par` has the final assets of merchants on the same terms. No
    skill without a bound.
    """
    view = view_year(run, episode)
    end, terms = view.end, run.terms
    if end.resumable:
        raise RunError("the year is not over")
    summary = summarize(run, [view.result], lambda *_: bound, [episode])
    alone, standings = shown_alone_reason(run, [end]), _standings(run, episode, end, summary, others)
    known = {row["name"] for row in standings}
    standings += [_standing(name, "par", assets) for name, assets in par.items() if name not in known]
    short = terms.days < YEAR_DAYS  # which is never shown beside the years of models
    scale = (
        [] if alone or short else [_standing(model.name, "paper", model.assets or 0.0) for model in paper_entrants()]
    )
    times = f"{end.assets / terms.stake:.{2 if end.assets < 10 * terms.stake else 1}f} times the stake of "
    return {
        "final_assets": end.assets,
        "stake": terms.stake,
        "times": times + yuan(terms.stake),
        "end": end,
        "fork": terms.fork.label if terms.fork else "",
        "verdict": result_sentence(summary, par),
        "cause": cause_sentence(view.database, view.seat, rules_of(terms), run.load_world(episode)),
        "skill": summary.value(SKILL.name),
        "bound": bound,
        "primary": summary.primary is SKILL,
        "attempt": attempt,
        "alone": alone,
        "standings": [*sorted(standings, key=lambda row: -row["final_assets"]), *scale],
        "line": _line(run, episode, end, par, attempt),
    }


def _line(run: Run, episode: int, end: End, par: Mapping[str, float], attempt: Attempt | None) -> str:
    """It names no product, store type or supplier: who plays later must not be told."""
    world, terms = run.world_of(episode).name, run.terms
    title = f"Challenge of {attempt.iso_date}" if attempt else f"{terms.days} days on world {world}"
    ahead = [name for name, assets in par.items() if assets < end.assets]
    behind = [name for name in par if name not in ahead]
    parts = [f"{word} {', '.join(names)}" for word, names in (("ahead of", ahead), ("behind", behind)) if names]
    against = "; ".join(parts)
    ended = f"bankrupt on day {end.day}" if end.ending == "bankruptcy" else f"{end.day} days played"
    sentences = [f"{title}: {yuan(end.assets)}, {ended}."]
    if attempt and attempt.number > 1:
        sentences.append(f"Attempt {attempt.number}; the first one counts.")
    elif terms.fork:
        sentences.append("A branch of another game.")
    if parts:
        sentences.append(f"{against[0].upper()}{against[1:]}.")
    if code := code_of(run, episode):
        sentences.append(f"Play it: {code}")
    return " ".join(sentences)


def _standings(run: Run, episode: int, end: End, summary: Summary, others: Sequence[tuple[Run, int]]) -> list[Standing]:
    """The year itself, the anchors of its ladder, and other years of this folder."""
    rungs = summary.ladder.rungs if summary.ladder else ()
    rows = [_standing(rung.name, rung.kind, rung.final_assets) for rung in rungs]
    rows = rows or [_standing(short_name(run.player.agent), "run", end.assets)]
    return rows + (list(_of_folder(run, episode, others)) if end.ending in ENDED_BY_MARKET else [])


def _of_folder(run: Run, episode: int, others: Sequence[tuple[Run, int]]) -> Iterator[Standing]:
    """The year that a fork was taken from, and of each agent its best year that ended by the calendar or bankruptcy.

    The latter under the same terms, but for the agents and the suppliers' voice.
    """
    best: dict[str, Standing] = {}
    fork, own_terms = run.terms.fork, _without_agents(run.terms_of(episode))
    for other, number in others:
        same_terms = _without_agents(other.terms_of(number)) == own_terms
        parent = fork and (other.folder.name, number, other.seat(number)) == (fork.run, fork.episode, fork.seat)
        itself = (other.folder, other.entry, number) == (run.folder, run.entry, episode)
        end = recorded_end(other, number) if (parent or same_terms) and not itself else None
        if not is_over(end) or (not parent and end.ending not in ENDED_BY_MARKET):
            continue
        found = _standing(short_name(other.player.agent), "parent" if parent else "folder", end.assets)
        if parent:
            yield found
        elif found["name"] not in best or best[found["name"]]["final_assets"] < found["final_assets"]:
            best[found["name"]] = found
    yield from best.values()


def _without_agents(terms: Terms) -> Terms:
    return restated(terms, seats=(SeatTerms(""),) * len(terms.seats), voice="")
