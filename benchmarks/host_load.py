"""What a host bears: two hundred years at once over HTTP, each compared with the same merchant played directly.

    python benchmarks/host_load.py                      print the tables
    python benchmarks/host_load.py docs/connect.md      put them into the page too

The host is a process of its own; the clients share another one with this script. First every client sends its next
turn as soon as the last one is answered, which shows how much the host can do; then, at the same host, the turns of
two hundred further years come at a steady pace, which shows how long each of them waits. It takes about a minute on
two idle cores and gives up after three. Leaves with 1 where a reply differs.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
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
DAYS = 30
WHOLE_YEAR = 365
MERCHANTS = ("haggler", "first-quote")
PACE = 1_500  # calls a second, of all sessions together
HALF, LATE = 0.5, 0.9  # of all turns, when the host's memory is looked at
LONGEST_SECONDS = 80.0  # of either part
MCP_CALLS = 500
QUIET = 1.0  # a load average above which the waits say more of the machine than of the host
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
    clients_cpu: float = 0.0
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


async def play_all(url: str, token: str, calls_a_second: float, host: psutil.Process) -> Load:
    transcripts = [transcript(agent, DAYS) for agent in MERCHANTS]
    played = [transcripts[number % len(transcripts)] for number in range(SESSIONS)]
    async with AsyncExitStack() as lines:
        first = await lines.enter_async_context(connected(url, token))
        load = Load(memory={"before": host.memory_info().rss})
        tokens = [(await first.post("/v1/sessions"))["token"] for _ in range(SESSIONS)]
        seated = [await lines.enter_async_context(connected(url, each)) for each in tokens]
        pace = SESSIONS / calls_a_second if calls_a_second else 0.0
        cpu, own, start = _cpu(host), time.process_time(), time.monotonic()
        try:
            async with asyncio.timeout(LONGEST_SECONDS), asyncio.TaskGroup() as games:
                games.create_task(watch(load, sum(map(len, played)), host))
                for number, (line, turns) in enumerate(zip(seated, played)):
                    games.create_task(play(line, turns, load, pace, start + pace * number / SESSIONS))
        except TimeoutError:
            told = f"given up: {load.calls:,} calls in {LONGEST_SECONDS:.0f} seconds; is the machine busy?"
            raise SystemExit(told) from None
        load.seconds = time.monotonic() - start
        load.cpu, load.clients_cpu = _cpu(host) - cpu, time.process_time() - own
        load.memory["end"] = host.memory_info().rss
    return load


def _cpu(process: psutil.Process) -> float:
    used = process.cpu_times()
    return used.user + used.system


async def watch(load: Load, total: int, host: psutil.Process) -> None:
    """The host's memory while every year is still open."""
    for name, share in (("half", HALF), ("late", LATE)):
        while load.turns < share * total:
            await asyncio.sleep(0.05)
        load.memory[name] = host.memory_info().rss


