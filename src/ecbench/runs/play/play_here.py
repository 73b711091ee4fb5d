"""Play the episodes of a run, each from wherever its record stands, with the players that its terms name."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.extras import import_with_extra
from ecbench.harness.messages import Usage
from ecbench.players.loop import finish, play_async
from ecbench.players.merchant_player import MerchantPlayer
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.players.merchants.registry import merchant_names
from ecbench.players.session import Seat
from ecbench.players.turn import Leave, Move, Player
from ecbench.players.turn_timer import TurnTimer
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import open_play
from ecbench.runs.play.budget import Budget
from ecbench.runs.play.episodes import (
    Hear,
    OpenEpisode,
    Result,
    Tell,
    ignore,
    load_finished,
    open_episode,
)
from ecbench.runs.play.external_seats import STOPPED, ExternalSeat, ExternalSeats
from ecbench.runs.play.recorded_table import Played, RecordedTable
from ecbench.runs.record.recorded_voice import live_voice
from ecbench.runs.results.year_view import stored_year
from ecbench.runs.signatures.signature import read_signature
from ecbench.runs.terms import Terms
from ecbench.runs.workers.pool import Executor, Finished, Inline, Lost, Processes, Report, Work
from ecbench.tools.outcome import Outcome
from ecbench.world.model import World

NO_SEATS: Mapping[int, ExternalSeat] = MappingProxyType({})
NO_MODELS: Mapping[int, Callable[[], Player]] = MappingProxyType({})

if TYPE_CHECKING:
    from ecbench.runs.play.models import OpenModels


def play_episodes(
    run: Run,
    episodes: Sequence[int],
    *,
    executor: Executor,
    jobs: int,
    hear: Hear,
    stop: StopFlag,
    external: ExternalSeats | None = None,
    budget: Budget | None = None,
) -> list[Result]:
    """Play these episodes, each from where its record stands.

    When a stop is requested, episodes end after their turn, and those that have not begun do not begin. Seats that
    adapters of this process serve (`external`) can be played in this process only. `budget` counts what models use, and
    stops the episodes when it is reached.
    """
    results: list[Result] = []
    external = external or {}

    def report(number: int, message: Any) -> None:
        episode = episodes[number]
        match message:
            case Finished(result):
                message = result
            case Lost(problem):
                message = Result(episode, problem=f"{problem}; ecbench resume tries again", lost=True)
        if isinstance(message, Result):
            results.append(message)
        elif budget is not None:
            if isinstance(message, Usage):
                budget.add(message)
            if budget.reached:
                stop.finish_turns()
        hear(episode, message)

    try:
        works = [PlayEpisode(run, episode, external.get(episode, {})) for episode in episodes]
        executor.run(works, jobs, stop, report)
    finally:
        for seats in external.values():
            for external_seat in seats.values():
                external_seat.abandon(STOPPED)  # a client may wait for an episode that does not begin
    return results


def finished_episodes(run: Run) -> list[Result]:
    """The episodes that are over and whose files belong to their records: their turns need not be read.

    With the key of its run, an episode whose end is not signed is still to be signed.
    """
    results: list[Result] = []
    key = run.signing_key
    for episode in range(run.episodes):
        with suppress(RunError):  # which playing the episode reports
            ended = stored_year(run, episode)
            if ended is None or not ended.over:
                continue
            stated = read_signature(run, episode) if key else None
            if key is None or (stated and stated.head == ended.head and stated.is_signed_with(key.public)):
                results.append(ended)
    return results


@dataclass(frozen=True, slots=True)
class PlayEpisode:
    """Work: play an episode and write its files. Only its first two fields are sent to a worker."""

    run: Run
    episode: int
    external: Mapping[int, ExternalSeat] = field(default_factory=dict)  # the seats that adapters serve
    merchant: Merchant | Insider | None = None  # plays the only seat in place of the one that the terms name

    def __reduce__(self) -> tuple[Any, ...]:
        return PlayEpisode, (self.run, self.episode)

    def __call__(self, tell: Tell, stop: StopFlag) -> Result:
        """Play to the end; with an event loop only if a turn may take real time."""
        terms = self.run.terms
        return finish(self.play(tell, stop), waits=terms.asks_model or any(seat.transport for seat in terms.seats))

    async def play(self, tell: Tell, stop: StopFlag, models: "OpenModels | None" = None) -> Result:
        """Beside other episodes, which share the event loop and the models that are open."""
        result = Result(self.episode)
        try:
            world = self.run.load_world(self.episode)
            with open_episode(self.run, self.episode, tell) as opened:
                for seat, external_seat in self.external.items():
                    external_seat.recorded = opened.recording.turns_of(seat)
                result = load_finished(opened, world) or opened.close_with(
                    await self.play_on(opened, world, stop, models)
                )
        except RunError as problem:
            result = Result.failed(self.episode, problem)
        finally:
            for seat, external_seat in self.external.items():
                if result.ends:
                    external_seat.over(result.ends[seat])
                external_seat.abandon(result.problem or STOPPED)
        return result

    async def play_on(
        self, opened: OpenEpisode, world: World, stop: StopFlag, models: "OpenModels | None" = None
    ) -> Played:
        """Play after the recorded turns, which are replayed and compared. Turns are timed where rivals wait."""
        terms = opened.terms
        if terms.shared and terms.voice != "template":
            raise RunError(
                "where several seats share a market, suppliers speak from templates; leave out --supplier-model"
            )
        async with AsyncExitStack() as held:
            if models is None and terms.asks_model:
                from ecbench.runs.play.models import open_models

                models = await held.enter_async_context(open_models(terms))
            if models is not None and terms.model_voice:
                voice = models.voice(opened, stop)
            else:
                voice = held.enter_context(live_voice(terms, opened.recording.turns))
            table = opened.table(world, voice)
            asked = models.players(opened, table, stop) if models is not None else {}

            def closed(seat: Seat) -> None:
                end = table.close_seat(seat)
                if seat.number in self.external:
                    self.external[seat.number].over(end)

            seconds = opened.run.turn_seconds or terms.turn_seconds
            interrupted = await play_async(
                table,
                seat_players(table, stop, self.external, asked, self.merchant),
                stop=stop,
                timer=TurnTimer(stop, opened.tell, seconds) if terms.shared else None,
                closed=closed,
                act_in_thread=models is not None and terms.model_voice,
            )
            return table.close(interrupted)


class ReplayingPlayer:
    """Replays recorded turns that nobody is asked for again; then its own agent, made at its first move, continues.

    Those are the `inherited` turns that a fork took over, and all turns of an external agent.
    """

    def __init__(
        self, seat: Seat, make_successor: Callable[[], Player], inherited: int, replayed: int, *, waits: bool
    ) -> None:
        self.waits = waits
        self._seat = seat
        self._inherited = inherited
        self._replayed = replayed
        self._make_successor = make_successor
        self._successor: Player | None = None

    async def move(self) -> Move | Leave | None:
        recorded = self._seat.next_recorded
        if self._seat.turns == self._inherited:
            self._seat.idle, self._seat.acted = 0, False  # the agent that continues has done nothing yet
        if recorded is not None and self._seat.turns < self._replayed:
            return recorded.move
        if self._successor is None:
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
    external: Mapping[int, ExternalSeat] = NO_SEATS,
    models: Mapping[int, Callable[[], Player]] = NO_MODELS,
    merchant: Merchant | Insider | None = None,
) -> list[Player]:
    """By seat. `external` are the seats that adapters serve, `models` make the players of models that are open.

    `merchant` plays the only seat in place of the one that the terms name.
    """
    found: list[Player] = []
    fork = table.terms.fork
    for seat, agent in zip(table.seats, table.terms.seats, strict=True):
        make: Callable[[], Player]
        if seat.number in models:
            make = models[seat.number]
        elif seat.number in external:
            make = partial(external[seat.number].player, seat, stop)
        elif agent.transport:
            raise RunError(f"seat {seat.number} ({agent.agent}) is played from outside, and no server runs for it here")
        else:
            of_package = merchant is None and agent.agent in merchant_names()
            opened = partial(open_play, merchant or agent.agent, seat.year, table.terms.days)
            make = partial(MerchantPlayer, opened, redact=not of_package)
        before = table.recording.turns[: fork.turns] if fork and fork.seat == seat.number else ()
        inherited = sum(turn.seat == seat.number for turn in before)
        replayed = len(seat.recorded) if agent.transport else inherited
        waits = seat.number in models or seat.number in external
        found.append(ReplayingPlayer(seat, make, inherited, replayed, waits=waits) if replayed else make())
    return found


class Concurrent:
    """The executor of models: plays their episodes side by side on one event loop, while each waits for its model."""

    def run(self, works: Sequence[Work], jobs: int, stop: StopFlag, report: Report) -> None:
        if works and not stop.requested:
            asyncio.run(_play_all(cast("Sequence[PlayEpisode]", works), jobs, stop, report))


async def _play_all(works: Sequence[PlayEpisode], jobs: int, stop: StopFlag, report: Report) -> None:
    from ecbench.runs.play.models import open_models

    numbers = iter(range(len(works)))

    async def play_next() -> None:
        for number in numbers:
            if stop.requested:
                return
            report(number, Finished(await works[number].play(partial(report, number), stop, models)))

    async with open_models(works[0].run.terms) as models, asyncio.TaskGroup() as group:
        for _ in range(min(jobs, len(works))):
            group.create_task(play_next())


def choose_executor(name: str | None, terms: Terms, jobs: int = 1, episodes: int = 1) -> Executor:
    """The executor of that name, or the one that fits; raises RunError if there is none for such agents."""
    if name == "ray":
        if terms.asks_model:
            raise RunError("the ray executor plays merchants; a model waits for its provider, so leave out --executor")
        cluster: Executor = import_with_extra("ecbench.runs.workers.ray", "ray").RayCluster()
        return cluster
    if name not in (None, "processes"):
        raise RunError(f"there is no executor {name!r:.60}; there are processes and ray")
    if name is None and terms.seats[0].asks_model and not terms.shared:
        return Concurrent()
    return Processes() if name or (jobs > 1 and episodes > 1) else Inline()


def play_here(
    run: Run,
    episode: int,
    hear: Hear = ignore,
    stop: StopFlag | None = None,
    *,
    external: Mapping[int, ExternalSeat] = NO_SEATS,
    merchant: Merchant | Insider | None = None,
) -> Result:
    """Play one episode in this process to its end."""
    return PlayEpisode(run, episode, external, merchant)(partial(hear, episode), stop or StopFlag())
