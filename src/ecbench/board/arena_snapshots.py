"""A round of an arena that can be looked at from any turn of any of its seats, also while it is being played."""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from weakref import WeakValueDictionary

from ecbench.arena import Arena
from ecbench.episode import Episode
from ecbench.players.turn import Record, State, Turn
from ecbench.runs.arena.folder import ArenaRun, open_arena, seat_place
from ecbench.runs.arena.market_record import FILE, moves_in, read_lines
from ecbench.runs.arena.pending import read_pending
from ecbench.runs.arena.play import open_market
from ecbench.runs.record.events import End
from ecbench.runs.record.indexed_record import IndexedRecord
from ecbench.runs.terms import Terms
from ecbench.world.load import load_world
from ecbench.world.model import World

KEEP_EVERY_DAYS = 14  # of a market: all of its seats are played again together


@dataclass(frozen=True, slots=True)
class ArenaFrame:
    """The market after so many moves. Nobody changes it: whoever plays on takes a copy."""

    moves: int
    arena: Arena


class ArenaFilm:
    """The moves of a round in the order of its market, and copies of the market some days apart."""

    def __init__(self, run: ArenaRun, number: int) -> None:
        self.world = load_world(run.terms.world_of(number))
        seats = run.seat_runs(number, self.world)
        self.terms = [seat.terms for seat in seats]
        self.reels = [IndexedRecord(seat, 0) for seat in seats]
        self.moves: list[Record] = []
        self.over_after: list[list[int]] = [[] for _ in seats]  # by seat and turn: the move that completed it
        self._run = run
        self._number = number
        self._calls: list[list[Sequence[Record]]] = [[] for _ in seats]  # by seat and turn
        self._coming: deque[Record] = deque()
        self._lines = 0  # of the market's record that have been read
        self._waiting: set[int] = set()  # seats whose turn goes on after the morning
        self._kept = [ArenaFrame(0, open_market(run, self.world))]
        self._end = self._kept[0]
        self._lock = Lock()
        self.grow()

    @property
    def outdated(self) -> bool:
        return any(reel.replaced for reel in self.reels)

    def grow(self) -> None:
        """Play what has come since, as far as the calls are known: those of a turn under way may still be to come."""
        with self._lock:
            self._coming += self._new_moves()
            for calls, reel in zip(self._calls, self.reels, strict=True):
                calls += [turn.calls for turn in reel.wind()]
            if not self._coming or self._known(self._coming[0]) is None:
                return
            arena = self._end.arena.copy()
            while self._coming and self._take(arena, self._coming[0]):
                self.moves.append(self._coming.popleft())
                self._note(arena)
            self._end = ArenaFrame(len(self.moves), arena)

    def at(self, moves: int) -> Arena:
        if moves == self._end.moves:
            return self._end.arena
        frame = self._kept[bisect_right(self._kept, moves, key=lambda frame: frame.moves) - 1]
        if frame.moves == moves:
            return frame.arena
        arena = frame.arena.copy()
        for move in self.moves[frame.moves : moves]:
            self._take(arena, move)
        return arena

    @property
    def end(self) -> Arena:
        return self._end.arena

    def _note(self, arena: Arena) -> None:
        """Which turns the last move has completed."""
        done = len(self.moves)
        if self.moves[-1]["event"] == "act":
            self._waiting.add(self.moves[-1]["seat"])
        for seat in [seat for seat in self._waiting if arena.replies(seat) is not None]:
            self._waiting.remove(seat)
            self.over_after[seat].append(done)
        if arena.day >= self._kept[-1].arena.day + KEEP_EVERY_DAYS:
            self._kept.append(ArenaFrame(done, arena.copy()))

    def _take(self, arena: Arena, move: Record) -> bool:
        calls = self._known(move)
        if calls is None:
            return False
        if move["event"] == "leave":
            arena.finish(move["seat"], str(move["ending"]))
        else:
            arena.act(move["seat"], readable(calls))
        return True

    def _known(self, move: Record) -> Sequence[Record] | None:
        """The calls of a move; None where its turn is neither recorded nor kept for the morning."""
        if move["event"] == "leave":
            return ()
        seat, turn = int(move["seat"]), int(move["turn"])
        if turn <= len(self._calls[seat]):
            return self._calls[seat][turn - 1]
        pending = read_pending(self._run.seat_folder(self._number, seat), turn)
        return None if pending is None else pending.calls

    def _new_moves(self) -> list[Record]:
        fresh = read_lines(self._run.round_folder(self._number) / FILE)[self._lines :]
        self._lines += len(fresh)
        return moves_in(fresh)


class SeatFilm:
    """One seat of a round as far as it has come now, looked at as a year of its own."""

    def __init__(self, film: ArenaFilm, seat: int) -> None:
        self.film = film
        self._seat = seat
        self._reel = film.reels[seat]
        self.length = min(len(film.over_after[seat]), self._reel.turns)
        self.states: Sequence[State] = self._reel.states[: self.length]

    @property
    def terms(self) -> Terms:
        return self.film.terms[self._seat]

    @property
    def world(self) -> World:
        return self.film.world

    @property
    def end(self) -> Episode:
        return self.film.end.year(self._seat)

    @property
    def closed(self) -> End | None:
        return self._reel.end

    @property
    def seats(self) -> list[tuple[Terms, End | None]]:
        """All seats of the round, and how their records end."""
        return [(terms, reel.end) for terms, reel in zip(self.film.terms, self.film.reels, strict=True)]

    def at(self, turns: int) -> Episode:
        """The seat's year when its first so many turns were over."""
        if not 0 <= turns <= self.length:
            raise IndexError(f"turn {turns} of a year with {self.length} turns")
        moves = self.film.over_after[self._seat][turns - 1] if turns else 0
        return self.film.at(moves).year(self._seat)

    def turn(self, number: int) -> Turn:
        return self._reel.turn(number)

    def calls(self) -> Iterator[Sequence[Record]]:
        return (turn.calls for turn in self._reel.calls(0, self.length))

    def last_turn_of(self, day: int) -> int:
        return bisect_right(self.states, day, key=lambda state: state.day)


class Markets:
    """Rounds that are looked at: one film for all seats of a round, as long as any of them is open."""

    def __init__(self) -> None:
        self._films: WeakValueDictionary[tuple[Path, int], ArenaFilm] = WeakValueDictionary()
        self._lock = Lock()

    def seat(self, folder: Path, seat: int) -> SeatFilm:
        """As far as it is recorded by now, from its folder."""
        place = seat_place(folder)
        with self._lock:
            film = self._films.get(place[:2])
            if film is None or film.outdated:
                film = self._films[place[:2]] = ArenaFilm(open_arena(place.arena), place.round)
        film.grow()
        return SeatFilm(film, seat)
