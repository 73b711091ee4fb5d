"""What stopping a study when it is clear saves and costs, on studies whose truth is known.

    python benchmarks/stopping.py docs/studies.md   put the tables into the page, between its marks

A study has the logarithm of A's final assets over B's, world by world. Each law draws them in another way. It takes a
few minutes of one core.
"""

import sys
from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import NamedTuple

import numpy as np
from doc_tables import markdown_table, publish
from sample_size import log_spread

from ecbench.compare.chance import Floats, signs
from ecbench.compare.interim import Numbers, analyses_of, first_rejections
from ecbench.compare.stopping import SMALLEST
from ecbench.metrics.published import published_models

STUDIES = 10_000
WORLDS = (10, 22, 40)
SPREAD = 0.58  # of a world's difference: two years of two models of the paper's median spread
OWN = 0.24  # of what a world does to one agent, as measured between agents
YEARS = 2  # on each world
UNEVEN = 1.5  # the spread of one agent over the other's
ARRANGEMENTS = 400  # of signs where not all are counted: enough to decide, and quick
MANY = 200_000  # draws, from which truths are taken

Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]


def normal(draws: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return draws.normal(size=shape)


def skewed(draws: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return (draws.exponential(size=shape) - draws.exponential(size=shape)) / sqrt(2)


def uneven(draws: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Two skewed agents, of which one has more spread: their differences are skewed, too."""
    gaps = UNEVEN * draws.exponential(size=shape) - draws.exponential(size=shape) - (UNEVEN - 1)
    return np.asarray(gaps / sqrt(UNEVEN**2 + 1))


def heavy(draws: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return np.asarray(draws.standard_t(3, size=shape) / sqrt(3))


def alike(draws: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """The worst law for Student's t: every world's difference has the same size."""
    return np.asarray(draws.choice([-1.0, 1.0], size=shape))


LAWS: dict[str, Draw] = {
    "normal": normal,
    "skewed": skewed,
    "skewed, A's spread 1.5 times B's": uneven,
    "heavy tails (Student's t, 3 degrees)": heavy,
    "all of one size": alike,
}
PAPER = "two of the paper's models"


class Studies(NamedTuple):
    gaps: Floats  # a row for each study
    truth: Floats  # the true mean of each


def drawn(law: str, worlds: int, ratio: float) -> Studies:
    """Studies of a law, with a true ratio."""
    draws, truth = np.random.default_rng([worlds, list(LAWS).index(law)]), log(ratio)
    return Studies(truth + SPREAD * LAWS[law](draws, (STUDIES, worlds)), np.full(STUDIES, truth))


def papers_pairs(worlds: int, *, equal: bool) -> Studies:
    """Pairs of the paper's models with their published means and spreads, or spreads alone; years are log-normal."""
    draws = np.random.default_rng([worlds, 99])
    rows = [model.figures["final_assets"] for model in published_models()]
    levels = np.array([log(row.value) for row in rows])
    spreads = np.array([log_spread((row.spread or 0.0) / row.value) for row in rows])
    gain = np.array([_mean_log(draws, spread) for spread in spreads])  # of the logarithm of a mean of years
    pairs = np.array([draws.choice(len(rows), 2, replace=False) for _ in range(STUDIES)])
    sides = [
        OWN * draws.normal(size=(STUDIES, worlds)) + _mean_of_years(draws, spreads[pairs[:, side]], worlds)
        - gain[pairs[:, side], None] for side in (0, 1)
    ]  # fmt: skip
    truth = np.zeros(STUDIES) if equal else levels[pairs[:, 0]] - levels[pairs[:, 1]]
    return Studies(truth[:, None] + sides[0] - sides[1], truth)


def _mean_of_years(draws: np.random.Generator, spreads: Floats, worlds: int) -> Floats:
    years = np.exp(spreads[:, None, None] * draws.normal(size=(len(spreads), worlds, YEARS)))
    return np.asarray(np.log(years.mean(axis=2)))


def _mean_log(draws: np.random.Generator, spread: float) -> float:
    return float(_mean_of_years(draws, np.full(1, spread), MANY).mean())


def arrangements(worlds: int) -> Floats | None:
    found = signs(worlds)
    if found.exact:
        return None
    return np.asarray(1 - 2 * np.concatenate([np.zeros((1, worlds)), found.chosen[: ARRANGEMENTS - 1]]))


class Found(NamedTuple):
    """Shares of studies, and worlds on average."""

    shown: float  # A and B are told apart, in the true direction if there is one
    wrong: float  # told apart though equal, or in the wrong direction, or excluded though as large as that
    excluded: float
    worlds: float
    held: float  # the interval at the stop holds the truth
    shown_by_all: float  # by the one test after all worlds


def planned(studies: Studies) -> Found:
    """The rule that ecbench uses."""
    gaps, truth = studies
    worlds = gaps.shape[1]
    sizes, turned = analyses_of(worlds), arrangements(worlds)

    def rejected(mean: float | Floats, at: Sequence[int] = sizes) -> Numbers:
        return first_rejections(gaps - np.broadcast_to(mean, len(gaps))[:, None], at, turned=turned)

    apart, excluded = rejected(0.0), np.maximum(rejected(log(SMALLEST)), rejected(-log(SMALLEST)))
    stop = np.minimum(apart, excluded)
    clear, shown = stop < len(sizes), (apart <= excluded) & (apart < len(sizes))
    ends = np.array([*sizes, worlds])[stop]
    means = np.cumsum(gaps, axis=1)[np.arange(len(gaps)), ends - 1]
    right = shown & (means * truth > 0)
    wrong = (shown & (means * truth <= 0)) | (clear & ~shown & (np.abs(truth) >= log(SMALLEST)))
    held = rejected(truth) > stop
    held[~clear] = rejected(truth)[~clear] == len(sizes)
    by_all = rejected(0.0, (worlds,)) == 0
    right_by_all = by_all & (gaps.sum(axis=1) * truth > 0)
    found = (right, wrong, clear & ~shown, ends, held, by_all if not truth.any() else right_by_all)
    return Found(*(float(each.mean()) for each in found))


def errors_table() -> str:
    rows = []
    for worlds in WORLDS:
        for law in (*LAWS, PAPER):
            null = papers_pairs(worlds, equal=True) if law == PAPER else drawn(law, worlds, 1.0)
            found = planned(null)
            cells = map(_percent, (found.wrong, found.shown_by_all, found.held, found.excluded))
            rows.append([law, str(worlds), *cells, f"{found.worlds:.1f}"])
    head = ("Law of equal agents", "Worlds", "False alarms", "One test", "Covered", "Excluded", "Played")
    return markdown_table(head, rows)


def savings_table() -> str:
    rows = []
    for worlds in WORLDS:
        cases = {f"{ratio:g} times": drawn("normal", worlds, ratio) for ratio in (1.5, 2.0, 3.0, 5.0)}
        for name, studies in (*cases.items(), (PAPER, papers_pairs(worlds, equal=False))):
            found = planned(studies)
            shares = map(_percent, (found.shown, found.shown_by_all, found.excluded, found.wrong, found.held))
            rows.append([name, str(worlds), *shares, f"{found.worlds:.1f}", f"{1 - found.worlds / worlds:.0%}"])
    head = ("True ratio", "Worlds", "Shown", "One test", "Excluded", "Wrong", "Covered", "Played", "Fewer")
    return markdown_table(head, rows)


def _percent(share: float) -> str:
    return f"{share:.1%}"


def main(arguments: list[str]) -> None:
    publish("stopping-errors", errors_table(), arguments)
    publish("stopping-savings", savings_table(), arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
