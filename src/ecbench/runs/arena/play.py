"""Rounds of an arena: open the records of the seats, see that they belong here, play on, write what follows."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from ecbench.arena import Arena
from ecbench.harness.messages import ModelFailure, OnRetry, RetryNotice
from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.market_record import FILE, MarketRecord
from ecbench.runs.arena.open_seats import STOPPED, OpenSeat, OpenSeats
from ecbench.runs.arena.outside_player import OutsidePlayer
from ecbench.runs.arena.patience import Patience, Wait
from ecbench.runs.arena.pending import Pending
from ecbench.runs.arena.players import Heir, MerchantPlayer, Player, Repeater
from ecbench.runs.arena.round import Round
from ecbench.runs.errors import RunError
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.episodes import OpenEpisode, Result, open_episode, read_episode
from ecbench.runs.play.recorded_seat import Played, RecordedSeat
from ecbench.runs.record.events import State, Terms, is_over
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorder import Append
from ecbench.runs.results.checksums import sealed_report
from ecbench.runs.results.summary_file import summarize_alone
from ecbench.runs.rule_overrides import rules_with
from ecbench.suppliers.voices import TemplateVoice
from ecbench.world.load import load_world
from ecbench.world.model import World

ANSWER = "answer.json"  # of a model, until its turn is recorded


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What became of a round: of its seats in order, or why it could not be played on."""

    number: int
    seats: tuple[Result, ...] = ()
    problem: str = ""

    @property
    def over(self) -> bool:
        ends = [result.end for result in self.seats]
        return bool(ends) and all(is_over(end) for end in ends)


class ArenaListener(Protocol):
    """Told how the seats of the rounds get on, from one thread."""

    def progressed(self, number: int, seat: int, state: State, /) -> None: ...
    def on_retry(self, number: int, seat: int, notice: RetryNotice, /) -> None: ...
    def kept_waiting(self, number: int, seat: int, wait: Wait, /) -> None:
        """From a thread beside the others, while they wait."""
        ...

    def closed(self, result: RoundResult, /) -> None: ...


@dataclass(slots=True)
class RoundTable:
    """The opened records of a round, and the market that they are played in."""

    number: int
    arena: Arena
    seats: list[RecordedSeat]
    episodes: list[OpenEpisode]
    market: MarketRecord
    open_seats: Mapping[int, OpenSeat]  # by seat, of those who hand in their turns
    results: dict[int, Result] = field(default_factory=dict)

    def close(self, seat: int, played: Played) -> None:
        self._take(seat, self.episodes[seat].close_with(played))

    def _take(self, seat: int, result: Result) -> None:
        self.results[seat] = result
        summarize_alone(self.episodes[seat].run, result)
        if seat in self.open_seats:
            self.open_seats[seat].end(result)

    @property
    def result(self) -> RoundResult:
        return RoundResult(self.number, tuple(self.results[seat] for seat in sorted(self.results)))

    def settled(self) -> RoundResult | None:
        """A round that is over already, with all files that belong to it."""
        for seat, episode in enumerate(self.episodes):
            recording = episode.recording
            report = sealed_report(episode.folder, recording.end_check) if recording.finished else None
            if report is None:
                return None
            self._take(seat, Result(0, recording.end, report=report))
        return self.result


def play_round(
    run: ArenaRun, number: int, listener: ArenaListener, stop: StopFlag, open_seats: OpenSeats | None = None
) -> RoundResult:
    """Play one round in this process to its end, from wherever its records stand.

    `open_seats` are those of the whole arena; without them nobody can sit down from outside.
    """
    taken = {seat: place for (own, seat), place in (open_seats or {}).items() if own == number}
    result = RoundResult(number)
    try:
        result = asyncio.run(_play(run, number, listener, stop, taken))
    except ModelFailure as failure:
        result = RoundResult(number, problem=f"{failure}; nothing was changed")
    except RunError as problem:
        result = RoundResult(number, problem=str(problem))
    finally:
        for place in taken.values():
            place.abandon(result.problem or STOPPED)
    listener.closed(result)
    return result


