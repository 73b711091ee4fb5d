"""What one hostile client does to the others of a host: fifty honest years without it, and fifty beside it.

    python benchmarks/hostile_client.py                      print the table
    python benchmarks/hostile_client.py docs/connect.md      put it into the page too

The hostile client is a process of its own, without a token. As fast as it can, and all at once, it sends header lines
without end, chunked bodies without end, bodies of a gigabyte, and requests that it leaves half sent. The honest ones
play at a steady pace, which the host could serve several times over, and compare every reply with that of the same
merchant played directly. Leaves with 1 where a reply differs.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from urllib.parse import urlsplit

import psutil
from doc_tables import markdown_table, publish
from host_load import QUIET, Load, hosting, play_all, within

HONEST = 50
PACE = 300  # calls a second, of all honest clients together
HALF_SENT = 2_000  # connections that the hostile client tries to keep open
ATTACK = "--attack"
HEAD = b"POST /v1/actions HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
FLOODS = {
    "endless headers": (HEAD, b"X-Flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" * 1_000),
    "endless chunks": (CHUNKED, b"ffff\r\n" + b"a" * 0xFFFF + b"\r\n"),
    "a gigabyte": (HEAD + b"Content-Length: 1000000000\r\n\r\n", b"a" * 65_536),
}
HEADINGS = ("", "Calls", "Median", "p99", "Longest", "Differ", "Host's CPU", "Host's memory before", "at most")


def connected(url: str) -> socket.socket:
    place = urlsplit(url)
    return socket.create_connection((place.hostname, place.port), timeout=10)


def flood(url: str, name: str, done: Counter[str]) -> None:
    """One connection: send until the host refuses or closes it."""
    begun, endless = FLOODS[name]
    with connected(url) as line:
        line.sendall(begun)
        while True:
            done["bytes"] += line.send(endless)


def half_sent(url: str, done: Counter[str], kept: list[socket.socket]) -> None:
    """One more request that is never finished; those that the host has closed make room."""
    line = connected(url)
    line.sendall(HEAD + b"Content-Length: 100000\r\n\r\nbegun")
    done["bytes"] += len(HEAD)
    kept.append(line)
    if len(kept) > HALF_SENT:
        kept.pop(0).close()


def attack(url: str) -> None:
    """Flood the host in every way at once, until standard input is closed; then report what was sent."""
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


@contextmanager
def peak_memory(process: psutil.Process, load: dict[str, int]) -> Iterator[None]:
    """The most that the process holds meanwhile, in bytes."""
    over = Event()
    load["before"] = load["peak"] = process.memory_info().rss

    def look() -> None:
        while not over.wait(0.02):
            load["peak"] = max(load["peak"], process.memory_info().rss)

    looking = Thread(target=look)
    looking.start()
    try:
        yield
    finally:
        over.set()
        looking.join()


def measured(place: Path) -> tuple[list[tuple[Load, dict[str, int]]], Counter[str], float]:
    """Both loads with the host's memory; what the hostile client sent, and in how many seconds."""
    loads, report = [], Counter[str]()
    with hosting(place) as (ready, process):
        url, token = ready["base_url"], ready["token"]
        for hostile in (False, True):
            memory: dict[str, int] = {}
            began = time.monotonic()
            with peak_memory(process, memory):
                if hostile:
                    with attacked(url, report):
                        load = asyncio.run(play_all(url, token, HONEST, float(PACE), process))
                else:
                    load = asyncio.run(play_all(url, token, HONEST, float(PACE), process))
            loads.append((load, memory))
        return loads, report, time.monotonic() - began


def _row(name: str, load: Load, memory: dict[str, int]) -> tuple[str, ...]:
    waits = (f"{1e3 * within(share, load.waits):.0f} ms" for share in (0.5, 0.99, 1.0))
    held = (f"{memory[moment] / 1e6:,.0f} MB" for moment in ("before", "peak"))
    cpu = f"{load.cpu / load.seconds:.0%} of a core"
    return (name, f"{load.calls:,}", *waits, f"{load.differences:,}", cpu, *held)


def table(loads: list[tuple[Load, dict[str, int]]], report: Counter[str], seconds: float, busy: float) -> str:
    (without, _), (beside, memory) = loads
    ratio = within(0.99, beside.waits) / within(0.99, without.waits)
    grown = memory["peak"] - loads[0][1]["peak"]
    others = f" Other programs kept the machine busy (a load average of {busy:.1f} before)." if busy > QUIET else ""
    return "\n".join(
        (
            f"{HONEST} honest clients, {PACE} calls a second together, at one host; first alone, then beside one "
            f"hostile client without a token, on {os.cpu_count()} cores that all of them share.{others}",
            "",
            markdown_table(HEADINGS, [_row("without it", *loads[0]), _row("beside the hostile client", *loads[1])]),
            "",
            f"The hostile client opened {report['connections']:,} connections and sent {report['bytes'] / 1e6:,.0f} MB "
            f"in {seconds:.0f} seconds. The p99 of the honest ones is {ratio:.1f} times as long beside it, and the "
            f"host's memory at most {grown / 1e6:,.0f} MB larger.",
        )
    )


def main() -> int:
    if sys.argv[1:2] == [ATTACK]:
        attack(sys.argv[2])
    busy = os.getloadavg()[0]
    with TemporaryDirectory() as folder:
        loads, report, seconds = measured(Path(folder, "http"))
    publish("hostile-client", table(loads, report, seconds, busy), sys.argv[1:])
    return 1 if any(load.differences for load, _ in loads) else 0


if __name__ == "__main__":
    sys.exit(main())
