"""Where a learner sits: at a year that nobody keeps, or at one that is recorded as a run of its own.

Either is settled as soon as it can go no further, so that the last turn is paid for what the year really ends with.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ecbench.episode import Episode
from ecbench.players.session import TableSession
from ecbench.players.turn import Record
from ecbench.runs.folder import create_run, free_folder
from ecbench.runs.play.external_sessions import YearSession
from ecbench.runs.rule_overrides import rules_of
from ecbench.runs.terms import Terms
from ecbench.world.model import World


class Chair(Protocol):
    year: Episode
    ending: str | None  # how it ended; None while it goes on

    def take(self, calls: Sequence[Record], /) -> list[str]: ...

    def leave(self) -> None:
        """Get up, whether the year is over or not."""
        ...


class PlainChair:
    """For the many years that a learner plays and nobody will want to see again."""

    __slots__ = ("_seat", "ending", "year")

    def __init__(self, terms: Terms, world: World) -> None:
        self.year = Episode(world, days=terms.days, stake=terms.stake, rules=rules_of(terms))
        self.ending: str | None = None
        self._seat = TableSession(self.year, max_turns=terms.max_turns)

    def take(self, calls: Sequence[Record]) -> list[str]:
        seat = self._seat
        replies = seat.take(calls)
        ending = seat.ending
        if ending is not None:
            self.ending = ending
            self.year.finish(ending)
        return replies

    def leave(self) -> None:
        """Nothing is held."""


class RecordedChair:
    """A run folder of its own in `folder`, to be replayed, verified and reported like any other."""

    __slots__ = ("_visit", "ending", "year")

    def __init__(self, terms: Terms, world: World, world_source: str, folder: Path) -> None:
        place = free_folder(folder, f"{terms.world}_{terms.days}-days_{terms.agent}")
        run = create_run(place, terms, episodes=1, world_source=world_source)
        self._visit = YearSession(run, 0, world)
        assert self._visit.year is not None, "a new year goes on"
        self.year = self._visit.year
        self.ending: str | None = None

    def take(self, calls: Sequence[Record]) -> list[str]:
        replies = self._visit.take(calls)
        result = self._visit.result
        if result is not None and result.end is not None:
            self.ending = result.end.ending
        return replies

    def leave(self) -> None:
        self._visit.leave()
