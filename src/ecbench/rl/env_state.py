"""The year behind an environment: unrecorded, or recorded as a run of its own.

Either is settled as soon as it can go no further, so that the last turn is rewarded for the assets that the year ends
with.
"""

from collections.abc import Sequence
from pathlib import Path

from ecbench.players.session import TableSession
from ecbench.players.turn import Move, Record
from ecbench.runs.folder import create_run, free_folder
from ecbench.runs.play.external_sessions import YearSession
from ecbench.runs.terms import Terms, rules_of
from ecbench.table import Table
from ecbench.tools.outcome import Outcome
from ecbench.world.model import World


class UnrecordedYear:
    """For the many years of a training that are never read later."""

    __slots__ = ("_session", "ending", "year")

    def __init__(self, terms: Terms, world: World) -> None:
        table = Table(world, days=terms.days, stake=terms.stake, rules=rules_of(terms))
        self._session = TableSession(table, max_turns=terms.max_turns)
        self.year = self._session.years[0]
        self.ending: str | None = None

    def take(self, calls: Sequence[Record]) -> Sequence[Outcome]:
        outcomes = self._session.take(Move(calls))
        self.ending = self._session.ending()
        if self.ending is not None:
            self.year.finish(self.ending)
        return outcomes

    def close(self) -> None:
        """Release the year, whether it is over or not."""


class RecordedYear:
    """A run folder of its own in `folder`, to be replayed, verified and reported like any other."""

    __slots__ = ("_session", "ending", "year")

    def __init__(self, terms: Terms, world: World, world_source: str, folder: Path) -> None:
        place = free_folder(folder, f"{terms.world.name}_{terms.days}-days_{terms.seats[0].agent}")
        run = create_run(place, terms, episodes=1, world_source=world_source)
        self._session = YearSession(run, 0, world)
        assert self._session.year is not None, "a new year goes on"
        self.year = self._session.year
        self.ending: str | None = None

    def take(self, calls: Sequence[Record]) -> Sequence[Outcome]:
        outcomes = self._session.take(calls)
        self.ending = self._session.end.ending if self._session.end else None
        return outcomes

    def close(self) -> None:
        self._session.close()


EnvState = UnrecordedYear | RecordedYear
"""A year that a policy plays; `ending` says how it ended, and is None while it goes on."""
