"""The protocol that every player keeps: merchants, models, external clients, persons, policies."""

from collections.abc import Sequence
from typing import Protocol

from ecbench.players.turn import Leave, Move
from ecbench.tools.outcome import Outcome


class Player(Protocol):
    """Decides the turns of one seat. Raises PlayerFailure when it cannot."""

    @property
    def waits(self) -> bool:
        """Whether a move may take real time, so that other players are asked meanwhile."""
        ...

    async def move(self) -> Move | Leave | None:
        """The next turn, the wish to leave, or None where the player was asked to stop before it had a turn.

        Never awaits anything where `waits` is false.
        """
        ...

    def on_results(self, move: Move, outcomes: Sequence[Outcome], /) -> None:
        """The move was run and recorded."""
        ...

    def close(self) -> None:
        """No further move will be asked for."""
        ...
