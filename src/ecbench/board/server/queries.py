"""What pages may look at: a year as a whole, any of its turns, its end. Nothing here changes anything."""

from typing import Any

from ecbench.board import hidden_values
from ecbench.board.arena_snapshots import SeatFilm
from ecbench.board.conversations import Chat, chat, chats
from ecbench.board.deals import BoughtGoods, RevealedDeal, bought, deals
from ecbench.board.ending import year_end
from ecbench.board.price_history import PriceDay
from ecbench.board.proof_file import commands_of, name_of, proof_of
from ecbench.board.run_index import Library
from ecbench.board.server.errors import RequestRefused
from ecbench.board.server.subprocesses import report_page
from ecbench.board.snapshots import Film, YearFilm
from ecbench.board.state_view import Position, position
from ecbench.board.timeline import Timeline, timeline
from ecbench.runs.folder import Run
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.events import is_over
from ecbench.runs.record.schema import parse
from ecbench.runs.results.checksum_manifest import METRICS
from ecbench.runs.results.summary import PERSONS_BOARD
from ecbench.tools import tool_schemas

# Failure modes that an agent could see itself; the others tell who cheated, or what a floor was.
PLAIN_MODES = ("bankruptcy", "covered_overdraft", "query_repeated", "early_cancellation", "late_cancellation")


class Looks:
    """Everything that is only looked at."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def timeline(self, run: str, episode: int) -> dict[str, Any]:
        film, recorded = self._film(run, episode), self._library.run_of(run, episode)
        end = film.closed
        plain = [mark for mark in _marks(recorded, episode) if mark["mode"] in PLAIN_MODES]
        found: Timeline = timeline(film, end.ending if end else None, end.reason if end else "", plain)
        seat = recorded.terms_of(episode)
        return {
            "timeline": found,
            "turns": film.length,
            "playable": seat.door == PERSONS_BOARD and not is_over(end),
            "forked_from_day": seat.fork.day if seat.fork else None,
            "over": is_over(end),
            "own": seat.door == PERSONS_BOARD,
            "rivals": self._library.rivals(run),
            "tools": tool_schemas(film.end.account.rules) if seat.door == PERSONS_BOARD else [],
        }

    def parting(self, run: str, episode: int, other: str, number: int) -> dict[str, int | None]:
        """The day on which two years first made different calls; None where one is the beginning of the other."""
        one, two = self._film(run, episode), self._film(other, number)
        turns = zip(one.calls(), two.calls(), strict=False)
        parted = next((place for place, (a, b) in enumerate(turns) if list(a) != list(b)), None)
        return {"day": None if parted is None else one.states[parted - 1].day if parted else 0}

    def opening(self, run: str, episode: int) -> dict[str, int]:
        """How far a year is opened, in bytes of its record."""
        done, whole = self._library.opening(run, episode)
        return {"done": done, "whole": whole}

    def progress(self, run: str, episode: int) -> dict[str, Any]:
        film = self._film(run, episode)
        state, end = film.states[film.length - 1] if film.length else None, film.closed
        return {
            "turns": film.length,
            "day": state.day if state else 0,
            "bank": state.bank if state else None,
            "wallet": state.wallet if state else None,
            "escrow": state.escrow if state else None,
            "ending": end.ending if end else None,
        }

    def position(self, run: str, episode: int, turn: int) -> Position:
        film = self._film(run, episode)
        return position(film, turn_of(film, turn))

    def suppliers(self, run: str, episode: int, turn: int) -> list[dict[str, Any]]:
        film = self._film(run, episode)
        return chats(film.at(turn_of(film, turn)))

    def supplier(self, run: str, episode: int, turn: int, name: str) -> Chat:
        film = self._film(run, episode)
        found = chat(film.at(turn_of(film, turn)), name)
        if found is None:
            raise RequestRefused(404, "nobody has written to a supplier of that name by then")
        return found

    def supplier_truth(self, run: str, episode: int, turn: int, name: str) -> hidden_values.SupplierTruth:
        film = self._film(run, episode)
        found = hidden_values.supplier_truth(film.at(turn_of(film, turn)), name)
        if found is None:
            raise RequestRefused(404, "there is no supplier of that name")
        return found

    def store_truth(self, run: str, episode: int, turn: int, store: str) -> list[hidden_values.ListingTruth]:
        film = self._film(run, episode)
        return hidden_values.listing_truths(film.at(turn_of(film, turn)), store)

    def raw(self, run: str, episode: int, turn: int) -> dict[str, Any]:
        """A turn as it is recorded, however long."""
        film = self._film(run, episode)
        if not turn:
            raise RequestRefused(404, "turns are counted from 1")
        found = film.turn(turn_of(film, turn))
        return {"said": found.said, "calls": found.calls, "replies": found.replies}

    def bought(self, run: str, episode: int, turn: int) -> list[BoughtGoods]:
        film = self._film(run, episode)
        return bought(film.at(turn_of(film, turn)))

    def prices(self, run: str, episode: int, store: str) -> dict[str, list[PriceDay]] | None:
        """A player's own sales in a store, day by day; None where they are not kept: in agents' years, in arenas."""
        film = self._film(run, episode)
        history = film.history if isinstance(film, Film) else None
        return None if history is None else history.of(store, film.end.day)

    def year_end(self, run: str, episode: int) -> dict[str, Any]:
        recorded = self._library.run_of(run, episode)
        found = year_end(recorded, episode, self._library.years())
        return {"end": found, "commands": commands_of(recorded)}

    def deals(self, run: str, episode: int) -> list[RevealedDeal]:
        return deals(self._film(run, episode).end)

    def report(self, run: str) -> str:
        return report_page(self._library.run(run).folder)

    def proof(self, run: str) -> tuple[str, bytes]:
        """The name of the file, and what is in it."""
        recorded = self._library.run(run)
        return name_of(recorded), proof_of(recorded)

    def marks(self, run: str, episode: int) -> list[dict[str, Any]]:
        """Where the failure modes showed that only hidden truth tells: who cheated, what a floor was."""
        recorded = self._library.run_of(run, episode)
        return [mark for mark in _marks(recorded, episode) if mark["mode"] not in PLAIN_MODES]

    def refuse_peeking(self, run: str, episode: int) -> None:
        """Who plays a year sees none of its hidden truth before it is over."""
        film = self._film(run, episode)
        seats = film.seats if isinstance(film, SeatFilm) else [(film.terms, film.closed)]  # rivals share the world
        if any(terms.door == PERSONS_BOARD and not is_over(end) for terms, end in seats):
            raise RequestRefused(409, "hidden truth is told when your year is over")

    def _film(self, run: str, episode: int) -> YearFilm:
        return self._library.film(run, episode)


def turn_of(film: YearFilm, turn: int) -> int:
    if not 0 <= turn <= film.length:
        raise RequestRefused(404, f"the year has {film.length} turns so far")
    return turn


def _marks(run: Run, episode: int) -> list[dict[str, Any]]:
    """Where failure modes showed in a finished year: one mark a day and mode."""
    try:
        report = parse(read_file(run.episode_folder(episode) / METRICS))
        found = {
            (mode, hit["day"]): {"mode": mode, "day": hit["day"], "turn": hit.get("turn"), "what": hit["what"]}
            for mode, told in report.get("failure_modes", {}).items()
            for hit in told.get("hits", ())
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []
    return sorted(found.values(), key=lambda mark: mark["day"])
