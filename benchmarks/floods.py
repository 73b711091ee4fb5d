"""What one hostile client does to the others of a server: fifty honest episodes without it, and fifty beside it.

    python benchmarks/floods.py                      print the table
    python benchmarks/floods.py docs/studies.md     put it into the page too, between its marks

The hostile client is a process of its own, without a token. As fast as it can, and all at once, it sends header lines
without end, chunked bodies without end, bodies of a gigabyte, and requests that it leaves half sent. The honest clients
play at a steady pace and compare every reply with that of the same merchant played directly. A wait counts from the
moment at which a turn was due. It takes about two minutes and exits with 1 if a reply differs.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson
import psutil
from doc_tables import markdown_table, options_of, publish

from ecbench.episode import Episode
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.players.turn import shortened
from ecbench.world.load import load_world

SESSIONS = 50
DAYS = 30
MERCHANTS = ("haggler", "first-quote")
PACE = 300.0  # calls a second, of all sessions together
HALF_SENT = 2_000  # connections that the hostile client tries to keep open
LONGEST_SECONDS = 300.0  # of either part
ATTACK = "--attack"
HEAD = b"POST /v1/actions HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
FLOODS = {
    "endless headers": (HEAD, b"X-Flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" * 1_000),
    "endless chunks": (CHUNKED, b"ffff\r\n" + b"a" * 0xFFFF + b"\r\n"),
    "a gigabyte": (HEAD + b"Content-Length: 1000000000\r\n\r\n", b"a" * 65_536),
}
HEADINGS = ("", "Calls", "Median", "p99", "Longest", "Differ", "Server's CPU", "Memory before", "Peak memory")


class Sent(NamedTuple):
    """A turn as it is sent, and the replies that must come back."""

    body: bytes
    replies: list[str]


@dataclass
class Load:
    """What clients and server measured."""

    calls: int = 0
    differences: int = 0
    seconds: float = 0.0
    cpu: float = 0.0  # seconds of the server
    waits: list[float] = field(default_factory=list)  # seconds, of every turn
    memory: dict[str, int] = field(default_factory=dict)  # bytes of the server: before, and at most

    def wait(self, share: float) -> float:
        """The wait that this share of the turns did not exceed."""
        return sorted(self.waits)[min(len(self.waits) - 1, int(share * len(self.waits)))]


def transcript(agent: str) -> list[Sent]:
    """The episode of a merchant played directly, as turns to send."""
    episode = Episode(load_world("default"), days=DAYS)
    play = begin_play(get_merchant(agent, days=DAYS), episode)
    turns: list[Sent] = []
    calls: Any = next(play)
    while True:
        replies = episode.act(calls)
        turns.append(Sent(orjson.dumps({"tool_calls": list(calls)}), [shortened(reply) for reply in replies]))
        if episode.done:
            return turns
        calls = play.send([json.loads(reply) for reply in replies])


class Line(NamedTuple):
    """A connection that is kept open and speaks just enough HTTP."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    token: str

    async def post(self, path: str, body: bytes = b"") -> Any:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n"
        self.writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        status, *headers = (await self.reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        length = next(int(line[15:]) for line in headers if line.lower().startswith(b"content-length:"))
        answer = orjson.loads(await self.reader.readexactly(length))
        if not status.startswith(b"HTTP/1.1 2"):
            raise SystemExit(f"the server answers {status.decode()}: {answer}")
        return answer


@asynccontextmanager
async def connected(url: str, token: str) -> AsyncIterator[Line]:
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port, limit=1 << 22)
    try:
        yield Line(reader, writer, token)
    finally:
        writer.close()


async def play(line: Line, turns: Sequence[Sent], load: Load, pace: float, due: float) -> None:
    """`pace`: seconds from one call of this session to the next."""
    for turn in turns:
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        answer = await line.post("/v1/actions", turn.body)
        load.waits.append(time.monotonic() - due)
        replies = [response["content"] for response in answer["tool_responses"]]
        load.differences += replies != turn.replies
        load.calls += len(replies)
        due += pace * len(replies)


async def play_all(url: str, token: str, server: psutil.Process) -> Load:
    """The calls of each session are spread over the time that all of them take."""
    transcripts = [transcript(agent) for agent in MERCHANTS]
    played = [transcripts[number % len(transcripts)] for number in range(SESSIONS)]
    calls = [sum(len(turn.replies) for turn in turns) for turns in played]
    load = Load()
    async with AsyncExitStack() as lines:
        first = await lines.enter_async_context(connected(url, token))
        tokens = [(await first.post("/v1/sessions"))["token"] for _ in range(SESSIONS)]
        seats = [await lines.enter_async_context(connected(url, each)) for each in tokens]
        cpu, start = _cpu(server), time.monotonic()
        async with asyncio.timeout(LONGEST_SECONDS), asyncio.TaskGroup() as games:
            for number, (line, turns) in enumerate(zip(seats, played, strict=True)):
                pace = sum(calls) / PACE / calls[number]
                games.create_task(play(line, turns, load, pace, start + pace * number / SESSIONS))
        load.seconds, load.cpu = time.monotonic() - start, _cpu(server) - cpu
    return load


