"""What a host bears: two hundred years at once over HTTP, each compared with the same merchant played directly.

    python benchmarks/host_load.py                      print the tables
    python benchmarks/host_load.py docs/connect.md      put them into the page too

The host is a process of its own; the clients share another one with this script. First one client plays alone, which
shows how long a turn takes that waits for no other. Then every client sends its next turn as soon as the last one is
answered, which shows how much the host can do; each turn then waits for one of every other client. At last, at the same
host, the turns of two hundred further years come at a steady pace, which shows how long a turn waits at a host that
could do more. It counts from the moment at which a turn was due: one that could not be sent in time, because the one
before was answered late, has waited, too. It takes about a minute on two idle cores and gives up after three. Leaves
with 1 where a reply differs.
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
from doc_tables import markdown_table, publish
from mcp import Client, StdioServerParameters

from ecbench.episode import Episode
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.players.turn import shortened
from ecbench.world.load import load_world

SESSIONS = 200
DAYS = 30
WHOLE_YEAR = 365
MERCHANTS = ("haggler", "first-quote")
PACE = 1_600  # calls a second, of all sessions together
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
    last_waits: list[float] = field(default_factory=list)  # of those that ended a year
    cpu: float = 0.0  # seconds of the host
    clients_cpu: float = 0.0
    memory: dict[str, int] = field(default_factory=dict)  # bytes of the host, by the moment


def within(share: float, waits: Sequence[float]) -> float:
    """So long or less waited this share of them, in seconds."""
    return sorted(waits)[min(len(waits) - 1, int(share * len(waits)))]


def transcript(agent: str, days: int) -> list[Sent]:
    """The year of a merchant played directly, as turns to send."""
    year = Episode(load_world("default"), days=days)
    play = begin_play(get_merchant(agent, days=days), year)
    turns: list[Sent] = []
    calls: Any = next(play)
    while True:
        replies = year.act(calls)
        turns.append(Sent(orjson.dumps({"tool_calls": list(calls)}), [shortened(reply) for reply in replies]))
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
        began = due if pace else time.monotonic()
        answer = await line.post("/v1/actions", turn.body)
        load.waits.append(time.monotonic() - began)
        if answer["done"]:
            load.last_waits.append(load.waits[-1])
        came = [response["content"] for response in answer["tool_responses"]]
        load.differences += came != turn.replies
        load.turns += 1
        load.calls += len(came)
        due += pace * len(came)


async def play_all(url: str, token: str, sessions: int, calls_a_second: float, host: psutil.Process) -> Load:
    """At a pace, the calls of each session are spread over the time that all of them take, so that it is even."""
    transcripts = [transcript(agent, DAYS) for agent in MERCHANTS]
    played = [transcripts[number % len(transcripts)] for number in range(sessions)]
    calls = [sum(len(turn.replies) for turn in turns) for turns in played]
    duration = sum(calls) / calls_a_second if calls_a_second else 0.0
    async with AsyncExitStack() as lines:
        first = await lines.enter_async_context(connected(url, token))
        load = Load(memory={"before": host.memory_info().rss})
        tokens = [(await first.post("/v1/sessions"))["token"] for _ in range(sessions)]
        seated = [await lines.enter_async_context(connected(url, each)) for each in tokens]
        cpu, own, start = _cpu(host), time.process_time(), time.monotonic()
        try:
            async with asyncio.timeout(LONGEST_SECONDS), asyncio.TaskGroup() as games:
                games.create_task(watch(load, sum(map(len, played)), host))
                for number, (line, turns) in enumerate(zip(seated, played)):
                    pace = duration / calls[number]
                    games.create_task(play(line, turns, load, pace, start + pace * number / sessions))
        except TimeoutError:
            problem = f"given up: {load.calls:,} calls in {LONGEST_SECONDS:.0f} seconds; is the machine busy?"
            raise SystemExit(problem) from None
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


class Loads(NamedTuple):
    """The same host under three loads."""

    alone: Load
    quick: Load
    paced: Load


def http_loads(place: Path) -> Loads:
    with hosting(place) as (ready, host):
        asked = ((1, 0.0), (SESSIONS, 0.0), (SESSIONS, float(PACE)))
        return Loads(*(asyncio.run(play_all(ready["base_url"], ready["token"], *each, host)) for each in asked))


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


SPEED = (
    "Turns come",
    "Calls",
    "Calls/s",
    "Median",
    "p99",
    "Longest",
    "p99 of last turns",
    "Host's CPU",
    "Clients' CPU",
    "Calls per CPU s",
    "Differ",
)
MEMORY = ("Memory of the host", "before", "half-way", "nine tenths through", "all over")


def tables(loads: Loads, mcp: McpCost, busy: float) -> str:
    alone, quick, paced = loads
    rows = [
        _row("from one session alone", alone),
        _row(f"from {SESSIONS}, as fast as they are answered", quick),
        _row(f"from {SESSIONS}, {PACE:,} calls a second", paced),
    ]
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
            markdown_table(SPEED, rows),
            "",
            _waits(alone, quick),
            "",
            markdown_table(MEMORY, grown),
            "",
            *_rates(quick),
            f"- **An MCP call** over standard input and output: {1e3 * mcp.cpu:.1f} ms of the server's CPU time; "
            f"{1e3 * fmean(mcp.waits):.1f} ms on the clock on average, p99 "
            f"{1e3 * mcp.waits[int(0.99 * MCP_CALLS)]:.1f} ms, over {MCP_CALLS} calls of `check_balance`.",
        )
    )


def _waits(alone: Load, quick: Load) -> str:
    """What the waits in the table are made of."""
    return (
        f"A turn itself takes {1e3 * fmean(alone.waits):.1f} ms (the first line); the rest of a wait is for the turns "
        f"of others. Where {SESSIONS} sessions send their next turn at once, each waits for about one of every other: "
        f"{SESSIONS} sessions over {quick.turns / quick.seconds:,.0f} turns a second are "
        f"{1e3 * SESSIONS * quick.seconds / quick.turns:.0f} ms on average, however the host shares its time. At a "
        f"pace, a wait counts from the moment at which the turn was due. All years begin and end together, which is "
        "the hardest case: a last turn closes the business, and is on the disk before it is answered."
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
    measured = [within(share, load.waits) for share in (0.5, 0.99, 1.0)] + [within(0.99, load.last_waits)]
    waits = (f"{1e3 * wait:.0f} ms" for wait in measured)
    cpu = (f"{each / load.seconds:.0%} of a core" for each in (load.cpu, load.clients_cpu))
    calls = f"{load.calls / load.cpu:,.0f}"
    return (name, f"{load.calls:,}", f"{load.calls / load.seconds:,.0f}", *waits, *cpu, calls, f"{load.differences:,}")


def main() -> int:
    before = os.getloadavg()[0]
    with TemporaryDirectory() as folder:
        loads = http_loads(Path(folder, "http"))
        mcp = asyncio.run(mcp_cost(Path(folder, "mcp")))
    publish("host-load", tables(loads, mcp, before), sys.argv[1:])
    return 1 if any(load.differences for load in loads) else 0


if __name__ == "__main__":
    sys.exit(main())
