"""What a host bears: two hundred years at once over HTTP, each compared with the same merchant played directly.

    python benchmarks/host_load.py                      print the tables
    python benchmarks/host_load.py docs/connect.md      put them into the page too

The host is a process of its own; the clients share another one with this script. First every client sends its next
turn as soon as the last one is answered, which shows how much the host can do; then the turns come at a steady pace,
which shows how long each of them waits. It takes a few minutes and is bounded in turns.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson
import psutil
from doc_tables import markdown_table, write_block
from mcp import Client, StdioServerParameters

from ecbench.agents.driver import begin_play
from ecbench.agents.registry import get_merchant
from ecbench.episode import Episode
from ecbench.seat import cut
from ecbench.worlds import load_world

SESSIONS = 200
DAYS, PACED_DAYS = 60, 40
WHOLE_YEAR = 365
MERCHANTS = ("haggler", "first-quote")
PACE = 1_500  # calls a second, of all sessions together
HALF, LATE = 0.5, 0.9  # of all turns, when the host's memory is looked at
MCP_CALLS = 500
GIB = 1 << 30
ECBENCH = (sys.executable, "-m", "ecbench")


class Sent(NamedTuple):
    """A turn as it goes over the line, and what has to come back."""

    body: bytes
    replies: list[str]


@dataclass
class Load:
    """What clients and host went through."""

    calls: int = 0
    turns: int = 0
    differences: int = 0
    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)  # seconds, of every turn
    cpu: float = 0.0  # seconds of the host
    memory: dict[str, int] = field(default_factory=dict)  # bytes of the host, by the moment

    def wait(self, share: float) -> float:
        """So long or less waited this share of all turns, in seconds."""
        return sorted(self.waits)[min(len(self.waits) - 1, int(share * len(self.waits)))]


def transcript(agent: str, days: int) -> list[Sent]:
    """The year of a merchant played directly, as turns to send."""
    year = Episode(load_world("default"), days=days)
    play = begin_play(get_merchant(agent, days=days), year)
    turns: list[Sent] = []
    calls: Any = next(play)
    while True:
        replies = year.act(calls)
        turns.append(Sent(orjson.dumps({"tool_calls": list(calls)}), [cut(reply) for reply in replies]))
        if year.done:
            return turns
        calls = play.send([json.loads(reply) for reply in replies])


class Line:
    """A connection that is kept open, and speaks just enough HTTP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self._reader = reader
        self._writer = writer
        self._head = f"Host: localhost\r\nAuthorization: Bearer {token}\r\n"

    async def post(self, path: str, body: bytes = b"") -> Any:
        head = f"POST {path} HTTP/1.1\r\n{self._head}Content-Length: {len(body)}\r\n\r\n"
        self._writer.write(head.encode() + body)
        status, *headers = (await self._reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        length = next(int(line[15:]) for line in headers if line.lower().startswith(b"content-length:"))
        answer = orjson.loads(await self._reader.readexactly(length))
        if not status.startswith(b"HTTP/1.1 2"):
            raise SystemExit(f"the host answers {status.decode()}: {answer}")
        return answer

    def close(self) -> None:
        self._writer.close()


@asynccontextmanager
async def connected(url: str, token: str) -> AsyncIterator[Line]:
    place = urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port, limit=1 << 22)
    line = Line(reader, writer, token)
    try:
        yield line
    finally:
        line.close()


async def play(line: Line, turns: Sequence[Sent], load: Load, pace: float, start: float) -> None:
    """`pace`: seconds from one call to the next one of this session; 0: as soon as it can."""
    due = start
    for turn in turns:
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        began = time.monotonic()
        answer = await line.post("/v1/actions", turn.body)
        load.waits.append(time.monotonic() - began)
        came = [response["content"] for response in answer["tool_responses"]]
        load.differences += came != turn.replies
        load.turns += 1
        load.calls += len(came)
        due = max(due + pace * len(came), began) if pace else 0.0


async def play_all(url: str, token: str, days: int, calls_a_second: float, host: psutil.Process) -> Load:
    load = Load(memory={"before": host.memory_info().rss})
    transcripts = [transcript(agent, days) for agent in MERCHANTS]
    async with connected(url, token) as first:
        tokens = [(await first.post("/v1/sessions"))["token"] for _ in range(SESSIONS)]
    lines = [connected(url, each) for each in tokens]
    seated = [await line.__aenter__() for line in lines]
    cpu, start = sum(host.cpu_times()[:2]), time.monotonic()
    pace = SESSIONS / calls_a_second if calls_a_second else 0.0
    games = [
        asyncio.ensure_future(
            play(line, transcripts[number % len(transcripts)], load, pace, start + pace * number / SESSIONS)
        )
        for number, line in enumerate(seated)
    ]
    total = sum(len(transcripts[number % len(transcripts)]) for number in range(SESSIONS))
    watching = asyncio.ensure_future(watch(load, total, host))
    await asyncio.gather(*games)
    watching.cancel()
    load.seconds = time.monotonic() - start
    load.cpu = sum(host.cpu_times()[:2]) - cpu
    load.memory["end"] = host.memory_info().rss
    for line in lines:
        await line.__aexit__(None, None, None)
    return load


