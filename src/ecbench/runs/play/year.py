"""One episode, from wherever its record stands to its end, by the players that its terms name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.harness.messages import RetryNotice
from ecbench.players.loop import play
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.players.turn_timer import SlowTurn, TurnTimer
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.external_seats import ExternalSeat
from ecbench.runs.play.recorded_table import Append, Played, RecordedTable
from ecbench.runs.play.resumed_voice import live_voice
from ecbench.runs.play.seat_players import seat_players
from ecbench.runs.record.reader import Recording
from ecbench.runs.terms import Terms
from ecbench.world.model import World


def _ignore(*_: object) -> None: ...


@dataclass(frozen=True, slots=True)
class PlayContext:
    """What is around an episode while it is played."""

    stop: StopFlag = field(default_factory=StopFlag)
    on_retry: Callable[[int, RetryNotice], None] = _ignore  # a model's request failed and is repeated, by seat
    slow: Callable[[int, SlowTurn], None] = _ignore  # a seat keeps the others waiting; called from another thread
    external: Mapping[int, ExternalSeat] = field(default_factory=dict)  # by seat
    turn_seconds: float | None = None  # in place of what the terms say
    merchant: Merchant | Insider | None = None  # an object of the caller, which plays the only seat

    def timer(self, terms: Terms) -> TurnTimer | None:
        """Where rivals wait for each other."""
        return TurnTimer(self.stop, self.slow, self.turn_seconds or terms.turn_seconds) if terms.shared else None


def play_episode(
    terms: Terms, episode: int, world: World, recording: Recording, append: Append, context: PlayContext
) -> Played:
    """Play on behind `recording`, which is replayed and compared first."""
    if terms.shared and terms.voice != "template":
        raise RunError("where several seats share a market, suppliers speak from templates; leave out --supplier-model")
    if any(is_model(seat.agent) and not seat.door for seat in terms.seats):
        from ecbench.runs.play.models import play_with_models

        return play_with_models(terms, episode, world, recording, append, context)
    with live_voice(terms, recording.turns, lambda notice: context.on_retry(0, notice)) as voice:
        table = RecordedTable.open(terms, episode, world, recording, voice, append)
        players = seat_players(table, context.stop, external=context.external, merchant=context.merchant)
        interrupted = play(
            table.session, players, stop=context.stop, timer=context.timer(terms), closed=closing(table, context)
        )
    played = table.close(interrupted)
    table.release()
    return played


def closing(table: RecordedTable, context: PlayContext) -> Callable[[int], None]:
    """Derives what a seat came to that ended before its rivals, and tells the adapter that serves it."""

    def closed(seat: int) -> None:
        table.close_seat(seat)
        result = table.result(seat)
        if seat in context.external and result is not None:
            context.external[seat].end(result.end)

    return closed
