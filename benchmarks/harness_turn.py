"""What a turn costs with a full window: our share, and the model client's.

    python benchmarks/harness_turn.py

Our share is the loop, the context editor, counting, the tools and the record on disk. The client's is Inspect with the
provider's library, against a server on loopback that answers at once. Both are processor time of one thread.
"""

import asyncio
import json
import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

from busy_turn import BATCH

import ecbench
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Answer, Call, Message
from ecbench.harness.model_player import open_conversation
from ecbench.harness.models import open_model
from ecbench.harness.settings import ModelSettings
from ecbench.players.session import TableSession
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorder import Recorder
from ecbench.runs.terms import Terms

TURNS = 250
REQUESTS = 12
FULL = 110_000  # tokens in the window from which a turn counts
GOAL = 0.003  # seconds


@dataclass
class InstantModel:
    """Answers at once with the same batch; the time between two questions is ours."""

    full_turns: list[float] = field(default_factory=list)
    fullest: list[Message] = field(default_factory=list)
    most: int = 0
    _left: float = 0.0
    _number: int = 0

    async def answer(self, messages: Sequence[Message]) -> Answer:
        ours = time.thread_time() - self._left
        used = tokens_in(messages)
        if used >= FULL and self._number:
            self.full_turns.append(ours)
        if used > self.most:
            self.most, self.fullest = used, list(messages)
        self._number += 1
        calls = tuple(
            Call(f"call_{self._number}_{index}", name, arguments) for index, (name, arguments) in enumerate(BATCH)
        )
        said = Answer(Message("assistant", "Another day, another look at the shelves.", calls=calls))
        self._left = time.thread_time()
        return said


def tokens_in(messages: Sequence[Message]) -> int:
    gauge = re.search(r"Token usage: (\d+)/", messages[-1].text)
    return int(gauge[1]) if gauge else 0


@contextmanager
def instant_server() -> Iterator[str]:
    message = {"role": "assistant", "content": "Understood."}
    body = json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": "instant",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
    ).encode()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Requests are not worth a line each."""

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
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


async def play_recorded(model: InstantModel, folder: Path) -> YearPlayed:
    world = ecbench.load_world("default")
    terms = Terms.alone(world.name, world.id, world.seed, agent="loopback/instant", days=world.days, stake=100_000.0)
    with AppendOnlyLog(folder / "events.jsonl") as events:
        recorder = Recorder(Recording(), terms, 0, lambda lines, _: events.append(lines))
        seat = TableSession(ecbench.Episode(world), recorder, max_turns=TURNS)
        return await play(seat, model, open_conversation(Brief(max_turns=TURNS)))


async def main() -> None:
    model = InstantModel()
    with TemporaryDirectory() as folder:
        outcome = await play_recorded(model, Path(folder))
        recorded = Path(folder, "events.jsonl").stat().st_size
    ours = model.full_turns
    theirs = await client_times(model.fullest)
    print(
        f"{outcome.turns} turns of {len(BATCH)} calls, {outcome.evictions} evictions, {recorded / 1e6:.1f} MB recorded"
    )
    print(f"window at its fullest: {model.most:,} tokens in {len(model.fullest)} messages")
    print(f"our share of a full turn: {mean(ours) * 1e3:.2f} ms on average, {max(ours) * 1e3:.2f} ms at worst")
    print(f"the client's share:       {median(theirs) * 1e3:.1f} ms")
    print(f"ours to the client's:     {mean(ours) / median(theirs):.3f}")
    print(f"ours to the goal of {GOAL * 1e3:.0f} ms: {mean(ours) / GOAL:.2f}")


if __name__ == "__main__":
    asyncio.run(main())