async def watch(load: Load, total: int, host: psutil.Process) -> None:
    """The host's memory while every year is still open."""
    for name, share in (("half", HALF), ("late", LATE)):
        while load.turns < share * total:
            await asyncio.sleep(0.05)
        load.memory[name] = host.memory_info().rss


@contextmanager
def hosting(place: Path, days: int) -> Iterator[tuple[dict[str, str], psutil.Process]]:
    command = ["host", "--port", "0", "--out", str(place), "--days", str(days), "--max-sessions", f"{SESSIONS + 1}"]
    with subprocess.Popen([*ECBENCH, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as host:
        try:
            assert host.stdout is not None
            yield json.loads(host.stdout.readline()), psutil.Process(host.pid)
        finally:
            host.kill()


def http_load(place: Path, days: int, calls_a_second: float) -> Load:
    with hosting(place, days) as (ready, host):
        return asyncio.run(play_all(ready["base_url"], ready["token"], days, calls_a_second, host))


async def mcp_waits(place: Path) -> list[float]:
    """Seconds of each of many calls over standard input and output, which the first one opens the year for."""
    command = StdioServerParameters(command=ECBENCH[0], args=[*ECBENCH[1:], "mcp", "--out", str(place)])
    waits = []
    async with Client(command) as client:
        for _ in range(MCP_CALLS + 1):
            began = time.perf_counter()
            await client.call_tool("check_balance", {})
            waits.append(time.perf_counter() - began)
    return waits[1:]


def tables(quick: Load, paced: Load, mcp: Sequence[float], busy: tuple[float, float]) -> str:
    rows = [_row("as fast as they are answered", quick), _row(f"{PACE:,} calls a second", paced)]
    head = (
        "Turns come",
        "Calls",
        "Calls/s",
        "Median",
        "p99",
        "CPU that the host got",
        "Calls per CPU second",
        "Differ",
    )
    opened = quick.memory["late"] - quick.memory["before"]
    years = quick.turns and 3_600 / (quick.cpu / SESSIONS * WHOLE_YEAR / DAYS)
    daily = (quick.memory["late"] - quick.memory["half"]) / SESSIONS / (DAYS * (LATE - HALF))
    slowest = sorted(mcp)[int(0.99 * len(mcp))]
    return "\n".join(
        (
            f"{SESSIONS} years at once on one host (one process, {os.cpu_count()} shared cores, with a load average of "
            f"{busy[0]:.1f} before and {busy[1]:.1f} after, this measurement included), played by "
            f"{' and '.join(MERCHANTS)}; a year is {DAYS} days long in the first line and {PACED_DAYS} in the second.",
            "",
            markdown_table(head, rows),
            "",
            f"- **Years a core-hour**: {years:,.0f} of {WHOLE_YEAR} days, from the CPU time of the first line.",
            f"- **Sessions a GB**: {SESSIONS * GIB / opened:,.0f}; after {DAYS * LATE:.0f} days an open year takes "
            f"{opened / SESSIONS / 1e6:.2f} MB beside {quick.memory['before'] / 1e6:,.0f} MB of the host. It grows by "
            f"{daily / 1e3:.1f} kB a simulated day: its letters, orders, books and calls, which its report is made of. "
            f"With all years over the host had {quick.memory['end'] / 1e6:,.0f} MB.",
            f"- **An MCP call** over standard input and output: {1e3 * fmean(mcp):.1f} ms on average, p99 "
            f"{1e3 * slowest:.1f} ms, over {len(mcp)} calls of `check_balance`.",
        )
    )


def _row(name: str, load: Load) -> tuple[str, ...]:
    waits = (f"{1e3 * load.wait(share):.0f} ms" for share in (0.5, 0.99))
    cpu = (f"{load.cpu / load.seconds:.0%} of a core", f"{load.calls / load.cpu:,.0f}")
    return (name, f"{load.calls:,}", f"{load.calls / load.seconds:,.0f}", *waits, *cpu, f"{load.differences:,}")


def main() -> None:
    before = os.getloadavg()[0]
    with TemporaryDirectory() as folder:
        quick = http_load(Path(folder, "quick"), DAYS, 0.0)
        paced = http_load(Path(folder, "paced"), PACED_DAYS, PACE)
        mcp = asyncio.run(mcp_waits(Path(folder, "mcp")))
    block = tables(quick, paced, mcp, (before, os.getloadavg()[0]))
    print(block)
    for page in map(Path, sys.argv[1:]):
        write_block(page, "host-load", block)


if __name__ == "__main__":
    main()
