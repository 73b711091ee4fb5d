"""How fast a process comes to its first year, how fast years replay and copy, and how much memory they take.

    python benchmarks/replay.py

Times are processor time. Speed is given in units of a fixed piece of plain Python timed in the same run, and the first
year of new processes as multiples of a plain start of the interpreter, so that both hold from one machine to the next.
Where the published recordings lie beside the project, their own measure runs too: a multiple of the release.
"""

import gzip
import hashlib
import json
import random
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import ecbench
from ecbench.extras import is_compiled
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.world.model import World

ROOT = Path(__file__).parents[1]
RECORDINGS = ROOT / "tests" / "recordings"
RELEASE_MEASURE = ROOT.parent / "shared" / "parity" / "speed.py"
ROUNDS = 5
COPY_GOAL = 1e-3 if is_compiled() else 3e-3  # seconds
MEMORY_GOAL = 0.45e6  # bytes of one episode beyond the world
CROWD = 100
FIRST_YEAR = """
from time import process_time
marks = [process_time()]
import ecbench
load, marks = ecbench.load_world, [*marks, process_time()]
world, marks = load("default"), [*marks, process_time()]
opened, marks = ecbench.Episode(world), [*marks, process_time()]
import gzip, json
year = json.loads(gzip.decompress(open({recording!r}, "rb").read()))
def replay():
    episode = ecbench.Episode(world, days=year["days"], stake=year["stake"])
    begun = process_time()
    for turn in year["turns"]:
        episode.act(turn["calls"])
    return process_time() - begun
steps = [marks[0], *[after - before for before, after in zip(marks, marks[1:])], replay(), min(replay(), replay())]
print(json.dumps(steps))
"""
STEPS = ("interpreter", "import of load_world", "world", "import and first Episode", "first replay", "later replay")


def unit() -> float:
    """The unit: 6,000 seeded streams, one draw each, and a little arithmetic."""
    total, found = 0.0, dict[int, float]()
    for number in range(6_000):
        share = random.Random(20_260_122 + int(hashlib.md5(b"k%d" % number).hexdigest()[:8], 16)).random()
        found[number % 97] = found.get(number % 97, 0.0) + share
        for step in range(20):
            total += share * step / (1.0 + total % 3.0)
    return total


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def best(work: Callable[[], object]) -> float:
    """The quickest of several rounds: the one the machine disturbed least."""
    return min(seconds(work) for _ in range(ROUNDS))


def replay(world: World, recording: dict[str, Any]) -> ecbench.Episode:
    episode = ecbench.Episode(world, days=recording["days"], stake=recording["stake"])
    for turn in recording["turns"]:
        episode.act(turn["calls"])
    return episode


def measure_speed(world: World, recordings: list[dict[str, Any]]) -> None:
    measure = best(unit)
    print(f"the unit took {measure * 1e3:.1f} ms")
    for recording in recordings:
        again = partial(replay, world, recording)
        cold, warm = seconds(again), best(again)
        calls = sum(len(turn["calls"]) for turn in recording["turns"])
        print(
            f"{recording['name']}: cold {cold / measure:.2f} units, warm {warm / measure:.2f} units, "
            f"{warm * 1e6 / calls:.0f} us a call, {1 / warm:,.0f} replays a second"
        )


def measure_first_year() -> None:
    """Every step is the least of several new processes; milliseconds are given for information."""
    program = FIRST_YEAR.format(recording=str(RECORDINGS / "pet-year.json.gz"))
    command = [sys.executable, "-c", program]
    rounds = [json.loads(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(ROUNDS)]
    least = [min(step) for step in zip(*rounds, strict=True)]
    for step, took in (*zip(STEPS, least, strict=True), ("to the first Episode", sum(least[:4]))):
        print(f"{step}: {took / least[0]:.1f} ({took * 1e3:.1f} ms)")


def measure_memory(world: World, recording: dict[str, Any]) -> None:
    """Beyond the world and the caches of its market, which all episodes share."""
    replay(world, recording)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    one = replay(world, recording)
    after, _ = tracemalloc.get_traced_memory()
    crowd = [one, *(replay(world, recording) for _ in range(CROWD - 1))]
    together, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    verdict = "within" if after - before < MEMORY_GOAL else "ABOVE"
    print(f"one episode: {(after - before) / 1e6:.2f} MB beyond the world, {verdict} {MEMORY_GOAL / 1e6:.2f} MB")
    print(f"{len(crowd)} episodes on one world: {(together - before) / 1e6:.1f} MB beyond it")


def measure_copy(world: World) -> None:
    """A copy in the middle of `steady`'s year, as the board, forks and searches make them."""
    episode = ecbench.Episode(world)
    play = begin_play(get_merchant("steady"), episode)
    calls = next(play)
    while episode.account.market.day < world.days // 2:
        calls = play.send([json.loads(reply) for reply in episode.act(calls)])
    fastest = min(seconds(episode.copy) for _ in range(20 * ROUNDS))
    verdict = "within" if fastest < COPY_GOAL else "ABOVE"
    print(f"a copy in the middle of steady's year: {fastest * 1e3:.2f} ms, {verdict} {COPY_GOAL * 1e3:.0f} ms")


def main() -> None:
    world = ecbench.load_world("default")
    recordings = [json.loads(gzip.decompress(path.read_bytes())) for path in sorted(RECORDINGS.glob("*.json.gz"))]
    measure_first_year()
    measure_speed(world, recordings)
    measure_memory(world, max(recordings, key=lambda recording: len(recording["turns"])))
    measure_copy(world)
    if RELEASE_MEASURE.exists():
        print(f"\nby the measure of {RELEASE_MEASURE.relative_to(ROOT.parent)}:", flush=True)
        subprocess.run([sys.executable, str(RELEASE_MEASURE)], check=True)
    else:
        print("\nthe published recordings are not here: no comparison with the release")


if __name__ == "__main__":
    main()
