"""What pages may look at: a year as a whole, any of its turns, its end. Nothing here changes anything."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.analysis.review.stored_review import REVIEW
from ecbench.pages.board.games import attempt_at, code_of
from ecbench.pages.board.run_index import Library, file_stamp
from ecbench.pages.board.server.par import Par
from ecbench.pages.board.server.single_flight import SingleFlight
from ecbench.pages.board.server.visibility import Shown, Sight, Visibility
from ecbench.pages.board.snapshots import Moment, SeatSnapshots
from ecbench.pages.board.views.agenda import agenda
from ecbench.pages.board.views.coach import advice
from ecbench.pages.board.views.conversations import chat
from ecbench.pages.board.views.decisions import Decisions, decisions
from ecbench.pages.board.views.ending import year_end
from ecbench.pages.board.views.hidden_values import deals, listing_truths, supplier_truth
from ecbench.pages.board.views.knowledge import Finding
from ecbench.pages.board.views.own_books import (
    accounts_view,
    bought,
    morning,
    player_terms,
    price_desk,
    supplier_histories,
)
from ecbench.pages.board.views.result_card import card_picture
from ecbench.pages.board.views.state_view import position
from ecbench.pages.board.views.timeline import news_of_calendar, timeline
from ecbench.pages.year_days import Span, calendar_spans
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name
from ecbench.runs.play.episodes import recorded_end
from ecbench.runs.record.append_only_log import is_being_written
from ecbench.runs.record.lines import is_over
from ecbench.runs.results.anchors_file import bound_missing, bound_of
from ecbench.runs.results.year_view import stored_rows, stored_year
from ecbench.runs.run_archive import archive_name, packed_run
from ecbench.runs.terms import PERSONS_BOARD, rules_of

# Failure modes that an agent could see itself; the others reveal who cheated, or what a floor was.
PLAIN_MODES = ("bankruptcy", "covered_overdraft", "query_repeated", "early_cancellation", "late_cancellation")


def _raw(moment: Moment) -> dict[str, Any]:
    """A turn as it is recorded, however long."""
    if not moment.turn:
        raise RequestRefused(404, "turns are counted from 1")
    found = moment.years.turn(moment.turn)
    return {"said": found.message, "calls": found.calls, "replies": found.replies}


def _learned(moment: Moment, since: int) -> list[Finding]:
    """What the calls after turn `since` have shown the agent."""
    return moment.knowledge.between(since, moment.turn)


VIEWS: Mapping[str, Callable[..., Any]] = {  # of a moment, by their addresses
    "": position,
    "/raw": _raw,
    "/learned/{since:count}": _learned,
    "/agenda": agenda,
    "/advice": advice,
    "/desk": price_desk,
    "/morning": morning,
    "/accounts": accounts_view,
    "/bought": bought,
    "/suppliers": supplier_histories,
    "/suppliers/{name}": chat,
}
HIDDEN_VIEWS: Mapping[str, Callable[..., Any]] = {
    "/truth/suppliers/{name}": supplier_truth,
    "/truth/stores/{store}": listing_truths,
}


class Queries:
    """Everything that is only looked at."""

    def __init__(self, library: Library, visibility: Visibility, heirs: Sequence[str]) -> None:
        """`heirs` are the agents that may continue a year, beside a person."""
        self._library = library
        self._heirs = heirs
        self._visibility = visibility
        self.par = Par()
        self._bounds = SingleFlight[float | None]()
        self._decisions = SingleFlight[Decisions]()

    def sight(self, run: str, episode: int) -> Sight:
        """How much of a year may be shown."""
        return self._visibility.of(self._library.run_of(run, episode), episode)

    def timeline(self, run: str, episode: int) -> dict[str, Any]:
        """The money of a year by day. With it, `withheld` says why no turn of it is shown, if none is."""
        sight, recorded = self.sight(run, episode), self._library.run_of(run, episode)
        year = self._library.year(run, episode, sight.until)
        modes = [] if sight.withheld else _marks(recorded, episode)
        plain = [mark for mark in modes if mark["mode"] in PLAIN_MODES]
        found = timeline(year, plain, _calendar(year, sight.shown))
        fork, over = recorded.terms.fork, is_over(year.end)
        own = recorded.player.transport == PERSONS_BOARD
        return {
            "timeline": found,
            "turns": year.length,
            "withheld": sight.withheld,
            "in_play": sight.in_play if sight.withheld else None,
            "playable": own and not over and not sight.withheld and not self._visibility.reveal,
            "hidden_truth": sight.shown is Shown.ALL,
            "fork": fork.label if fork else "",
            "live": not over and not sight.withheld and is_being_written(recorded.events_path(episode)),
            "over": over,
            "own": own,
            "shared": recorded.terms.shared,
            "parted": fork.day if fork else None,
            "heirs": self._heirs,
            "beside": [self._line(each, number) for each, number in self._library.beside(recorded, episode)],
            "terms": player_terms(year.latest.account, recorded.terms.brief_style),
        }

    def _line(self, other: Run, number: int) -> dict[str, Any]:
        """A year that is drawn beside another: its money by day, up to the last day that may be shown."""
        key = self._library.key_of(other)
        found = timeline(self._seen(key, number), [], [])
        name, over = short_name(found["agent"]), found["ending"] is not None
        return {"name": name, "run": key, "episode": number, "curve": found["total"], "over": over}

    def opening(self, run: str, episode: int) -> dict[str, int]:
        """How far a year is opened, in bytes of its record."""
        done, whole = self._library.opening(run, episode)
        return {"done": done, "whole": whole}

    def progress(self, run: str, episode: int) -> dict[str, Any]:
        """How far a year has come, up to the last day that may be shown."""
        year = self._seen(run, episode)
        return {"turns": year.length, "ending": year.end.ending if year.end else None}

    def moment(self, run: str, episode: int, turn: int, *, hidden: bool = False) -> Moment:
        """What the VIEWS of a year are made of, or the HIDDEN_VIEWS. Raises RequestRefused if they may not be shown."""
        sight = self.sight(run, episode)
        (sight.refuse_hidden if hidden else sight.refuse_turns)()
        year = self._library.year(run, episode)
        if not 0 <= turn <= year.length:
            raise RequestRefused(404, f"the year has {year.length} turns so far")
        return year.moment(turn, by_news=sight.shown is not Shown.ALL)

    def year_end(self, run: str, episode: int) -> dict[str, Any]:
        """The result at once. `computing`: it has no skill yet, or no par, since these take seconds."""
        recorded = self._library.run_of(run, episode)
        bounding = bound_missing(recorded, episode) and not self._bounds.ready(_world_and_terms(recorded, episode))
        bound = None if bounding else self._bound(recorded, episode)
        own = recorded.player.transport == PERSONS_BOARD
        par = self.par.of(recorded, episode) if own and self.par.ready(recorded, episode) else []
        attempt = attempt_at(self._library.summaries(), run)
        merchants = {each.name: each.final_assets for each in par}
        return {
            **year_end(recorded, episode, self._library.years(), bound, merchants, attempt),
            "par": par,
            "code": code_of(recorded, episode),
            "command": f"ecbench verify {quote(archive_name(recorded))}",
            "conduct": _ledger(recorded, episode),
            "computing": bounding or (own and not self.par.ready(recorded, episode)),
        }

    def year_end_with_skill(self, run: str, episode: int) -> dict[str, Any]:
        """The result once the bound of its world is known, and the par of a person's game."""
        recorded = self._library.run_of(run, episode)
        if recorded.player.transport == PERSONS_BOARD:
            self.par.of(recorded, episode)
        self._bound(recorded, episode)
        return self.year_end(run, episode)

    def card(self, run: str, episode: int, name: str) -> str:
        """The picture of the result, with the name of who played."""
        result, year = self.year_end(run, episode), self._seen(run, episode)
        return card_picture(result, [*timeline(year, [], [])["total"], result["final_assets"]], name)

    def _bound(self, run: Run, episode: int) -> float | None:
        return self._bounds.get(_world_and_terms(run, episode), lambda: bound_of(run, episode))

    def decisions(self, run: str, episode: int) -> Decisions:
        """The best and the worst of a year that is over."""
        recorded = self._library.run_of(run, episode)
        if not is_over(recorded_end(recorded, episode)):
            raise RequestRefused(409, "the year is not over")
        files = recorded.events_path(episode), recorded.review_folder(episode) / REVIEW
        return self._decisions.get((run, episode, *map(file_stamp, files)), lambda: decisions(recorded, episode))

    def deals(self, run: str, episode: int) -> list[dict[str, Any]]:
        return deals(self._library.year(run, episode).moment())

    def reported(self, run: str) -> Path:
        """The folder of a run whose report may be seen."""
        recorded = self._library.run(run)
        self._visibility.refuse_hidden_of(recorded)
        return recorded.folder

    def proof(self, run: str) -> tuple[str, bytes]:
        """The name of the file, and what is in it."""
        recorded = self._library.run(run)
        self._visibility.refuse_hidden_of(recorded)
        return archive_name(recorded), packed_run(recorded)

    def marks(self, run: str, episode: int) -> list[dict[str, Any]]:
        """Where the failure modes showed that only hidden truth reveals: who cheated, what a floor was."""
        recorded = self._library.run_of(run, episode)
        return [mark for mark in _marks(recorded, episode) if mark["mode"] not in PLAIN_MODES]

    def _seen(self, run: str, episode: int) -> SeatSnapshots:
        """The year up to the last day that may be shown."""
        return self._library.year(run, episode, self.sight(run, episode).until)


