"""Play one episode in this process, from wherever its record stands, with the players that its terms name.

`models.py` makes those of models.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.players.loop import finish, play_async
from ecbench.players.merchant_player import MerchantPlayer
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.players.merchants.registry import merchant_names
from ecbench.players.session import Seat
from ecbench.players.turn import Leave, Move, Player
from ecbench.players.turn_timer import TurnTimer
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import open_play
from ecbench.runs.play.episodes import Listener, OpenEpisode, Result, load_finished, open_episode
from ecbench.runs.play.external_seats import STOPPED, ExternalPlayer, ExternalSeat
from ecbench.runs.play.recorded_table import Played, RecordedTable
from ecbench.runs.record.recorded_voice import live_voice
from ecbench.tools.outcome import Outcome
from ecbench.world.model import World

if TYPE_CHECKING:
    from ecbench.runs.play.models import OpenModels


def play_here(
    run: Run,
    episode: int,
    world: World,
    listener: Listener,
    stop: StopFlag,
    external: Mapping[int, ExternalSeat] | None = None,
    merchant: Merchant | Insider | None = None,
) -> Result:
    """Play one episode in this process to its end.

    `external` are its seats that adapters serve; `merchant` plays the only seat in place of the one that is named.
    """
    game = play_beside(run, episode, world, listener, stop=stop, external=external or {}, merchant=merchant)
    return finish(game, waits=waits_for_seats(run))


def waits_for_seats(run: Run) -> bool:
    """Whether any seat takes real time for a turn: a model's, or one that is played from outside."""
    return any(seat.asks_model or seat.transport for seat in run.terms.seats)


async def play_beside(
    run: Run, episode: int, world: World, listener: Listener, models: "OpenModels | None" = None, **around: Any
) -> Result:
    """The same beside other episodes, which share the event loop and the models that are open.

    `around` are other fields of `OpenEpisode`.
    """
    external, result = around["external"], Result(episode)
    try:
        with open_episode(run, episode, listener, **around) as opened:
            for seat, external_seat in external.items():
                external_seat.recorded = opened.recording.turns_of(seat)
            result = load_finished(opened, world) or opened.close_with(await play_episode(opened, world, models))
    except RunError as problem:
        result = Result.failed(episode, problem)
    finally:
        for seat, external_seat in external.items():
            if result.ends:
                external_seat.over(result.ends[seat])
            external_seat.abandon(result.problem or STOPPED)
    return result


async def play_episode(opened: OpenEpisode, world: World, models: "OpenModels | None" = None) -> Played:
    """Play on behind the record, which is replayed and compared first. Rivals wait for each other: turns are timed."""
    terms, stop = opened.terms, opened.stop
    if terms.shared and terms.voice != "template":
        raise RunError("where several seats share a market, suppliers speak from templates; leave out --supplier-model")
    async with AsyncExitStack() as held:
        if models is None and any(seat.asks_model for seat in terms.seats):
            from ecbench.runs.play.models import open_models

            models = await held.enter_async_context(open_models(terms))
        if models is not None and terms.model_voice:
            voice = models.voice(opened)
        else:
            voice = held.enter_context(live_voice(terms, opened.recording.turns, *opened.model_listeners(), stop))
        table = opened.table(world, voice)
        asked = models.players(opened, table) if models is not None else {}
        players = seat_players(table, stop, external=opened.external, models=asked, merchant=opened.merchant)
        seconds = opened.run.turn_seconds or terms.turn_seconds
        interrupted = await play_async(
            table,
            players,
            stop=stop,
            timer=TurnTimer(stop, partial(opened.listener.slow, opened.episode), seconds) if terms.shared else None,
            closed=partial(opened.close_seat, table),
            act_in_thread=models is not None and terms.model_voice,
        )
        return table.close(interrupted)


class ForkedPlayer:
    """Replays the turns that a fork took over from another agent; then its own agent continues.

    The successor is made when its first move is asked for: it begins with the state that it takes over.
    """

    def __init__(self, seat: Seat, inherited: int, make_successor: Callable[[], Player], *, waits: bool) -> None:
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
    models: Mapping[int, Callable[[], Player]] | None = None,
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
