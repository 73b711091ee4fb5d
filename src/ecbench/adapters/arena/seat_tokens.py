"""Which token opens which seat. Entries keep their number from round to round, while their seats move on."""

from dataclasses import dataclass

from ecbench.adapters.session_keys import Keys
from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.seat_names import door_of


@dataclass(frozen=True, slots=True)
class SeatKey:
    """One entry of the arena in one of its rounds."""

    round: int
    entry: int


class SeatKeys:
    """The keys of an arena, by round and entry; a door lets in those of its own entries alone."""

    def __init__(self, arena: ArenaRun, keys: Keys) -> None:
        self._keys = keys
        self._terms = arena.terms

    def entries(self, door: str) -> list[int]:
        """The entries that come in by a door, in their order."""
        return [entry for entry, agent in enumerate(self._terms.agents) if door_of(agent) == door]

    def found(self, token: str, door: str) -> SeatKey | None:
        number = self._keys.year_of(token)
        if number is None or number >= self._terms.rounds * self._terms.seats:
            return None
        found = SeatKey(*divmod(number, self._terms.seats))
        return found if found.entry in self.entries(door) else None

    def issue(self, key: SeatKey) -> str:
        """A new token; its hash is on the disk before it is told."""
        return self._keys.issue(self._number(key))

    def accept(self, token: str, key: SeatKey) -> None:
        """A token that somebody else has made, for as long as this host runs."""
        self._keys.accept(token, self._number(key))

    def _number(self, key: SeatKey) -> int:
        return key.round * self._terms.seats + key.entry
