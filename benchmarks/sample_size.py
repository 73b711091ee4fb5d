"""How large a sample must be: power of Student's t test, and what pairing by world leaves of the noise.

A comparison is made in logarithms of final assets, since agents differ by factors. One agent's episode on a world is

    log assets = agent + world + (agent, world) + episode

and a difference between agents is judged by the spread of what is left beside the agents.
"""

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from math import erf, exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from ecbench.compare.power import CHANCE
from ecbench.quantiles import student

STEPS = 40  # of a bisection
MOST = 1_000_000  # units: a larger sample is not looked for
GRID = 200  # points of an integral; smooth but for the smallest samples
FINE_GRID = 2_000
DIFFERENCE = 1.2  # one agent's final assets over the other's


class Noise(NamedTuple):
    """Standard deviations of the logarithm of final assets."""

    world: float  # what a world does to all agents alike
    own: float  # what it does to one agent besides
    episode: float  # chance within a world

    def paired(self, episodes: int = 1) -> float:
        """Variance of the difference of two agents on one world that both play."""
        return 2 * (self.own**2 + self.episode**2 / episodes)

    def apart(self) -> float:
        """Variance of the difference of two agents, each on a world of its own."""
        return 2 * (self.world**2 + self.own**2 + self.episode**2)

    def one_world(self) -> float:
        """Variance of the difference of two episodes on a world that is not to be generalized from."""
        return 2 * self.episode**2


def exceeding(critical: float, freedom: float, shift: float = 0.0) -> float:
    """How often Student's t, noncentral by `shift`, exceeds a value: averaged over what the sample's spread may be."""
    points = GRID if freedom > 3 else FINE_GRID
    spread = (np.arange(points) + 0.5) * (1 + 10 / sqrt(2 * freedom)) / points
    weight = np.exp((freedom - 1) * np.log(spread) - freedom * (spread**2 - 1) / 2)
    above = np.array([(1 + erf((shift - critical * value) / sqrt(2))) / 2 for value in spread])
    return float((weight * above).sum() / weight.sum())


def power(effect: float, variance: float, units: int, freedom: float) -> float:
    """How often `units` differences of this variance show an effect, in its true direction."""
    if variance == 0:
        return 1.0
    return exceeding(student(freedom), freedom, effect * sqrt(units / variance))


def log_spread(variation: float) -> float:
    """Of a log-normal sum of money whose standard deviation is this multiple of its mean."""
    return sqrt(log(1 + variation**2))


def units_needed(variance: Callable[[], float], *, paired: bool = False, effect: float = log(DIFFERENCE)) -> int:
    """Fewest episodes, or pairs of them, of each agent; two at least, since one has no spread."""

    def enough(units: int) -> bool:
        freedom = units - 1 if paired else 2 * (units - 1)
        return power(effect, variance(), units, freedom) >= CHANCE

    short, long = 1, 2
    while not enough(long) and long < MOST:
        short, long = long, 2 * long
    while long - short > 1:
        middle = (short + long) // 2
        short, long = (short, middle) if enough(middle) else (middle, long)
    return long


def power_of_paired(noise: Noise, worlds: int, episodes: int, effect: float = log(DIFFERENCE)) -> float:
    return power(effect, noise.paired(episodes), worlds, worlds - 1)


def seen_by_paired(noise: Noise, worlds: int, episodes: int) -> float:
    """The ratio of two agents' final assets that is seen with the power wanted."""
    low, high = 0.0, 10.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if power_of_paired(noise, worlds, episodes, middle) >= CHANCE else (middle, high)
    return exp(high)


def told_apart(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Welch's test between two rows of a leaderboard."""
    errors = [float(row["final_assets_std"]) ** 2 / row["episodes"] for row in (one, other)]
    freedom = sum(errors) ** 2 / sum(e**2 / (row["episodes"] - 1) for e, row in zip(errors, (one, other), strict=True))
    t = abs(float(one["final_assets"]) - float(other["final_assets"])) / sqrt(sum(errors))
    return t > student(round(freedom, 3))


def pairs_told_apart(rows: Sequence[dict[str, Any]]) -> tuple[int, int, int, int]:
    """Of all pairs, and of neighbours on the board: how many are told apart, and how many there are."""
    every, neighbours = list(combinations(rows, 2)), list(pairwise(rows))
    return (
        sum(told_apart(*pair) for pair in every),
        len(every),
        sum(told_apart(*pair) for pair in neighbours),
        len(neighbours),
    )