async def _play(
    run: ArenaRun, number: int, listener: ArenaListener, stop: StopFlag, open_seats: Mapping[int, OpenSeat]
) -> RoundResult:
    with _sitting_down(run, number, listener, open_seats) as table:
        settled = table.settled()
        if settled is not None:
            return settled
        async with AsyncExitStack() as models:
            players = [
                await _player(run, table, seat, models, stop, partial(listener.on_retry, number, seat))
                for seat in range(table.arena.seats)
            ]
            await Round(
                table.arena,
                table.seats,
                players,
                table.market,
                stop,
                table.close,
                Patience(stop, partial(listener.kept_waiting, number)),
                run.terms.turn_seconds,
                _pending(run, table) if table.open_seats else [],
            ).play()
        return table.result


@contextmanager
def _sitting_down(
    run: ArenaRun, number: int, listener: ArenaListener, open_seats: Mapping[int, OpenSeat]
) -> Iterator[RoundTable]:
    world = load_world(run.terms.world_of(number))
    with ExitStack() as held:
        episodes = [held.enter_context(open_episode(seat, 0)) for seat in run.seat_runs(number, world)]
        market = held.enter_context(MarketRecord(run.round_folder(number) / FILE))
        arena = open_market(run, world)
        seats = []
        for seat, episode in enumerate(episodes):
            append = _telling(episode, partial(listener.progressed, number, seat))
            seats.append(_sit_down(arena, seat, episode.run.terms, episode.recording, append))
        yield RoundTable(number, arena, seats, episodes, market, open_seats)


def open_market(run: ArenaRun, world: World) -> Arena:
    terms = run.terms
    return Arena(
        world, seats=terms.seats, days=terms.days, stake=terms.stake, rules=rules_with(terms.rules, terms.rule_set)
    )


def _sit_down(
    arena: Arena, seat: int, terms: Terms, recording: Recording, append: Append | None = None
) -> RecordedSeat:
    year = arena.year(seat)
    return RecordedSeat(terms, 0, year.world, recording, TemplateVoice(), append, year=year)


def _telling(episode: OpenEpisode, progressed: Callable[[State], None]) -> Append:
    def append(lines: bytes, state: State | None) -> None:
        episode.append(lines, state)
        if state is not None:
            progressed(state)

    return append


async def _player(
    run: ArenaRun, table: RoundTable, seat: int, models: AsyncExitStack, stop: StopFlag, on_retry: OnRetry
) -> Player:
    """Whoever the terms of the seat name; one that was taken over first plays what it took over."""
    own, folder = table.seats[seat], run.seat_folder(table.number, seat)
    successor: Callable[[], Player] = partial(MerchantPlayer, own)
    if own.terms.door:
        if seat not in table.open_seats:
            raise RunError(f"seat {seat} ({own.terms.agent}) is played from outside, and nobody serves it here")
        successor = partial(OutsidePlayer, own, table.open_seats[seat], folder, stop)
    elif is_model(own.terms.agent):
        from ecbench.runs.arena.model_player import open_player  # here, since the model layer takes a second to import

        successor = await open_player(own, folder / ANSWER, models, stop, on_retry)
    return Heir(own, own.terms.fork.turns, successor) if own.terms.fork else successor()


def _pending(run: ArenaRun, table: RoundTable) -> list[Pending]:
    folders = [run.seat_folder(table.number, seat) for seat in range(table.arena.seats)]
    return [Pending(folder, durable=seat in table.open_seats) for seat, folder in enumerate(folders)]


def replay_round(
    run: ArenaRun, number: int, turns: list[int], watch: Callable[[RecordedSeat], None] = lambda _: None
) -> dict[int, Played]:
    """Recompute a recorded round and compare every reply, state and morning; raises Divergence at the first difference.

    By seat, the years that came to their end; `turns` are counted as they come out as recorded. `watch` is shown each
    seat before the first turn.
    """
    world = load_world(run.terms.world_of(number))
    arena, played = open_market(run, world), dict[int, Played]()
    recordings = [(seat.terms, read_episode(seat, 0)) for seat in run.seat_runs(number, world)]
    seats = [_sit_down(arena, seat, *recorded) for seat, recorded in enumerate(recordings)]
    for seat in seats:
        watch(seat)
    ended = StopFlag()
    ended.request()
    with MarketRecord(run.round_folder(number) / FILE, writing=False) as market:
        players = [Repeater(seat) for seat in seats]
        try:
            patience = Patience(ended, lambda *_: None)
            asyncio.run(Round(arena, seats, players, market, ended, played.__setitem__, patience).play())
        finally:
            turns[:] = [seat.turns for seat in seats]
    return played
