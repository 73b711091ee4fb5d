"""How many days a second the numeric environment plays, beside the textual one and the published release.

    python benchmarks/numeric.py [--days 90] [--years 16] [--rounds 5] [docs/studies.md ...]

A step is one day of one seat. The learned policy of `examples/` plays a year once; then the same actions, which are the
same tool calls, are played by every way in turn, and each way's quickest round counts, in processor time:

- numeric: all years as rows of one `ArrayYears`;
- calls: the calls turn by turn through `YearEnvironment.step`, and the replies decoded, without arrays;
- act: the calls through `Episode.act`, whose replies nobody reads.

The release's cost of a call is that of its own recordings, in the unit of plain Python that is timed here too. Pages
that are named get the table.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable
from functools import partial
from hashlib import md5
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from doc_tables import markdown_table, publish

from ecbench import Episode, load_world
from ecbench.players.merchants.protocol import Call
from ecbench.rl import Setting, YearEnvironment
from ecbench.rl.arrays import ArrayYears

EXAMPLE = Path(__file__).parents[1] / "examples" / "learned_shop.py"
# Units of plain Python that the release takes for the calls of two recorded years: 1,966 and 2,558 of them.
RELEASE_UNITS_A_CALL = (9.14 + 13.02) / (1_966 + 2_558)


def unit() -> float:
    """The time of the unit: 6,000 seeded streams, one draw each, and a little arithmetic."""
    began, total, found = process_time(), 0.0, dict[int, float]()
    for number in range(6_000):
        share = random.Random(20_260_122 + int(md5(b"k%d" % number).hexdigest()[:8], 16)).random()
        found[number % 97] = found.get(number % 97, 0.0) + share
        for step in range(20):
            total += share * step / (1.0 + total % 3.0)
    return process_time() - began


def example() -> Any:
    """The module of the learned policy."""
    spec = spec_from_file_location("learned_shop", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def played(setting: Setting) -> tuple[list[dict[str, Any]], list[Call]]:
    """The actions of the learned policy's year, day by day, and the tool calls to which they amount."""
    shop = example()
    weights = shop.Weights(shop.shipped_weights()[None])
    years, actions = ArrayYears(1, setting=setting, log=True), []
    seen, masks = years.reset([None])
    while not years.over.all():
        actions.append(shop.act(seen, masks, weights))
        masks = years.step(actions[-1]).masks
    return actions, years.calls()


def numeric(setting: Setting, actions: list[dict[str, Any]], count: int) -> float:
    years = ArrayYears(count, setting=setting)
    years.reset([None] * count)
    began = process_time()
    for action in actions:
        years.step(action)
    return (process_time() - began) / count


def by_calls(setting: Setting, turns: list[list[Call]]) -> float:
    year = YearEnvironment(setting)
    year.reset()
    began = process_time()
    for turn in turns:
        json.loads(year.step(turn).observation)
    return process_time() - began


def by_act(setting: Setting, turns: list[list[Call]]) -> float:
    episode = Episode(load_world(setting.world), days=setting.days)
    began = process_time()
    for turn in turns:
        episode.act(turn)
    return process_time() - began


def in_turns(calls: list[Call]) -> list[list[Call]]:
    """A letter ends a turn, since the next one depends on its answer; so do the wait and the looks."""
    turns: list[list[Call]] = [[]]
    for place, call in enumerate(calls):
        turns[-1].append(call)
        following = calls[place + 1]["name"] if place + 1 < len(calls) else ""
        looked = call["name"].startswith("check_store") and not following.startswith("check_store")
        if call["name"] in ("chatbox", "wait_for_next_day") or looked:
            turns.append([])
    return [turn for turn in turns if turn]


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("pages", nargs="*")
    for name, usual in (("days", 90), ("years", 16), ("rounds", 5)):
        asked.add_argument(f"--{name}", type=int, default=usual)
    given = asked.parse_args()
    setting = Setting(days=given.days, max_turns=1_000_000)
    actions, calls = played(setting)
    turns = in_turns(calls)
    repeated = [{name: np.repeat(array, given.years, axis=0) for name, array in action.items()} for action in actions]
    ways: dict[str, Callable[[], float]] = {
        "numeric": partial(numeric, setting, repeated, given.years),
        "calls": partial(by_calls, setting, turns),
        "act": partial(by_act, setting, turns),
        "unit": unit,
    }
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(given.rounds):
        for name, way in ways.items():
            best[name] = min(best[name], way())
    base, days = best["numeric"], len(actions)
    release = RELEASE_UNITS_A_CALL * len(calls) * best["unit"]
    names = {
        "numeric": f"`ArrayYears.step`, {given.years} years side by side",
        "calls": "`YearEnvironment.step` with the same calls, replies decoded",
        "act": "`Episode.act` with the same calls, replies not read",
    }
    rows = [(text, f"{best[name] / base:.1f}") for name, text in names.items()]
    rows.append(("the published release, by its cost of a call", f"{release / base:.1f}"))
    table = markdown_table(("a day of one seat", "processor time, numeric is 1"), rows)
    print(f"numeric: {days / base:,.0f} days a second")
    about = f"{days} days of the learned policy on the default world, {len(calls) / days:.0f} calls a day."
    publish("numeric", f"{about}\n\n{table}", given.pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
