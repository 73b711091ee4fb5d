"""What a turn costs with a full window: our share, and the model client's.

    python benchmarks/harness_turn.py

Our share is the loop, the context editor, counting, the tools and the record on disk. The client's is Inspect with the
provider's library, against a server on loopback that answers at once. Both are processor time of one thread.
"""

import asyncio
import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory

from instant_model import BATCH, InstantModel, completion_server

import ecbench
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Answer, Message
from ecbench.harness.model_player import Conversation, ModelPlayer, open_conversation
from ecbench.harness.models import open_model
from ecbench.harness.settings import ModelSettings
from ecbench.players.loop import play_async
from ecbench.players.session import TableSession
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorder import Recorder
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.table import Table

TURNS = 250
REQUESTS = 12
FULL = 110_000  # tokens in the window from which a turn counts
GOAL = 0.003  # seconds


class WatchedModel(InstantModel):
    """Measures the time between two questions, which is ours."""

    def __init__(self) -> None:
        super().__init__()
        self.full_turns: list[float] = []
        self.fullest: list[Message] = []
        self.most = 0
        self._left = 0.0

    async def answer(self, messages: Sequence[Message]) -> Answer:
        ours = time.thread_time() - self._left
        used = tokens_in(messages)
        if used >= FULL and self.answered:
            self.full_turns.append(ours)
        if used > self.most:
            self.most, self.fullest = used, list(messages)
        answer = await super().answer(messages)
        self._left = time.thread_time()
        return answer


def tokens_in(messages: Sequence[Message]) -> int:
    gauge = re.search(r"Token usage: (\d+)/", messages[-1].text)
    return int(gauge[1]) if gauge else 0


@contextmanager
def instant_server() -> Iterator[str]:
    server = completion_server()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def client_times(messages: list[Message]) -> list[float]:
    with instant_server() as url:
        settings = ModelSettings("openai-api/loopback/instant", base_url=url, model_args={"api_key": "none"})
        model = open_model(settings, ecbench.tool_schemas())
        times = []
        for _ in range(REQUESTS):
            started = time.thread_time()
            await model.answer(messages)
            times.append(time.thread_time() - started)
        await model.close()
        return times[2:]  # the first ones load Inspect's tables


async def play_recorded(model: WatchedModel, folder: Path) -> Conversation:
    world = ecbench.load_world("default")
    terms = Terms.of_seats(world, (SeatTerms("loopback/instant"),), world.days, 100_000.0)
    with AppendOnlyLog(folder / "events.jsonl") as events:
        recorder = Recorder(Recording(), terms, 0, lambda lines, _state, _seat: events.append(lines))
        session = TableSession(Table(world), recorder, max_turns=TURNS)
        player = ModelPlayer(model, open_conversation(Brief(max_turns=TURNS)), session)
        await play_async(session, [player])
        return player.talk


async def main() -> None:
    model = WatchedModel()
    with TemporaryDirectory() as folder:
        talk = await play_recorded(model, Path(folder))
        recorded = Path(folder, "events.jsonl").stat().st_size
    ours = model.full_turns
    theirs = await client_times(model.fullest)
    print(f"{talk.turns} turns of {len(BATCH)} calls, {talk.evictions} evictions, {recorded / 1e6:.1f} MB recorded")
    print(f"window at its fullest: {model.most:,} tokens in {len(model.fullest)} messages")
    print(f"our share of a full turn: {mean(ours) * 1e3:.2f} ms on average, {max(ours) * 1e3:.2f} ms at worst")
    print(f"the client's share:       {median(theirs) * 1e3:.1f} ms")
    print(f"ours to the client's:     {mean(ours) / median(theirs):.3f}")
    print(f"ours to the goal of {GOAL * 1e3:.0f} ms: {mean(ours) / GOAL:.2f}")


if __name__ == "__main__":
    asyncio.run(main())
