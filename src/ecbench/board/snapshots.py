"""A recorded year that can be looked at from any of its turns: it is played again from the nearest kept copy."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ecbench.board.price_history import SalesHistory
from ecbench.episode import Episode
from ecbench.players.turn import Record, State, Turn
from ecbench.runs.record.events import End
from ecbench.runs.record.indexed_record import IndexedRecord
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.rule_overrides import rules_of
from ecbench.runs.terms import Terms
from ecbench.runs.verify.replay_turn import made_again, refuse_other
from ecbench.world.model import World

# What has to be played again to reach a turn is at most so much of its record: the time that takes goes with the bytes,
# some 25 milliseconds for a megabyte. A copy takes a megabyte at most.
KEEP_EVERY_BYTES = 1_400_000
CALLS_AT_ONCE = 50  # turns that are read together when two years are compared

Progress = Callable[[int, int], None]
"""Told how many bytes of how many have been played again."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The year after so many turns. Nobody changes it: whoever plays on takes a copy."""

    turns: int
    year: Episode


class YearFilm(Protocol):
    """A year that can be looked at from any of its turns, alone in its market or not."""

    @property
    def states(self) -> Sequence[State]:
        """Where the merchant stood after each turn."""
        ...

    @property
    def terms(self) -> Terms: ...
    @property
    def world(self) -> World: ...
    @property
    def length(self) -> int: ...
    @property
    def end(self) -> Episode:
        """The year as far as it is recorded."""
        ...

    @property
    def closed(self) -> End | None:
        """How its record ends; None: it is being played, or was killed."""
        ...

    def at(self, turns: int, /) -> Episode:
        """The year after its first so many turns, to look at and not to change."""
        ...

    def turn(self, number: int, /) -> Turn:
        """One turn, counted from 1."""
        ...

    def calls(self) -> Iterator[Sequence[Record]]:
        """The calls of each turn."""
        ...

    def last_turn_of(self, day: int, /) -> int:
        """How many turns were over when a day ended; a turn may run on into later days."""
        ...


class Film:
    """The turns of a year where they lie on the disk, and copies of it so many bytes of record apart."""

    def __init__(
        self,
        terms: Terms,
        world: World,
        reel: IndexedRecord,
        keep_every: int = KEEP_EVERY_BYTES,
        history: SalesHistory | None = None,  # for a player, who wants to know what sold at which price
    ) -> None:
        self.history = history
        self._keep_every = keep_every
        self._terms = terms
        self._world = world
        self._reel = reel
        opening = Episode(world, days=terms.days, stake=terms.stake, rules=rules_of(terms))
        self._kept = [Frame(0, opening)]
        self._end = self._kept[0]
        self._last = self._end  # looked at most recently: the next turn is one step from it

    @property
    def terms(self) -> Terms:
        return self._terms

    @property
    def world(self) -> World:
        return self._world

    @property
    def states(self) -> Sequence[State]:
        return self._reel.states

    @property
    def length(self) -> int:
        return self._end.turns

    @property
    def end(self) -> Episode:
        return self._end.year

    @property
    def closed(self) -> End | None:
        return self._reel.end

    @property
    def outdated(self) -> bool:
        """Whether another record lies there now than the one that was played."""
        return self._reel.replaced

    @property
    def copies(self) -> int:
        return len(self._kept)

    def grow(self, progress: Progress | None = None) -> None:
        """Plays what the record holds by now, and compares the replies; raises Divergence where they differ."""
        year: Episode | None = None
        played = self.length
        for turn in self._reel.refresh():
            if year is None:
                year = self._continued(self._end)
                if self.history is not None:
                    self.history.attend(year)
            since = year.day
            played += 1
            refuse_other(made_again(year, turn), turn, played)
            if self.history is not None:
                self.history.note(year, since)
            if self._reel.bytes_between(self._kept[-1].turns, played) >= self._keep_every:
                self._kept.append(Frame(played, _kept_copy(year, self._kept[-1].year)))
            if progress is not None:
                progress(self._reel.read, self._reel.size)
        if year is not None:
            self._end = Frame(played, year)

    def at(self, turns: int) -> Episode:
        if not 0 <= turns <= self.length:
            raise IndexError(f"turn {turns} of a year with {self.length} turns")
        frame = self._nearest(turns)
        if frame.turns < turns:
            year = self._continued(frame)
            for turn in self._reel.calls(frame.turns, turns):
                made_again(year, turn)
            frame = Frame(turns, year)
        self._last = frame
        return frame.year

    def turn(self, number: int) -> Turn:
        return self._reel.turn(number)

    def calls(self) -> Iterator[Sequence[Record]]:
        for first in range(0, self.length, CALLS_AT_ONCE):
            for turn in self._reel.calls(first, min(self.length, first + CALLS_AT_ONCE)):
                yield turn.calls

    def last_turn_of(self, day: int) -> int:
        return bisect_right(self.states, day, hi=self.length, key=_day)

    def _nearest(self, turns: int) -> Frame:
        kept = self._kept[bisect_right(self._kept, turns, key=_turns) - 1]
        return max((kept, *(frame for frame in (self._last, self._end) if frame.turns <= turns)), key=_turns)

    def _continued(self, frame: Frame) -> Episode:
        """A copy to play on with, whose suppliers say what is recorded."""
        return frame.year.copy(voice=recorded_voice(self._terms, ()))


def _kept_copy(year: Episode, earlier: Episode) -> Episode:
    """What has not changed since an earlier copy is shared with it, as nobody changes either: most goods and talks."""
    made = year.copy()
    books, stock = made.account.books, earlier.account.books.stock
    books.stock = {sku: stock[sku] if stock.get(sku) == held else held for sku, held in books.stock.items()}
    for store in books.stores.values():
        for sku, listing in store.shelf.items():
            listing.stock = books.stock[sku]
    book, pairs = made.desk.book, earlier.desk.book.pairs
    book.pairs = {key: pairs[key] if pairs.get(key) == pair else pair for key, pair in book.pairs.items()}
    return made


def _day(state: State) -> int:
    return state.day


def _turns(frame: Frame) -> int:
    return frame.turns
