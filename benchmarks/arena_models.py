"""What a turn of a model costs us in an arena of eight: the market, the tools, the conversation, and its record.

    python benchmarks/arena_models.py

The models answer at once, so all the processor time of the thread is ours. Answers and turns are written to disk as in
any arena.
"""

import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from ecbench.runs.arena.folder import create_arena
from ecbench.runs.arena.market_record import FILE, MarketRecord
from ecbench.runs.arena.model_player import ModelPlayer
from ecbench.runs.arena.play import open_market
from ecbench.runs.arena.round import Round
from ecbench.runs.arena.terms import ArenaTerms
from instant_model import BATCH, InstantModel

from ecbench.cancellation import StopFlag
from ecbench.players.turn_timer import TurnTimer
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.reader import Recording
from ecbench.suppliers.voices import TemplateVoice
from ecbench.world.load import load_world

SEATS = 8
DAYS = 40
GOAL = 3.0  # milliseconds


def play(folder: Path) -> tuple[int, float]:
    """Turns of all seats, and processor seconds."""
    world = load_world("default")
    run = create_arena(folder / "arena", ArenaTerms(("instant/model",) * SEATS, 1, ("default",), DAYS, 100_000.0))
    arena = open_market(run, world)
    seats, players = [], []
    for place in range(SEATS):
        events = AppendOnlyLog(folder / f"{place}.jsonl")
        terms = run.seat_terms(0, place, world)

        def append(lines: bytes, _state: object, events: AppendOnlyLog = events) -> None:
            events.append(lines)

        seat = RecordedSeat(terms, 0, world, Recording(), TemplateVoice(), append, year=arena.year(place))
        seats.append(seat)
        players.append(ModelPlayer(seat, InstantModel(), folder / f"{place}.json", StopFlag()))
    with MarketRecord(folder / FILE) as market:
        started = time.thread_time()
        stop = StopFlag()
        asyncio.run(
            Round(arena, seats, players, market, stop, lambda *_: None, TurnTimer(stop, lambda *_: None)).play()
        )
        return sum(seat.turns for seat in seats), time.thread_time() - started


def main() -> None:
    with TemporaryDirectory() as folder:
        turns, seconds = play(Path(folder))
    share = 1_000 * seconds / turns
    print(f"{SEATS} model seats, {turns:,} turns of {len(BATCH)} calls: {share:.2f} ms of ours a turn (goal {GOAL:g})")


if __name__ == "__main__":
    main()
