"""How unsteady is the engine? Its own years should be worth the same every week, so what their curves jump by is error.

    python benchmarks/unsteadiness.py [--worlds seed-101,seed-102] [--variants 8] [--jobs 2]

The spread of the variants explains a part of each jump. The rest is an error that all variants share. It is printed as
the standard error of a single value, as a share of what was still to be earned: that is what `UNSTEADINESS` is.
"""

import argparse
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import fmean, variance
from tempfile import TemporaryDirectory

from doc_tables import markdown_table
from mistakes import played_run

from ecbench.review.curve import Point
from ecbench.review.engine import ENGINE, ENGINE_AGENT, UNSTEADINESS, VARIANTS, final_assets
from ecbench.review.making import FULL, QUICK, THOROUGH
from ecbench.review.positions import positions_of, replay_positions
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.gc_policy import collect_seldom

DEPTHS = {len(depth.variants): depth.variants for depth in (QUICK, FULL, THOROUGH)}
LEAST_TO_EARN = 0.2  # of the value: the last weeks have nothing left to be unsteady in


def curve_of_own_year(world: str, variants: tuple[int, ...]) -> tuple[Point, ...]:
    with TemporaryDirectory() as folder:
        run = played_run(Path(folder, "own"), ENGINE_AGENT, world)
        recording, terms = read_episode(run, 0), run.terms_of(0)
        years = replay_positions(terms, run.load_world(), recording, positions_of(recording, terms.stake), 0)
        return tuple(
            Point(position.day, position.assets, tuple(final_assets(year, VARIANTS[one]) for one in variants))
            for position, year in years
        )


def jumps(points: Sequence[Point]) -> list[tuple[float, float]]:
    """From week to week: the square of the jump, and what the spread explains of it, both as shares of what a single
    value had still to earn."""
    found = []
    for before, after in pairwise(points):
        left = sqrt(fmean((point.mean - point.assets) ** 2 for point in (before, after)))
        if left > LEAST_TO_EARN * before.mean:
            changes = [(later - value) / left for value, later in zip(before.values, after.values, strict=True)]
            found.append((fmean(changes) ** 2, variance(changes) / len(changes)))
    return found


def shared_error(found: Sequence[tuple[float, float]]) -> float:
    """Both ends of a jump have it, so half of what the spread leaves unexplained is its square; none if it is less."""
    return sqrt(max(0.0, fmean(jump - explained for jump, explained in found) / 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--worlds", default="seed-101,seed-102")
    parser.add_argument("--variants", type=int, choices=sorted(DEPTHS), default=len(FULL.variants))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    worlds = options.worlds.split(",")
    with ProcessPoolExecutor(options.jobs, initializer=collect_seldom) as workers:
        curves = workers.map(partial(curve_of_own_year, variants=DEPTHS[options.variants]), worlds)
        by_world = dict(zip(worlds, map(jumps, curves), strict=True))
    rows = [(world, str(len(found)), f"{shared_error(found):.2%}") for world, found in by_world.items()]
    together = [jump for found in by_world.values() for jump in found]
    rows.append(("all", str(len(together)), f"{shared_error(together):.2%}"))
    print(f"Engine {ENGINE}, {options.variants} variants; its band holds {UNSTEADINESS:.1%}.\n")
    print(markdown_table(("world", "weeks", "shared error"), rows))


if __name__ == "__main__":
    main()
