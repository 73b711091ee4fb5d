"""What a turn of a model costs us in an arena of eight: the market, the tools, the conversation, and its record.

    python benchmarks/arena_models.py

The models answer at once, so all the processor time of the thread is ours. Turns are written to disk as in any
arena.
"""

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from instant_model import BATCH, InstantModel

from ecbench.harness.model_player import ModelPlayer, open_conversation
from ecbench.players.loop import play
from ecbench.players.turn import State
from ecbench.runs.play.model_settings import brief_of
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.reader import Recording
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.suppliers.voices import TemplateVoice
from ecbench.world.load import load_world

SEATS = 8
DAYS = 40
GOAL = 3.0  # milliseconds


def play_models(path: Path) -> tuple[int, float]:
    """Turns of all seats, and processor seconds."""
    world = load_world("default")
    seats = (SeatTerms("instant/model"),) * SEATS
    terms = Terms.of_seats(world, seats, DAYS, 100_000.0)
    with AppendOnlyLog(path) as events:

        def append(lines: bytes, _state: State | None, _seat: int) -> None:
            events.append(lines)

        table = RecordedTable.open(terms, 0, world, Recording(), TemplateVoice(), append)
        players = [
            ModelPlayer(InstantModel(), open_conversation(brief_of(terms, seat, world)), table.session, seat)
            for seat in range(SEATS)
        ]
        started = time.thread_time()
        play(table.session, players)
        return sum(count.turns for count in table.session.counts), time.thread_time() - started


def main() -> None:
    with TemporaryDirectory() as folder:
        turns, seconds = play_models(Path(folder, "events.jsonl"))
    share = 1_000 * seconds / turns
    print(f"{SEATS} model seats, {turns:,} turns of {len(BATCH)} calls: {share:.2f} ms of ours a turn (goal {GOAL:g})")


if __name__ == "__main__":
    main()