@contextmanager
def hosting(place: Path) -> Iterator[tuple[dict[str, str], psutil.Process]]:
    command = ["host", "--port", "0", "--out", str(place), "--days", str(DAYS), "--max-sessions", f"{SESSIONS + 1}"]
    with subprocess.Popen([*ECBENCH, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as host:
        try:
            assert host.stdout is not None
            yield json.loads(host.stdout.readline()), psutil.Process(host.pid)
        finally:
            host.kill()


def http_loads(place: Path) -> tuple[Load, Load]:
    """As fast as it goes, and then at a pace."""
    with hosting(place) as (ready, host):
        quick, paced = (
            asyncio.run(play_all(ready["base_url"], ready["token"], pace, host)) for pace in (0.0, float(PACE))
        )
    return quick, paced


class McpCost(NamedTuple):
    """Seconds of a call over standard input and output, and of the server's processor."""

    waits: list[float]
    cpu: float


async def mcp_cost(place: Path) -> McpCost:
    command = StdioServerParameters(command=ECBENCH[0], args=[*ECBENCH[1:], "mcp", "--out", str(place)])
    waits = []
    async with Client(command) as client:
        await client.call_tool("check_balance", {})  # which opens the year
        [server] = [each for each in psutil.Process().children() if "mcp" in each.cmdline()]
        cpu = _cpu(server)
        for _ in range(MCP_CALLS):
            began = time.perf_counter()
            await client.call_tool("check_balance", {})
            waits.append(time.perf_counter() - began)
        return McpCost(sorted(waits), (_cpu(server) - cpu) / MCP_CALLS)


def tables(quick: Load, paced: Load, mcp: McpCost, busy: float) -> str:
    speed = (
        "Turns come",
        "Calls",
        "Calls/s",
        "Median",
        "p99",
        "Host's CPU",
        "Clients' CPU",
        "Calls per CPU s",
        "Differ",
    )
    rows = [_row("as fast as they are answered", quick), _row(f"{PACE:,} calls a second", paced)]
    memory = ("Memory of the host", "before", "half-way", "nine tenths through", "all over")
    grown = [_memory(f"the first {SESSIONS} years", quick), _memory(f"the second {SESSIONS}", paced)]
    others = (
        f" Other programs kept the machine busy (a load average of {busy:.1f} before): the waits are those of a host "
        "that got the part of a core in the table, and the calls per second of CPU time say what a core would give."
    )
    return "\n".join(
        (
            f"{SESSIONS} years of {DAYS} days at once on one host, played by {' and '.join(MERCHANTS)}; then "
            f"{SESSIONS} further ones at a steady pace. One process for the host and one for all clients, on "
            f"{os.cpu_count()} cores.{others if busy > QUIET else ''}",
            "",
            markdown_table(speed, rows),
            "",
            markdown_table(memory, grown),
            "",
            *_rates(quick),
            f"- **An MCP call** over standard input and output: {1e3 * mcp.cpu:.1f} ms of the server's CPU time; "
            f"{1e3 * fmean(mcp.waits):.1f} ms on the clock on average, p99 "
            f"{1e3 * mcp.waits[int(0.99 * MCP_CALLS)]:.1f} ms, over {MCP_CALLS} calls of `check_balance`.",
        )
    )


def _rates(load: Load) -> tuple[str, ...]:
    """What a gigabyte and a core are good for."""
    opened = load.memory["late"] - load.memory["before"]
    daily = (load.memory["late"] - load.memory["half"]) / SESSIONS / (DAYS * (LATE - HALF))
    years = 3_600 / (load.cpu / SESSIONS * WHOLE_YEAR / DAYS)
    return (
        f"- **Sessions a GB**: {SESSIONS * GIB / opened:,.0f}; after {DAYS * LATE:.0f} days an open year takes "
        f"{opened / SESSIONS / 1e6:.2f} MB. It grows by {daily / 1e3:.1f} kB a simulated day: its letters, orders, "
        "books and calls, which its report is made of.",
        f"- **Years a core-hour**: {years:,.0f} of {WHOLE_YEAR} days, from the host's CPU time of the first line.",
    )


def _memory(name: str, load: Load) -> tuple[str, ...]:
    return (name, *(f"{load.memory[moment] / 1e6:,.0f} MB" for moment in ("before", "half", "late", "end")))


def _row(name: str, load: Load) -> tuple[str, ...]:
    waits = (f"{1e3 * load.wait(share):.0f} ms" for share in (0.5, 0.99))
    cpu = (f"{each / load.seconds:.0%} of a core" for each in (load.cpu, load.clients_cpu))
    calls = f"{load.calls / load.cpu:,.0f}"
    return (name, f"{load.calls:,}", f"{load.calls / load.seconds:,.0f}", *waits, *cpu, calls, f"{load.differences:,}")


def main() -> int:
    before = os.getloadavg()[0]
    with TemporaryDirectory() as folder:
        quick, paced = http_loads(Path(folder, "http"))
        mcp = asyncio.run(mcp_cost(Path(folder, "mcp")))
    block = tables(quick, paced, mcp, before)
    print(block)
    for page in map(Path, sys.argv[1:]):
        write_block(page, "host-load", block)
    return 1 if quick.differences or paced.differences else 0


if __name__ == "__main__":
    sys.exit(main())
