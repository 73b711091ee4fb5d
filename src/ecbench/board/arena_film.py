"""A round of an arena that can be looked at from any turn of any of its seats."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ecbench.arena import Arena
from ecbench.episode import Episode
from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.market_record import FILE
from ecbench.runs.arena.play import open_market
from ecbench.runs.disk import read_file
from ecbench.runs.events import End, State, Terms
from ecbench.runs.problems import RunError
from ecbench.runs.records import parse
from ecbench.runs.session import read_episode
from ecbench.seat import Record, Turn, readable
from ecbench.world.model import World
from ecbench.worlds import load_world

KEEP_EVERY_DAYS = 14  # of a market: all of its seats are played again together


@dataclass(frozen=True, slots=True)
class ArenaFrame:
    """The market after so many moves."""

    moves: int
    arena: Arena


class ArenaFilm:
    """The moves of a round in the order of its market, and copies of the market some days apart."""

    def __init__(self, run: ArenaRun, number: int) -> None:
        self.world = load_world(run.terms.world_of(number))
        seats = run.seat_runs(number, self.world)
        self.terms = [seat.terms for seat in seats]
        recordings = [read_episode(seat, 0) for seat in seats]
        self.turns: list[list[Turn]] = [recording.turns for recording in recordings]
        self.states: list[list[State]] = [recording.states for recording in recordings]
        self.ends: list[End | None] = [recording.end for recording in recordings]
        self.moves = _moves(run, number)
        self.over_after: list[list[int]] = [[] for _ in seats]  # by seat and turn: the move that completed it
        self._kept = [ArenaFrame(0, open_market(run, self.world))]
        self._play_through()

    def _play_through(self) -> None:
        arena = self._kept[0].arena.copy()
        waiting: set[int] = set()
        for place, move in enumerate(self.moves):
            if not self._take(arena, move):
                self.moves = self.moves[:place]  # the record ends in the middle of a day
                break
            if move["event"] == "act":
                waiting.add(move["seat"])
            for seat in [seat for seat in waiting if arena.replies(seat) is not None]:
                waiting.remove(seat)
                self.over_after[seat].append(place + 1)
            if arena.day >= self._kept[-1].arena.day + KEEP_EVERY_DAYS:
                self._kept.append(ArenaFrame(place + 1, arena.copy()))
        self._kept.append(ArenaFrame(len(self.moves), arena))

    def at(self, moves: int) -> Arena:
        frame = self._kept[bisect_right(self._kept, moves, key=lambda frame: frame.moves) - 1]
        if frame.moves == moves:
            return frame.arena
        arena = frame.arena.copy()
        for move in self.moves[frame.moves : moves]:
            self._take(arena, move)
        return arena

    def _take(self, arena: Arena, move: Record) -> bool:
        """False where the turn is not recorded: its replies were still to come when the round stopped."""
        seat = move["seat"]
        if move["event"] == "leave":
            arena.finish(seat, str(move["ending"]))
        elif move["turn"] > len(self.turns[seat]):
            return False
        else:
            arena.act(seat, readable(self.turns[seat][move["turn"] - 1].calls))
        return True


class SeatFilm:
    """One seat of a round, looked at as a year of its own."""

    def __init__(self, film: ArenaFilm, seat: int) -> None:
        self._film = film
        self._seat = seat
        done = len(film.over_after[seat])
        self.turns: list[Turn] = film.turns[seat][:done]
        self.states: list[State] = film.states[seat][:done]

    @property
    def terms(self) -> Terms:
        return self._film.terms[self._seat]

    @property
    def world(self) -> World:
        return self._film.world

    @property
    def length(self) -> int:
        return len(self.turns)

    @property
    def end(self) -> Episode:
        return self._film.at(len(self._film.moves)).year(self._seat)

    @property
    def closed(self) -> End | None:
        return self._film.ends[self._seat]

    def at(self, turns: int) -> Episode:
        """The seat's year when its first so many turns were over."""
        if not 0 <= turns <= self.length:
            raise IndexError(f"turn {turns} of a year with {self.length} turns")
        moves = self._film.over_after[self._seat][turns - 1] if turns else 0
        return self._film.at(moves).year(self._seat)

    def turn(self, number: int) -> Turn:
        return self.turns[number - 1]

    def calls(self) -> Iterator[Sequence[Record]]:
        return (turn.calls for turn in self.turns)

    def last_turn_of(self, day: int) -> int:
        return bisect_right(self.states, day, key=lambda state: state.day)

    def first_turn_of(self, day: int) -> int:
        if day <= 0:
            return 0
        return min(self.length, bisect_left(self.states, day, key=lambda state: state.day) + 1)


def _moves(run: ArenaRun, number: int) -> list[Record]:
    path = run.round_folder(number) / FILE
    try:
        lines = read_file(path).splitlines(keepends=True)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    moved = (b'{"event":"act"', b'{"event":"leave"')
    return [parse(line) for line in lines if line.startswith(moved) and line.endswith(b"\n")]