def _world_and_terms(run: Run, episode: int) -> Hashable:
    """What a bound depends on."""
    return run.world_of(episode).year_id, rules_of(run.terms), run.terms.days, run.terms.stake


def _calendar(year: SeatSnapshots, shown: Shown) -> list[Span]:
    if shown is Shown.ALL:
        return calendar_spans(year.world, year.terms.days)
    return news_of_calendar(year.latest.account) if shown is Shown.AS_PLAYED else []


def _ledger(run: Run, episode: int) -> list[dict[str, Any]]:
    """What a finished year stated, as results.db has it; empty unless its rules count conduct."""
    stored = stored_year(run, episode) if rules_of(run.terms).conduct else None
    rows = stored_rows(run, episode, stored.head, "conduct") if stored else None
    return [row._asdict() for row in rows or ()]


def _marks(run: Run, episode: int) -> list[dict[str, Any]]:
    """Where failure modes showed in a finished year: one mark a day and mode, with its hits and the first of them."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    stored = stored_year(run, episode)
    for hit in stored_rows(run, episode, stored.head, "failures") or () if stored else ():
        first = {"mode": hit.mode, "day": hit.day, "turn": hit.turn, "what": hit.what, "hits": 0}
        found.setdefault((hit.mode, hit.day), first)["hits"] += 1
    return sorted(found.values(), key=lambda mark: mark["day"])