def _cpu(process: psutil.Process) -> float:
    used = process.cpu_times()
    return used.user + used.system


@contextmanager
def serving(folder: Path) -> Iterator[tuple[dict[str, str], psutil.Process]]:
    arguments = ["--port", "0", "--out", str(folder), "--days", str(DAYS), "--max-sessions", f"{2 * SESSIONS + 1}"]
    command = [sys.executable, "-m", "ecbench", "http", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            yield json.loads(server.stdout.readline()), psutil.Process(server.pid)
        finally:
            server.kill()


@contextmanager
def peak_memory(process: psutil.Process, memory: dict[str, int]) -> Iterator[None]:
    over = Event()
    memory["before"] = memory["peak"] = process.memory_info().rss

    def sample() -> None:
        while not over.wait(0.02):
            memory["peak"] = max(memory["peak"], process.memory_info().rss)

    sampling = Thread(target=sample)
    sampling.start()
    try:
        yield
    finally:
        over.set()
        sampling.join()


def dialled(url: str) -> socket.socket:
    address = urlsplit(url)
    return socket.create_connection((address.hostname, address.port), timeout=10)


def flood(url: str, name: str, done: Counter[str]) -> None:
    """One connection: send until the server refuses or closes it."""
    begun, endless = FLOODS[name]
    with dialled(url) as line:
        line.sendall(begun)
        while True:
            done["bytes"] += line.send(endless)


def half_sent(url: str, done: Counter[str], kept: list[socket.socket]) -> None:
    """One more request that is never finished; those that the server has closed make room."""
    line = dialled(url)
    line.sendall(HEAD + b"Content-Length: 100000\r\n\r\nbegun")
    done["bytes"] += len(HEAD)
    kept.append(line)
    if len(kept) > HALF_SENT:
        kept.pop(0).close()


def attack(url: str) -> None:
    """Flood the server in every way at once, until standard input is closed; then report what was sent."""
    done, kept = Counter[str](), list[socket.socket]()
    ways: list[Callable[[], None]] = [partial(flood, url, name, done) for name in FLOODS]
    ways.append(partial(half_sent, url, done, kept))

    def repeat(way: Callable[[], None]) -> None:
        while True:
            with suppress(OSError):
                way()
            done["connections"] += 1

    for way in ways:
        Thread(target=repeat, args=(way,), daemon=True).start()
    sys.stdin.read()
    print(json.dumps(done), flush=True)
    os._exit(0)


@contextmanager
def attacked(url: str, report: Counter[str]) -> Iterator[None]:
    command = [sys.executable, __file__, ATTACK, url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as hostile:
        try:
            yield
        finally:
            report.update(json.loads(hostile.communicate()[0]))


def measured(url: str, token: str, server: psutil.Process, report: Counter[str] | None = None) -> Load:
    memory: dict[str, int] = {}
    with peak_memory(server, memory), attacked(url, report) if report is not None else nullcontext():
        load = asyncio.run(play_all(url, token, server))
    load.memory = memory
    return load


def row(name: str, load: Load) -> list[str]:
    waits = [f"{1e3 * load.wait(share):.0f} ms" for share in (0.5, 0.99, 1.0)]
    memory = [f"{load.memory[moment] / 1e6:,.0f} MB" for moment in ("before", "peak")]
    return [name, f"{load.calls:,}", *waits, f"{load.differences}", f"{load.cpu / load.seconds:.0%} of a core", *memory]


def main() -> int:
    if sys.argv[1:2] == [ATTACK]:
        attack(sys.argv[2])
    pages = options_of(__doc__).pages
    report = Counter[str]()
    with TemporaryDirectory() as folder, serving(Path(folder, "http")) as (ready, server):
        alone = measured(ready["base_url"], ready["token"], server)
        beside = measured(ready["base_url"], ready["token"], server, report)
    table = markdown_table(HEADINGS, [row("without it", alone), row("beside the hostile client", beside)])
    sent = f"{report['connections']:,} connections and {report['bytes'] / 1e6:,.0f} MB"
    about = f"{SESSIONS} clients, {PACE:.0f} calls a second together, on {os.cpu_count()} cores that all share."
    publish("floods", f"{about}\n\n{table}\n\nThe hostile client sent {sent} in {beside.seconds:.0f} s.", pages)
    return 1 if alone.differences or beside.differences else 0


if __name__ == "__main__":
    sys.exit(main())
