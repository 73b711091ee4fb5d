"""Runs that are killed and stopped at random instants, a thousand times: what they lose, and what is left behind.

    python benchmarks/kills.py                    print the table
    python benchmarks/kills.py docs/studies.md    put it into its block of the page too

Every death is followed by `ecbench resume`, until the run ends; then every file of its folder is compared
with those of a run that nobody disturbed: to the byte where merchants play, and but for the seconds that answers took
and the numbers that their server gave them where models do. A tenth of the kills (--kills 100) takes some two minutes.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from doc_tables import markdown_table, options_of, publish

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the machinery is that of the tests

from tests.conftest import write_little_world
from tests.harness.provider import KEY, serve
from tests.runs.conftest import TRADER
from tests.runs.lives import KILL, KILL_A_WORKER, STOPS, Death
from tests.runs.ordeal import MODELS, Ordeal, Toll, undergo
from tests.runs.test_kills import swiftly
from tests.runs.test_models import NAME

SEED = "benchmarks/kills.py"
RAY = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}
TWO = ("-n", "2")
AT_ONCE = ("-j", "2")


class Kind(NamedTuple):
    name: str
    share: float  # of all kills
    suffer: Callable[[int, Path, Path], Toll]  # how many, in which folder, on which world


def drawn(count: int, kinds: tuple[Death, ...]) -> list[Death]:
    draws = random.Random(f"{SEED}/deaths")
    return [draws.choice(kinds) for _ in range(count)]


def merchants_here(count: int, place: Path, world: Path) -> Toll:
    ordeal = Ordeal(("--agent", TRADER, "--world", str(world), "--days", "90"), seconds=0.2)
    return undergo(ordeal, drawn(count, (*[KILL] * 7, *STOPS)), place, random.Random(SEED))


def merchants_in_processes(count: int, place: Path, world: Path) -> Toll:
    terms = ("--agent", TRADER, "--world", str(world), "--days", "40", *TWO)
    ordeal = Ordeal(terms, seconds=1.0, where=AT_ONCE, episodes=2)
    return undergo(ordeal, drawn(count, (*[KILL] * 5, *[KILL_A_WORKER] * 3, *STOPS)), place, random.Random(SEED))


def models(count: int, place: Path, world: Path) -> Toll:
    with serve(swiftly) as provider:
        terms = ("--agent", NAME, "-M", f"base_url={provider.url}", "--world", str(world), "--days", "10", *TWO)
        key = {"LOOPBACK_API_KEY": KEY}
        ordeal = Ordeal(terms, 0.5, where=AT_ONCE, episodes=2, environment=key, digests=MODELS)
        return undergo(ordeal, drawn(count, (*[KILL] * 7, *STOPS)), place, random.Random(SEED))


def merchants_on_ray(count: int, place: Path, world: Path) -> Toll:
    terms = ("--agent", TRADER, "--world", str(world), "--days", "90", *TWO)
    ordeal = Ordeal(terms, seconds=6.0, where=(*AT_ONCE, "--executor", "ray"), episodes=2, environment=RAY)
    return undergo(ordeal, drawn(count, (*[KILL] * 3, *STOPS)), place, random.Random(SEED))


KINDS = (
    Kind("a merchant in the command's process", 0.56, merchants_here),
    Kind("merchants in two processes", 0.19, merchants_in_processes),
    Kind("two models on one event loop", 0.23, models),
    Kind("merchants on a Ray cluster of its own", 0.02, merchants_on_ray),
)
HEAD = (
    "where",
    "`kill -9`",
    "a signal",
    "the same twice",
    "lost turns",
    "orphans",
    "tracebacks and wrong exit codes",
    "endings",
    "equal",
)


def row(toll: Toll) -> list[int]:
    kills = sum(count for death, count in toll.met.items() if "kill" in death)
    twice = sum(count for death, count in toll.met.items() if "twice" in death)
    once = sum(toll.met.values()) - kills - twice
    faults = len(toll.wrong_codes) + len(toll.unquiet)
    equal = toll.endings - toll.unequal_endings
    return [kills, once, twice, toll.lost_turns, toll.orphans, faults, toll.endings, equal]


def suffered(kills: int) -> Iterator[tuple[Kind, Toll]]:
    with TemporaryDirectory() as folder:
        world = write_little_world(Path(folder))
        for number, kind in enumerate(KINDS):
            place = Path(folder, str(number))
            place.mkdir()
            started = time.monotonic()
            with chdir(place):
                toll = kind.suffer(max(1, round(kills * kind.share)), place, world)
            print(f"{kind.name}: {row(toll)}, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
            for fault in (*toll.wrong_codes, *toll.unquiet):
                print(fault, file=sys.stderr, flush=True)
            yield kind, toll


def verdict(tolls: Sequence[Toll]) -> str:
    met, endings = sum(sum(toll.met.values()) for toll in tolls), sum(toll.endings for toll in tolls)
    unequal = sum(toll.unequal_endings for toll in tolls)
    if unequal:
        return f"{met:,} kills and signals; {unequal:,} of {endings:,} endings differ from an undisturbed run."
    return f"{met:,} kills and signals; all {endings:,} endings equal an undisturbed run, every file of their folders."


def main() -> None:
    options = options_of(__doc__, kills=1_000)
    suffering = list(suffered(options.kills))
    tolls = [toll for _, toll in suffering]
    table = markdown_table(HEAD, ([kind.name, *(f"{cell:,}" for cell in row(toll))] for kind, toll in suffering))
    publish("kills", f"{verdict(tolls)}\n\n{table}", options.pages)
    if not all(toll.unharmed for toll in tolls):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
