"""Which token opens which seat. Entries keep their number from episode to episode, while their seats move on."""

from dataclasses import dataclass

from ecbench.adapters.session_keys import Keys
from ecbench.runs.folder import Run


@dataclass(frozen=True, slots=True)
class SeatKey:
    """One entry of an arena in one of its episodes."""

    episode: int
    entry: int


class SeatKeys:
    """The tokens of an arena by episode and entry; an adapter accepts those of its own entries alone."""

    def __init__(self, run: Run, keys: Keys) -> None:
        self._keys = keys
        self._run = run

    def entries(self, transport: str) -> list[int]:
        """The entries of an adapter, in their order."""
        return [entry for entry, seat in enumerate(self._run.terms.seats) if seat.transport == transport]

    def found(self, token: str, transport: str) -> SeatKey | None:
        number = self._keys.year_of(token)
        if number is None or number >= self._run.episodes * self._run.seats:
            return None
        found = SeatKey(*divmod(number, self._run.seats))
        return found if found.entry in self.entries(transport) else None

    def issue(self, key: SeatKey) -> str:
        """A new token. Its hash is on the disk before the token is returned."""
        return self._keys.issue(self._number(key))

    def accept(self, token: str, key: SeatKey) -> None:
        """A token that the user chose, for as long as this server runs."""
        self._keys.accept(token, self._number(key))

    def _number(self, key: SeatKey) -> int:
        return key.episode * self._run.seats + key.entry
