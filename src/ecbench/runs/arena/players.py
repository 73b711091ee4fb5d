"""Who decides the turns of a seat: asked for one turn at a time, and given the replies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ecbench.players.merchants.protocol import Play
from ecbench.runs.play.agents import open_play
from ecbench.runs.play.merchant_batches import close, next_batch
from ecbench.runs.play.recorded_seat import RecordedSeat
from ecbench.seat import Record, Turn


@dataclass(frozen=True, slots=True)
class Move:
    """A turn before it is run."""

    calls: Sequence[Record]
    said: Record = field(default_factory=dict)
    evictions: Sequence[Record] = ()


@dataclass(frozen=True, slots=True)
class Parting:
    """The wish to trade no further, which ends the year at that seat."""

    ending: str = "idle"
    reason: str = ""


class Player(Protocol):
    """Whoever plays a seat. Raises MerchantFailure or ModelFailure when it cannot."""

    @property
    def thinks(self) -> bool:
        """Whether its answer takes a while, so that others should be asked meanwhile."""
        ...

    async def move(self) -> Move | Parting | None:
        """Its next turn; None when it was asked to stop before it had one."""
        ...

    def heard(self, move: Move, replies: Sequence[str], /) -> None:
        """Its turn was run; it is recorded now."""
        ...

    def close(self) -> None: ...


class MerchantPlayer:
    """A scripted merchant; it is asked for its recorded turns once more, so that it knows what it did."""

    thinks = False

    def __init__(self, seat: RecordedSeat) -> None:
        self._seat = seat
        self._play: Play | None = None
        self._replies: Sequence[str] | None = None

    async def move(self) -> Move | Parting:
        if self._play is None:
            self._play = open_play(self._seat.terms.agent, self._seat.year, self._seat.terms.days)
        calls = next_batch(self._play, self._replies)
        return Parting() if calls is None else Move(calls)

    def heard(self, move: Move, replies: Sequence[str]) -> None:
        self._replies = replies
        self._seat.keep(Turn(move.calls, replies))

    def close(self) -> None:
        if self._play is not None:
            close(self._play)


class Repeater:
    """Plays again what is recorded, whoever played it, and has nothing to add."""

    thinks = False

    def __init__(self, seat: RecordedSeat) -> None:
        self._seat = seat

    async def move(self) -> Move | None:
        turn = self._seat.recorder.ahead
        return None if turn is None else Move(turn.calls, turn.said, turn.evictions)

    def heard(self, move: Move, replies: Sequence[str]) -> None:
        self._seat.keep(Turn(move.calls, replies, move.said, move.evictions))

    def close(self) -> None: ...


class Heir:
    """Plays the turns again that a seat took over from another agent; then whoever took it over goes on."""

    def __init__(self, seat: RecordedSeat, inherited: int, successor: Callable[[], Player]) -> None:
        self._seat = seat
        self._inherited = inherited  # turns
        self._successor = successor
        self._player: Player = Repeater(seat)
        self._take_over()

    @property
    def thinks(self) -> bool:
        return self._player.thinks

    async def move(self) -> Move | Parting | None:
        return await self._player.move()

    def heard(self, move: Move, replies: Sequence[str]) -> None:
        self._player.heard(move, replies)
        self._take_over()

    def close(self) -> None:
        self._player.close()

    def _take_over(self) -> None:
        """Whoever goes on from here has not been idle yet."""
        if self._seat.turns == self._inherited and isinstance(self._player, Repeater):
            self._seat.idle = 0
            self._player = self._successor()
