"""How often verdicts of `ecbench compare` are wrong, and what early stopping saves, on studies whose truth is known.

    python benchmarks/error_rates.py docs/studies.md   put the tables into the page too, between their marks
    python benchmarks/error_rates.py --calibrate       print the constants of ecbench/analysis/compare/chance.py

The logarithm of a year's final assets is the sum of an agent's level, what the world does to all, what it does to this
agent, and chance. Each law draws the last two in another way. Besides, a share of an agent's years is ruined. It takes
about five minutes of one core.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, pairwise
from math import log, sqrt
from statistics import fmean
from typing import NamedTuple

import numpy as np
from doc_tables import markdown_table, options_of, publish

from ecbench.analysis.compare.chance import (
    CHANCE,
    FEWEST_WORLDS,
    Floats,
    analyses_of,
    arrangements,
    corrected,
    is_rejected,
    sign_interval,
)
from ecbench.analysis.compare.verdict import SMALLEST, Verdict, WorldPair, columns_of, from_gaps, paired_verdict
from ecbench.quantiles import LEVEL
from ecbench.runs.manifest import WorldScore

WORLD, OWN, YEAR = 0.6, 0.3, 0.4  # standard deviations of logarithms
UNEVEN = 1.5  # the spread of the first of two unequal agents over the second's
RUIN = (0.0, 0.05, 0.1, 0.3)  # shares of years
USUAL_LOSS = log(450)  # of a ruined year: final assets of ¥450,000 instead of a hundredth of the stake
STUDIES = 700
SIGNS = 300  # arrangements at interim analyses where not all are counted: enough to decide, and quick
CALIBRATED = 20_000  # samples for a constant

Noise = Callable[[np.random.Generator, tuple[int, ...]], Floats]


def normal(draws: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return draws.normal(size=shape)


def skewed(draws: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return draws.exponential(size=shape) - 1


def heavy(draws: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return np.asarray(draws.standard_t(3, size=shape) / sqrt(3))


LAWS: dict[str, Noise] = {"normal": normal, "skewed": skewed, "heavy tails (Student's t, 3 degrees)": heavy}


class Agent(NamedTuple):
    """`level` is the mean logarithm of its years without ruin."""

    level: float = 0.0
    ruined: float = 0.0
    spread: float = 1.0

    def scores(self, draws: np.random.Generator, noise: Noise, common: Floats, years: int) -> list[WorldScore]:
        own, chance = OWN * noise(draws, (len(common), 1)), YEAR * noise(draws, (len(common), years))
        logs = self.level + common[:, None] + self.spread * (own + chance)
        kept = draws.random(logs.shape) >= self.ruined
        counts = kept.sum(axis=1)
        means = (logs * kept).sum(axis=1) / np.maximum(counts, 1)
        rows = zip(means.tolist(), counts.tolist(), strict=True)
        return [WorldScore(mean if count else None, years - count, years) for mean, count in rows]


def studies(law: str, worlds: int, years: int, one: Agent, other: Agent) -> Iterator[list[WorldPair]]:
    seed = [worlds, years, list(LAWS).index(law), *(round(1000 * (1 + x)) for x in (*one, *other))]
    draws, noise = np.random.default_rng(seed), LAWS[law]
    for _ in range(STUDIES):
        common = WORLD * draws.normal(size=worlds)
        sides = [agent.scores(draws, noise, common, years) for agent in (one, other)]
        yield list(zip(*sides, strict=True))


class Stop(NamedTuple):
    """Where a study stops, and the differences that it then shows, or zero."""

    worlds: int
    ruin: float
    score: float
    excluded: bool
    covered: bool  # whether the interval there contains the truth


def stop(pairs: Sequence[WorldPair], truth: float) -> Stop:
    """The rule of `season play --until-clear`, with fewer arrangements if there are many."""
    worlds, tests = len(pairs), columns_of(pairs)
    sizes, signs = analyses_of(worlds), arrangements(worlds)[: None if 2**worlds <= 1024 else SIGNS]

    def rejects(size: int, columns: list[int], mean: float = 0.0) -> bool:
        part = tests[:size, columns] - (mean if columns == [0] else 0.0)
        return is_rejected(np.nan_to_num(part), sizes, signs=signs)

    for size in sizes:
        joint = rejects(size, [0, 1])
        ruin, score = joint and rejects(size, [1]), joint and rejects(size, [0])
        ruin_gap, score_gap = tests[:size, 1].sum(), np.nansum(tests[:size, 0])
        excluded = not ruin_gap and all(rejects(size, [0], side * log(SMALLEST)) for side in (-1, 1))
        if ruin or (score and ruin_gap * score_gap <= 0) or excluded or size == worlds:
            return Stop(size, ruin_gap if ruin else 0.0, score_gap if score else 0.0, excluded and not score,
                        not rejects(size, [0], truth))  # fmt: skip
    raise AssertionError("the last analysis is of all worlds")


def is_wrong(ruin_gap: float, score_gap: float, one: Agent, other: Agent) -> bool:
    """Whether a claim that ruin or score differ, with the sign of the difference, is not true."""
    ruin, score = one.ruined - other.ruined, one.level - other.level
    return bool((ruin_gap and ruin_gap * ruin <= 0) or (score_gap and score_gap * score <= 0))


def claims(verdict: Verdict) -> tuple[float, float]:
    """The differences of ruin and of score that one test shows, or zero."""
    ruin = verdict.ruin_p is not None and verdict.ruin_p <= LEVEL
    score = verdict.p is not None and verdict.p <= LEVEL
    return verdict.ruin_gap if ruin else 0.0, (verdict.effect or 0.0) if score else 0.0


class Rates(NamedTuple):
    """Shares of studies that are wrong."""

    test: float
    interval: float
    stopping: float
    interval_at_stop: float


def rates(law: str, worlds: int, years: int, ruin: tuple[float, float]) -> Rates:
    """Of agents whose years without ruin are equal on average. For the intervals one has the larger spread."""
    one, other = Agent(ruined=ruin[0]), Agent(ruined=ruin[1])
    wrong = missed = stopped = missed_at_stop = 0
    for pairs in studies(law, worlds, years, one, other):
        wrong += is_wrong(*claims(paired_verdict(pairs)), one, other)
        if worlds >= FEWEST_WORLDS:
            stopped += is_wrong(*stop(pairs, 0.0)[1:3], one, other)
    for pairs in studies(law, worlds, years, one._replace(spread=UNEVEN), other):
        gaps = columns_of(pairs)[:, 0]
        gaps = gaps[~np.isnan(gaps)]
        if len(gaps) >= FEWEST_WORLDS:
            low, high = sign_interval(gaps.tolist())
            missed += not low <= 0.0 <= high
        if worlds >= FEWEST_WORLDS:
            missed_at_stop += not stop(pairs, 0.0).covered
    return Rates(*(count / STUDIES for count in (wrong, missed, stopped, missed_at_stop)))


def ruin_table(law: str, years: int) -> str:
    sizes, rows = (5, 6, 10, 22), []
    for ruin in combinations_with_replacement(RUIN, 2):
        cells = ["/".join(f"{rate:.1%}" for rate in rates(law, worlds, years, ruin)) for worlds in sizes]
        rows.append([" and ".join(f"{share:.0%}" for share in ruin), *cells])
    return markdown_table(["Ruined", *(f"{worlds} worlds" for worlds in sizes)], rows)


def laws_table() -> str:
    rows = []
    for law in LAWS:
        for worlds in (6, 10, 22):
            found = rates(law, worlds, 2, (0.0, 0.0))
            rows.append([law, str(worlds), *(f"{rate:.1%}" for rate in found), f"{shown_from(law, worlds):.1%}"])
    return markdown_table(("Law of years", "Worlds", "Test", "Interval", "Stopping", "At the stop", "Shown from"), rows)


def shown_from(law: str, worlds: int) -> float:
    """How often a second sample shows the ratio that the first one names."""
    gaps = [columns_of(pairs)[:, 0] for pairs in studies(law, worlds, 2, Agent(), Agent())]
    shown = 0
    for first, second in pairwise(gaps):
        again = paired_verdict(
            from_gaps((second + (paired_verdict(from_gaps(first.tolist())).shown_from or 0.0)).tolist())
        )
        shown += claims(again)[1] > 0
    return shown / (len(gaps) - 1)


def savings_table() -> str:
    rows = []
    for worlds in (10, 22):
        for ratio, ruined in ((1.0, 0.0), (1.2, 0.0), (1.5, 0.0), (2.0, 0.0), (3.0, 0.0), (1.0, 0.5), (2.0, 0.5)):
            one, other = Agent(level=log(ratio)), Agent(ruined=ruined)
            drawn = list(studies("normal", worlds, 2, one, other))
            stops = [stop(pairs, log(ratio)) for pairs in drawn]
            by_all = fmean(any(claims(paired_verdict(pairs))) for pairs in drawn)
            shares = (fmean(bool(s.ruin or s.score) for s in stops), by_all, fmean(s.excluded for s in stops))
            wrong = fmean(is_wrong(s.ruin, s.score, one, other) or (s.excluded and ratio >= SMALLEST) for s in stops)
            played = fmean(s.worlds for s in stops)
            cells = [f"{share:.1%}" for share in (*shares, wrong)]
            rows.append([f"{ratio:g} times", f"{ruined:.0%}", str(worlds), *cells, f"{played:.1f}"])
    return markdown_table(
        ("True ratio", "Other ruined", "Worlds", "Shown", "One test", "Excluded", "Wrong", "Played"), rows
    )


def unseen_table() -> str:
    """An agent whose better years make up for its ruined ones: how often each test decides, and how often neither."""
    rows = []
    for ruined in RUIN[1:]:
        one, other = Agent(level=USUAL_LOSS * ruined / (1 - ruined), ruined=ruined), Agent()
        for worlds, years in ((10, 1), (10, 2), (22, 2)):
            found = [paired_verdict(pairs) for pairs in studies("normal", worlds, years, one, other)]
            found = [replace(verdict, p_adjusted=verdict.p, ruin_p_adjusted=verdict.ruin_p) for verdict in found]
            shares = [fmean(verdict.decided_by == test for verdict in found) for test in ("score", "ruin", None)]
            rows.append([f"{ruined:.0%}", str(worlds), str(years), *(f"{share:.1%}" for share in shares)])
    return markdown_table(("Ruined", "Worlds", "Years on each", "By the ratio", "By ruin", "Inconclusive"), rows)


def families_table() -> str:
    """Four agents, a tenth of whose years is ruined: any of six pairs that do not differ, and one agent that does."""
    rows = []
    for worlds in (6, 10, 22):
        draws, wrong, shown = np.random.default_rng([worlds, 2]), 0, 0
        for _ in range(STUDIES):
            common = WORLD * draws.normal(size=worlds)
            for ahead in (0.0, 1.0):
                agents = [Agent(ruined=0.1)] * 3 + [Agent(level=ahead, ruined=0.1)]
                scores = [agent.scores(draws, normal, common, 2) for agent in agents]
                pairs = [list(zip(*both, strict=True)) for both in combinations(scores, 2)]
                p = corrected(np.nan_to_num(np.hstack([columns_of(pair) for pair in pairs])), arrangements(worlds))
                if ahead:
                    shown += p[4] <= LEVEL  # of the first agent and the last
                else:
                    wrong += min(p) <= LEVEL
        rows.append([str(worlds), f"{wrong / STUDIES:.1%}", f"{shown / STUDIES:.1%}"])
    return markdown_table(("Worlds", "Any of six pairs", "A pair that differs"), rows)


def calibrate() -> None:
    """A difference is shown if it exceeds the distance from zero to the lower bound of noise around zero."""
    draws = np.random.default_rng(5)
    for worlds in range(FEWEST_WORLDS, 21):
        lows = [sign_interval(draws.normal(size=worlds).tolist())[0] for _ in range(CALIBRATED)]
        spread = np.sqrt(draws.chisquare(worlds - 1, CALIBRATED) / (worlds - 1))  # as another sample estimates it
        print(worlds, round(float(np.quantile(-np.array(lows) * sqrt(worlds) / spread, CHANCE)), 2))


def main() -> None:
    if sys.argv[1:] == ["--calibrate"]:
        calibrate()
        return
    pages = options_of(__doc__).pages
    publish("ruin", ruin_table("normal", 1), pages)
    publish("unseen-ruin", unseen_table(), pages)
    publish("coverage", laws_table(), pages)
    publish("families", families_table(), pages)
    publish("stopping", savings_table(), pages)


if __name__ == "__main__":
    main()
