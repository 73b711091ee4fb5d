"""A recorded year that can be looked at from any of its turns: it is played again from the nearest kept copy."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from ecbench.episode import Episode
from ecbench.runs.events import State, Terms
from ecbench.runs.overrides import rules_of
from ecbench.runs.problems import Divergence
from ecbench.runs.reader import Recording
from ecbench.runs.voices import recorded_voice
from ecbench.seat import Turn, answered, readable
from ecbench.world.model import World

KEEP_EVERY_DAYS = 14  # a copy takes a megabyte or two, and a fortnight is played again in some forty milliseconds

Progress = Callable[[int, int], None]
"""Told how many turns of how many have been played again."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The year after so many turns. Nobody changes it: whoever plays on takes a copy."""

    turns: int
    year: Episode


class YearFilm(Protocol):
    """A year that can be looked at from any of its turns, alone in its market or not."""

    turns: list[Turn]
    states: list[State]

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

    def at(self, turns: int, /) -> Episode:
        """The year after its first so many turns, to look at and not to change."""
        ...

    def last_turn_of(self, day: int, /) -> int:
        """How many turns were over when a day ended; a turn may run on into later days."""
        ...


class Film:
    """The turns of a year, and copies of it some days apart."""

    def __init__(self, terms: Terms, world: World) -> None:
        self._terms = terms
        self._world = world
        self.turns: list[Turn] = []
        self.states: list[State] = []
        opening = Episode(world, days=terms.days, stake=terms.stake, rules=rules_of(terms))
        self._kept = [Frame(0, opening)]
        self._end = self._kept[0]
        self._last = self._end  # looked at most recently: the next turn is one step from it

    @classmethod
    def of(cls, terms: Terms, world: World, recording: Recording, progress: Progress | None = None) -> "Film":
        """Plays the year once, and compares what it is answered; raises Divergence where that differs."""
        film = cls(terms, world)
        film.append(recording.turns, recording.states, progress)
        return film

    @property
    def terms(self) -> Terms:
        return self._terms

    @property
    def world(self) -> World:
        return self._world

    @property
    def length(self) -> int:
        return len(self.turns)

    @property
    def end(self) -> Episode:
        return self._end.year

    def append(self, turns: Iterable[Turn], states: Iterable[State], progress: Progress | None = None) -> None:
        """Turns that came since: played behind the others, and a copy kept whenever a week is over."""
        first = self.length
        self.turns += turns
        self.states += states
        year = self._continued(self._end)
        for number in range(first, self.length):
            self._take(year, number)
            if year.day >= self._kept[-1].year.day + KEEP_EVERY_DAYS:
                self._kept.append(Frame(number + 1, year.copy()))
                if progress is not None:
                    progress(number + 1, self.length)
        self._end = Frame(self.length, year)

    def at(self, turns: int) -> Episode:
        if not 0 <= turns <= self.length:
            raise IndexError(f"turn {turns} of a year with {self.length} turns")
        frame = self._nearest(turns)
        if frame.turns < turns:
            year = self._continued(frame)
            for number in range(frame.turns, turns):
                self._take(year, number)
            frame = Frame(turns, year)
        self._last = frame
        return frame.year

    def last_turn_of(self, day: int) -> int:
        return bisect_right(self.states, day, key=_day)

    def first_turn_of(self, day: int) -> int:
        """How many turns it took to reach a day; none for the first."""
        return min(self.length, bisect_left(self.states, day, key=_day) + 1) if day > 0 else 0

    def _nearest(self, turns: int) -> Frame:
        kept = self._kept[bisect_right(self._kept, turns, key=_turns) - 1]
        return max((kept, *(frame for frame in (self._last, self._end) if frame.turns <= turns)), key=_turns)

    def _continued(self, frame: Frame) -> Episode:
        """A copy to play on with, whose suppliers go on saying what is recorded from there on."""
        return frame.year.copy(voice=recorded_voice(self._terms, self.turns[frame.turns :]))

    def _take(self, year: Episode, number: int) -> None:
        turn = self.turns[number]
        if answered(turn.calls, year.act(readable(turn.calls))) != list(turn.replies):
            raise Divergence(f"turn {number + 1} comes out otherwise than it is recorded; see ecbench replay --verify")


def _day(state: State) -> int:
    return state.day


def _turns(frame: Frame) -> int:
    return frame.turns
