"""How often the verdicts of `ecbench compare` are right, on samples whose truth is known.

    python benchmarks/coverage.py docs/studies.md   put the tables into the page, between its marks
    python benchmarks/coverage.py --calibrate       print the constants of ecbench/compare/power.py

The logarithm of a year's final assets is the sum of an agent's level, what the world does to all, what it does to this
agent, and chance. Each law draws the last two in another way. It takes about four minutes of one core.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from math import sqrt
from typing import NamedTuple

import numpy as np
from doc_tables import markdown_table, publish

from ecbench.compare.chance import Floats, label_interval, max_t, sign_flip, sign_interval, signs
from ecbench.compare.power import CHANCE, FEWEST_OF_EACH, FEWEST_PAIRS
from ecbench.compare.verdict import least_assets, paired_verdict
from ecbench.quantiles import LEVEL

STAKE = 100_000.0
LEVEL_OF_AGENTS = 13.0  # logarithm of a usual year's final assets
WORLD, OWN, YEAR = 0.6, 0.4, 0.4  # standard deviations of logarithms
UNEVEN = 1.5  # the spread of the first of two unequal agents over the second's
AHEAD = 0.3  # and how far its level is above
WORLDS = (6, 8, 10, 20)
SAMPLES = 2_000
MANY = 200_000  # worlds, from which truths are taken
CALIBRATED = 20_000  # samples for a constant

HEAD = ("Law of years", "Worlds", "False alarms", "Ratio covered", "A - B covered", "Shown from")

Noise = Callable[[np.random.Generator, tuple[int, ...]], Floats]


class Law(NamedTuple):
    noise: Noise  # with a standard deviation of 1
    zeros: float = 0.0  # share of years that end with nothing
    step: float = 0.0  # of the logarithm, to which years are rounded

    def years(self, draws: np.random.Generator, common: Floats, years: int, spread: float = 1.0) -> Floats:
        """Final assets by world and year."""
        own = OWN * self.noise(draws, (len(common), 1))
        logs = LEVEL_OF_AGENTS + common[:, None] + spread * (own + YEAR * self.noise(draws, (len(common), years)))
        if self.step:
            logs = np.round(logs / self.step) * self.step
        return np.asarray(np.exp(logs) * (draws.random(logs.shape) >= self.zeros))


def normal(draws: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return draws.normal(size=shape)


def skewed(draws: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return draws.exponential(size=shape) - 1


LAWS = {
    "normal": Law(normal),
    "skewed": Law(skewed),
    "a quarter of years end with nothing": Law(normal, zeros=0.25),
    "ties: years differ by factors of 2": Law(normal, step=np.log(2)),
}


def log_ratios(ones: Floats, others: Floats) -> Floats:
    """As the verdict takes them, by world."""
    first, second = (np.log(np.maximum(years.mean(axis=1), least_assets(STAKE))) for years in (ones, others))
    return np.asarray(first - second)


class Rates(NamedTuple):
    """Shares of samples."""

    alarms: float
    held: float
    gap_held: float
    shown: float


def rates(law: Law, worlds: int, years: int) -> Rates:
    draws = np.random.default_rng([worlds, years])

    def even() -> Floats:
        common = WORLD * draws.normal(size=worlds)
        return log_ratios(law.years(draws, common, years), law.years(draws, common, years))

    def uneven(number: int) -> tuple[Floats, Floats]:
        common = WORLD * draws.normal(size=number)
        return np.exp(AHEAD) * law.years(draws, common, years, UNEVEN), law.years(draws, common, years)

    ones, others = uneven(MANY)
    truth, gap_truth = log_ratios(ones, others).mean(), (ones.mean(axis=1) - others.mean(axis=1)).mean()
    alarms = held = gap_held = shown = 0
    for _ in range(SAMPLES):
        verdict = paired_verdict(even().tolist())
        alarms += verdict.p is not None and verdict.p <= LEVEL
        if verdict.shown_from is not None:
            again = paired_verdict((even() + verdict.shown_from).tolist())
            shown += again.p is not None and again.p <= LEVEL and again.first_is_better
        ones, others = uneven(worlds)
        interval = paired_verdict(log_ratios(ones, others).tolist()).interval
        held += interval is not None and interval[0] <= truth <= interval[1]
        low, high = sign_interval((ones.mean(axis=1) - others.mean(axis=1)).tolist())
        gap_held += low <= gap_truth <= high
    return Rates(
        alarms / SAMPLES,
        held / SAMPLES,
        gap_held / SAMPLES,
        shown / SAMPLES,
    )


def verdicts(laws: Mapping[str, Law]) -> list[list[str]]:
    rows = []
    for name, law in laws.items():
        for worlds in WORLDS:
            found = [rates(law, worlds, years) for years in (1, 2)]
            rows.append([name, str(worlds), *(" / ".join(map(_percent, both)) for both in zip(*found, strict=True))])
    return rows


def bankruptcies(worlds: int, years: int) -> Iterator[float]:
    """False alarms where a world ruins both agents, where it ruins one of them, and where chance does."""
    draws = np.random.default_rng([worlds, years, 1])
    for both, own, chance in ((0.3, 0.0, 0.02), (0.0, 0.3, 0.02), (0.0, 0.0, 0.3)):
        alarms = 0
        for _ in range(SAMPLES):
            common = draws.random((worlds, 1)) < both
            one, other = (
                (common | (draws.random((worlds, 1)) < own) | (draws.random((worlds, years)) < chance)).mean(axis=1)
                for _ in range(2)
            )
            alarms += sign_flip((one - other).tolist()) <= LEVEL
        yield alarms / SAMPLES


def families(worlds: int, pairs: int = 6) -> tuple[float, float]:
    """How often max-T finds any of six pairs without a difference, and how often one of two standard deviations."""
    draws = np.random.default_rng([worlds, 2])
    alarms = shown = 0
    for _ in range(SAMPLES):
        gaps = draws.normal(size=(worlds, 1)) * 0.7 + draws.normal(size=(worlds, pairs)) * 0.7
        alarms += min(max_t(gaps, signs(worlds))) <= LEVEL
        gaps[:, 0] += 2.0
        shown += max_t(gaps, signs(worlds))[0] <= LEVEL
    return alarms / SAMPLES, shown / SAMPLES


def secondary() -> str:
    rows = []
    for worlds in (6, 8, 10, 20):
        found = [bankruptcies(worlds, years) for years in (1, 2)]
        ruined = [" / ".join(map(_percent, both)) for both in zip(*found, strict=True)]
        rows.append([str(worlds), *ruined, *map(_percent, families(worlds))])
    ruin = ["The world ruins both", "The world ruins one", "Chance ruins"]
    return markdown_table(["Worlds", *ruin, "Any of six pairs", "The one that differs"], rows)


def _percent(share: float) -> str:
    return f"{share:.1%}"


def calibrate() -> None:
    """A difference is shown if it exceeds the distance from zero to the lower bound of noise around zero."""
    draws = np.random.default_rng(5)
    for units in range(FEWEST_PAIRS, 21):
        lows = []
        for _ in range(CALIBRATED):
            sample = draws.normal(size=units).tolist()
            lows.append(sign_interval(sample)[0])
        print("paired", units, _errors(draws, -np.array(lows) * sqrt(units), units - 1))
    for units in range(FEWEST_OF_EACH, 11):
        lows = [label_interval(*draws.normal(size=(2, units)).tolist())[0] for _ in range(CALIBRATED)]
        print("apart", units, _errors(draws, -np.array(lows) * sqrt(units / 2), 2 * (units - 1)))


def _errors(draws: np.random.Generator, distances: Floats, freedom: int) -> float:
    spread = np.sqrt(draws.chisquare(freedom, len(distances)) / freedom)  # as another sample estimates it
    return round(float(np.quantile(distances / spread, CHANCE)), 2)


def main(arguments: list[str]) -> None:
    if arguments == ["--calibrate"]:
        calibrate()
        return
    publish("coverage", markdown_table(HEAD, verdicts(LAWS)), arguments)
    publish("secondary", secondary(), arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
