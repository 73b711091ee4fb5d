"""What is around an episode while it is played: cancellation, listeners, time limits, and the agents of the caller."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ecbench.cancellation import StopFlag
from ecbench.harness.messages import RetryNotice, Usage
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.players.turn_timer import SlowTurn, TurnTimer
from ecbench.runs.play.external_seats import ExternalSeat
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.terms import Terms


def _ignore(*_: object) -> None: ...


@dataclass(frozen=True, slots=True)
class PlayContext:
    """What is around an episode while it is played."""

    stop: StopFlag = field(default_factory=StopFlag)
    on_retry: Callable[[int, RetryNotice], None] = _ignore  # a model's request failed and is repeated, by seat
    on_usage: Callable[[int, Usage], None] = _ignore  # a model's answer used so much, by seat
    slow: Callable[[int, SlowTurn], None] = _ignore  # a seat keeps the others waiting; called from another thread
    external: Mapping[int, ExternalSeat] = field(default_factory=dict)  # by seat
    turn_seconds: float | None = None  # in place of what the terms say
    window: Mapping[str, int] | None = None  # a context policy in place of that of the terms, from the next turn on
    merchant: Merchant | Insider | None = None  # an object of the caller, which plays the only seat

    def timer(self, terms: Terms) -> TurnTimer | None:
        """Where rivals wait for each other."""
        return TurnTimer(self.stop, self.slow, self.turn_seconds or terms.turn_seconds) if terms.shared else None


def closing(table: RecordedTable, context: PlayContext) -> Callable[[int], None]:
    """Derives what a seat came to that ended before its rivals, and tells the adapter that serves it."""

    def closed(seat: int) -> None:
        table.close_seat(seat)
        result = table.result(seat)
        if seat in context.external and result is not None:
            context.external[seat].end(result.end)

    return closed
