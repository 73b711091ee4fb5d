"""What passes between a player and a seat: a move in, a turn with its outcomes back, and the decision to leave."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Protocol

from msgspec import Meta, Struct

from ecbench.episode import Episode
from ecbench.tools.outcome import Outcome

Record = dict[str, Any]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Money = Annotated[float, Meta(ge=-1e300, le=1e300)]  # neither an infinity nor a NaN

LONGEST_RESULT = 65_536  # characters of a reply that an agent is shown


@dataclass(frozen=True, slots=True)
class Move:
    """A turn before it is run, as the gate admitted it."""

    calls: Sequence[Record]  # name and arguments; also the client's id, and the problem of an unreadable call
    message: Record = field(default_factory=dict)  # a model's words, reasoning and token usage
    evictions: Sequence[Record] = ()  # what left a model's context before the turn


@dataclass(frozen=True, slots=True)
class Leave:
    """The decision to stop trading, which ends the episode at that seat."""

    ending: str = "idle"
    reason: str = ""


class Player(Protocol):
    """Decides the turns of one seat. Raises PlayerFailure when it cannot."""

    @property
    def waits(self) -> bool:
        """Whether a move may take real time, so that other players are asked meanwhile."""
        ...

    async def move(self) -> Move | Leave | None:
        """The next turn, the decision to leave, or None if the player was asked to stop before it had a turn.

        Never awaits anything where `waits` is false.
        """
        ...

    def on_results(self, move: Move, outcomes: Sequence[Outcome], /) -> None:
        """The move was run and recorded."""
        ...

    def close(self) -> None:
        """No further move will be asked for."""
        ...


class State(Struct, frozen=True):
    """Where a merchant stands after a turn."""

    turn: Count  # of this seat, from 1
    time: str
    day: Count
    bank: Money
    wallet: Money
    escrow: Money
    stores: Count
    calls: Count  # so far

    @property
    def total(self) -> float:
        return self.bank + self.wallet + self.escrow


def state_of(year: Episode, turn: int, calls: int) -> State:
    """The state of a year after a given number of turns and calls."""
    books = year.account.books
    purse, now = books.purse, year.now.isoformat()
    return State(turn, now, year.day, purse.bank, purse.wallet, purse.escrow, len(books.trading), calls)


@dataclass(slots=True)
class Turn:
    """One turn of a seat: what the agent said and called, what came of it, and what happened around it."""

    calls: Sequence[Record]
    outcomes: Sequence[Outcome] = ()  # one per call; none while the turn waits for the morning
    message: Record = field(default_factory=dict)
    evictions: Sequence[Record] = ()
    voices: Sequence[Record] = ()  # what suppliers said, where the templates did not
    seat: int = 0
    day: int = 0  # on which it was handed in
    state: State | None = None  # it left; None while it waits for the morning

    @property
    def replies(self) -> list[str]:
        return [outcome.text for outcome in self.outcomes]

    @property
    def move(self) -> Move:
        return Move(self.calls, self.message, self.evictions)


def shortened(reply: str, longest: int = LONGEST_RESULT) -> str:
    """A reply no longer than an agent is shown, with a mark where something is missing."""
    if len(reply) <= longest:
        return reply
    return f"{reply[:longest]}\n[cut: {longest:,} of {len(reply):,} characters shown]"
