"""Learn the weights of `learned_shop.py` on fresh worlds, without a GPU, and play held-out worlds beside `haggler`.

    python examples/train_shop.py --out learned

Evolution strategies: every generation plays pairs of opposite changes to the weights on the same few fresh worlds, and
moves the weights along the pairs' differences in rank. A year pays the logarithm of its growth. All years of a
generation are rows of one numeric environment, in one process. Guesses of all generations then play worlds that the
search never saw, and the last one plays whole years there, recorded as text beside those of `haggler`.
"""

import argparse
import json
import sys
import time
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
from learned_shop import SIZE, Weights, act, first_guess
from numpy.typing import NDArray

from ecbench.players.merchants.haggler import Haggler
from ecbench.rl import TRAINING, Setting, YearEnvironment
from ecbench.rl.arrays import ArrayYears

Floats = NDArray[np.float64]


def play(days: int, seeds: list[int], weights: Floats) -> Floats:
    """ln(final assets / stake) of one year per row of weights, each on the world of its seed."""
    years, policy = ArrayYears(len(seeds), setting=Setting(days=days, reward="growth")), Weights(weights)
    seen, masks = years.reset(seeds)
    paid = np.zeros(len(seeds))
    while not years.over.all():
        step = years.step(act(seen, masks, policy))
        masks = step.masks
        paid += step.reward
    return paid


def ranks(paid: Floats) -> Floats:
    """From -0.5 for the lowest to 0.5 for the highest."""
    found: Floats = paid.argsort().argsort() / (len(paid) - 1) - 0.5
    return found


def search(given: argparse.Namespace) -> list[Floats]:
    """The guess before the first generation and after each."""
    draws = np.random.default_rng(given.seed)
    guess = first_guess(draws)
    momentum, spread = np.zeros(SIZE), np.zeros(SIZE)
    guesses = [guess]
    for generation in range(given.generations):
        changes = draws.normal(0, given.sigma, (given.pairs, SIZE))
        candidates = guess + np.concatenate((changes, -changes))
        paid = np.zeros(len(candidates))
        for world in range(given.worlds):
            seed = TRAINING[generation * given.worlds + world]
            paid += play(given.days, [seed] * len(candidates), candidates) / given.worlds
        shaped = ranks(paid)
        slope = (shaped[: given.pairs] - shaped[given.pairs :]) @ changes / (given.pairs * given.sigma**2)
        momentum = 0.9 * momentum + 0.1 * slope
        spread = 0.99 * spread + 0.01 * slope**2
        number = generation + 1
        step = momentum / (1 - 0.9**number) / (np.sqrt(spread / (1 - 0.99**number)) + 1e-8)
        guess = guess + given.rate * step
        guesses.append(guess)
        np.save(given.out / "guesses.npy", np.array(guesses))
        print(
            f"generation {number}: mean {exp(paid.mean()):.2f}x, best {exp(paid.max()):.2f}x, "
            f"{time.process_time():.0f} s of processor time",
            flush=True,
        )
    return guesses


def haggled(days: int, seed: int) -> float:
    """ln(final assets / stake) of the haggler as it ships, through the textual environment."""
    year = YearEnvironment(Setting(days=days, reward="growth", max_turns=1_000_000))
    opening = year.reset(world_seed=seed)
    calls = Haggler(days).play(opening.tools)
    step = year.step(next(calls))
    while step.ending is None:
        step = year.step(calls.send([json.loads(reply) for reply in step.replies]))
    return step.reward


def asked_for() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options: tuple[tuple[str, Any, str], ...] = (
        ("generations", 60, "of the search"),
        ("pairs", 8, "of candidates in a generation"),
        ("worlds", 2, "fresh ones, of a generation"),
        ("held-out", 24, "worlds that the search does not see"),
        ("days", 90, "of a year in the search"),
        ("seed", 0, "of the search's draws"),
        ("sigma", 0.4, "spread of the candidates"),
        ("rate", 0.15, "of learning"),
    )
    for name, usual, meaning in options:
        asked.add_argument(f"--{name}", type=type(usual), default=usual, help=f"{meaning} [default: {usual}]")
    asked.add_argument("--out", type=Path, default=Path("learned"), help="a folder [default: learned]")
    return asked.parse_args()


def main() -> int:
    given = asked_for()
    given.out.mkdir(parents=True, exist_ok=True)
    search(given)
    return 0


if __name__ == "__main__":
    sys.exit(main())
