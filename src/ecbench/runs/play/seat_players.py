"""The players of an episode, made from its terms. `models.py` makes those of models."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.players.merchant_player import MerchantPlayer
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.players.merchants.registry import merchant_names
from ecbench.players.session import Seat
from ecbench.players.turn import Leave, Move, Player
from ecbench.runs.play.agents import open_play
from ecbench.runs.play.external_seats import ExternalPlayer, ExternalSeat
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.tools.outcome import Outcome

MakePlayer = Callable[[], Player]


class ForkedPlayer:
    """Replays the turns that a fork took over from another agent; then its own agent continues.

    The successor is made when its first move is asked for: it begins with the state that it takes over.
    """

    def __init__(self, seat: Seat, inherited: int, make_successor: MakePlayer, *, waits: bool) -> None:
        self.waits = waits
        self._seat = seat
        self._inherited = inherited
        self._make_successor = make_successor
        self._successor: Player | None = None

    async def move(self) -> Move | Leave | None:
        recorded = self._seat.next_recorded
        if self._seat.turns < self._inherited and recorded is not None:
            return recorded.move
        if self._successor is None:
            self._seat.idle, self._seat.acted = 0, False  # the agent that continues has done nothing yet
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
    fork = table.terms.fork
    for seat, agent in zip(table.seats, table.terms.seats, strict=True):
        waits = agent.transport != "" or bool(models and seat.number in models)
        if models and seat.number in models:
            make = models[seat.number]
        elif agent.transport:
            if not external or seat.number not in external:
                raise RunError(
                    f"seat {seat.number} ({agent.agent}) is played from outside, and no server runs for it here"
                )
            make = partial(ExternalPlayer, seat, external[seat.number], stop)
        else:
            of_package = merchant is None and agent.agent in merchant_names()
            opened = partial(open_play, merchant or agent.agent, seat.year, table.terms.days)
            make = partial(MerchantPlayer, opened, redact=not of_package)
        before = table.recording.turns[: fork.inherited_turns(seat.number)] if fork else ()
        inherited = sum(turn.seat == seat.number for turn in before)
        found.append(ForkedPlayer(seat, inherited, make, waits=waits) if inherited else make())
    return found
