"""The players of an episode, made from its terms, and what is around them while they play.

`models.py` makes the players of models.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.harness.messages import RetryNotice, Usage
from ecbench.players.merchant_player import MerchantPlayer
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.players.merchants.registry import merchant_names
from ecbench.players.turn import Leave, Move, Player
from ecbench.players.turn_timer import SlowTurn, TurnTimer
from ecbench.runs.play.agents import open_play
from ecbench.runs.play.external_seats import ExternalPlayer, ExternalSeat
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.terms import Terms
from ecbench.tools.outcome import Outcome

MakePlayer = Callable[[], Player]


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

    def timer(self, terms: Terms) -> TurnTimer:
        """For rivals, who wait for each other."""
        return TurnTimer(self.stop, self.slow, self.turn_seconds or terms.turn_seconds)


def close_seat(table: RecordedTable, context: PlayContext, seat: int) -> None:
    """Derive what a seat came to that ended before its rivals, and tell the adapter that serves it."""
    end = table.close_seat(seat)
    if seat in context.external:
        context.external[seat].end(end)


class ForkedPlayer:
    """Replays the turns that a fork took over from another agent; then its own agent continues.

    The successor is made when its first move is asked for: it begins with the state that it takes over.
    """

    def __init__(
        self, table: RecordedTable, seat: int, inherited: int, make_successor: MakePlayer, *, waits: bool
    ) -> None:
        self.waits = waits
        self._moves = [turn.move for turn in reversed(table.recording.turns[:inherited]) if turn.seat == seat]
        self._count = table.session.counts[seat]
        self._make_successor = make_successor
        self._successor: Player | None = None

    async def move(self) -> Move | Leave | None:
        if self._moves:
            return self._moves.pop()
        if self._successor is None:
            self._count.idle, self._count.acted = 0, False  # the agent that continues has done nothing yet
            self._successor = self._make_successor()
        return await self._successor.move()

    def on_results(self, move: Move, outcomes: Sequence[Outcome]) -> None:
        if self._successor is not None:
            self._successor.on_results(move, outcomes)

    def close(self) -> None:
        if self._successor is not None:
            self._successor.close()


def seat_players(
    table: RecordedTable,
    stop: StopFlag,
    *,
    external: Mapping[int, ExternalSeat] | None = None,
    models: Mapping[int, MakePlayer] | None = None,
    merchant: Merchant | Insider | None = None,
) -> list[Player]:
    """By seat. `external` are the seats that adapters serve, `models` the players of models that are open.

    `merchant` plays the only seat in place of the one that the terms name.
    """
    found: list[Player] = []
    for seat, agent in enumerate(table.terms.seats):
        waits = agent.transport != "" or bool(models and seat in models)
        if models and seat in models:
            make = models[seat]
        elif agent.transport:
            if not external or seat not in external:
                raise RunError(f"seat {seat} ({agent.agent}) is played from outside, and no server runs for it here")
            make = partial(ExternalPlayer, table.session, seat, external[seat], stop)
        else:
            year, days = table.session.years[seat], table.terms.days
            of_package = merchant is None and agent.agent in merchant_names()
            opened = partial(open_play, merchant or agent.agent, year, days)
            make = partial(MerchantPlayer, opened, redact=not of_package)
        fork = table.terms.fork
        inherited = fork.inherited_turns(seat) if fork else 0
        found.append(ForkedPlayer(table, seat, inherited, make, waits=waits) if inherited else make())
    return found
