"""What a step of the learner's environment costs, beside the `Episode.act` that it comes down to.

    python benchmarks/rl_step.py [--days 90] [--rounds 7] [--agent haggler]

The calls of one merchant's year are taken again, by each way in turn, and each way's quickest round counts, in
processor time. Ratios are of that one run; seconds would say more of the machine than of the code. Leaves with 1 where
a step costs 1.5 times as much as the call itself or more.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from ecbench import Episode, load_world
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.rl import Setting, YearEnvironment

LIMIT = 1.5
Batches = Sequence[Any]


def batches_of(agent: str, days: int) -> list[Any]:
    """Every batch of calls of a merchant's year."""
    episode, made = Episode(load_world("default"), days=days), []
    play = begin_play(get_merchant(agent, days=days), episode)
    calls = next(play)
    while not episode.done:
        made.append(calls)
        replies = episode.act(calls)
        calls = calls if episode.done else play.send([json.loads(reply) for reply in replies])
    return made


def by_act(batches: Batches, days: int) -> float:
    episode = Episode(load_world("default"), days=days)
    began = process_time()
    for calls in batches:
        episode.act(calls)
    return process_time() - began


def by_step(batches: Batches, days: int, folder: Path | None = None) -> float:
    year = YearEnvironment(Setting(days=days, max_turns=1_000_000), folder=folder)
    year.reset()
    began = process_time()
    for calls in batches:
        _ = year.step(calls).observation
    took = process_time() - began
    year.close()
    return took


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--days", type=int, default=90)
    asked.add_argument("--rounds", type=int, default=7)
    asked.add_argument("--agent", default="haggler")
    given = asked.parse_args()
    batches = batches_of(given.agent, given.days)
    texts = [json.dumps(calls) for calls in batches]
    with TemporaryDirectory() as place:
        ways: dict[str, Callable[[], float]] = {
            "Episode.act": partial(by_act, batches, given.days),
            "step, a list of calls": partial(by_step, batches, given.days),
            "step, JSON text": partial(by_step, texts, given.days),
            "step, a list, recorded": partial(by_step, batches, given.days, Path(place)),
        }
        best = dict.fromkeys(ways, float("inf"))
        for _ in range(given.rounds):
            for name, way in ways.items():
                best[name] = min(best[name], way())
    plain = best["Episode.act"]
    print(f"{len(batches):,} turns of {given.agent} in {given.days} days, best of {given.rounds} rounds")
    for name, seconds in best.items():
        print(f"{name:<24} {seconds / plain:5.2f}x  {1e6 * seconds / len(batches):8.1f} µs a turn")
    return 0 if best["step, a list of calls"] < LIMIT * plain else 1


if __name__ == "__main__":
    sys.exit(main())
