"""What stopping a study when it is clear saves and costs, on studies whose truth is known.

    python benchmarks/stopping.py docs/compare.md   put the tables into the page, between its marks

A study has the logarithm of A's final assets over B's, world by world. Each law draws them in another way. Three rules
decide after each world or look: the sign-flip test at planned looks, which ecbench uses, Student's t at looks from
four worlds on, and an always-valid e-process. It takes a few minutes of one core.
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
from ecbench.quantiles import LEVEL, student

STUDIES = 10_000
WORLDS = (10, 22, 40)
SPREAD = 0.58  # of a world's difference: two years of two models of the paper's median spread
OWN = 0.24  # of what a world does to one agent, as measured between agents
YEARS = 2  # on each world
UNEVEN = 1.5  # the spread of one agent over the other's
ARRANGEMENTS = 400  # of signs where not all are counted: enough to decide, and quick
BETS = (0.5, 1.0, 2.0, 4.0, 8.0)  # of the e-process, in units of a logarithm
STUDENT_LOOKS, STUDENT_LEVEL = (4, 6, 8, 10), 0.018
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
    looks, turned = analyses_of(worlds), arrangements(worlds)

    def rejected(mean: float | Floats, at: Sequence[int] = looks) -> Numbers:
        return first_rejections(gaps - np.broadcast_to(mean, len(gaps))[:, None], at, turned=turned)

    apart, excluded = rejected(0.0), np.maximum(rejected(log(SMALLEST)), rejected(-log(SMALLEST)))
    stop = np.minimum(apart, excluded)
    clear, shown = stop < len(looks), (apart <= excluded) & (apart < len(looks))
    ends = np.array([*looks, worlds])[stop]
    means = np.cumsum(gaps, axis=1)[np.arange(len(gaps)), ends - 1]
    right = shown & (means * truth > 0)
    wrong = (shown & (means * truth <= 0)) | (clear & ~shown & (np.abs(truth) >= log(SMALLEST)))
    held = rejected(truth) > stop
    held[~clear] = rejected(truth)[~clear] == len(looks)
    by_all = rejected(0.0, (worlds,)) == 0
    right_by_all = by_all & (gaps.sum(axis=1) * truth > 0)
    found = (right, wrong, clear & ~shown, ends, held, by_all if not truth.any() else right_by_all)
    return Found(*(float(each.mean()) for each in found))


def students_looks(studies: Studies) -> tuple[float, float]:
    """Student's t at planned looks: the share told apart, and worlds on average."""
    gaps, worlds = studies.gaps, studies.gaps.shape[1]
    ends, told = np.full(len(gaps), worlds), np.zeros(len(gaps), dtype=bool)
    for look in sorted({*(each for each in STUDENT_LOOKS if each < worlds), *analyses_of(worlds)}, reverse=True):
        part = gaps[:, :look]
        errors = np.maximum(part.std(axis=1, ddof=1), 1e-12) / sqrt(look)
        here = np.abs(part.mean(axis=1)) / errors > student(look - 1, STUDENT_LEVEL)
        ends, told = np.where(here, look, ends), told | here
    return float(told.mean()), float(ends.mean())


def e_process(studies: Studies) -> tuple[float, float]:
    """A mixture of bets on signs, looked at after every world; told apart from 20 on (Ville)."""
    gaps, worlds = studies.gaps, studies.gaps.shape[1]
    bets = [side * bet * gaps for bet in BETS for side in (1, -1)]
    wealth = np.mean([np.exp(np.cumsum(bet - np.logaddexp(bet, -bet) + log(2), axis=1)) for bet in bets], axis=0)
    hit = wealth >= 1 / LEVEL
    return float(hit.any(axis=1).mean()), float(np.where(hit.any(axis=1), hit.argmax(axis=1) + 1, worlds).mean())


def errors_table() -> str:
    rows = []
    for worlds in WORLDS:
        for law in (*LAWS, PAPER):
            null = papers_pairs(worlds, equal=True) if law == PAPER else drawn(law, worlds, 1.0)
            found = planned(null)
            cells = map(_percent, (found.wrong, found.shown_by_all, found.held, found.excluded))
            rows.append([law, str(worlds), *cells, f"{found.worlds:.1f}"])
    head = ("Law of equal agents", "Worlds", "False alarms", "Without looks", "Interval holds", "Excluded", "Played")
    return markdown_table(head, rows)


def savings_table() -> str:
    rows = []
    for worlds in WORLDS:
        cases = {f"{ratio:g} times": drawn("normal", worlds, ratio) for ratio in (1.5, 2.0, 3.0, 5.0)}
        for name, studies in (*cases.items(), (PAPER, papers_pairs(worlds, equal=False))):
            found = planned(studies)
            shares = map(_percent, (found.shown, found.shown_by_all, found.excluded, found.wrong, found.held))
            rows.append([name, str(worlds), *shares, f"{found.worlds:.1f}", f"{1 - found.worlds / worlds:.0%}"])
    head = ("True ratio", "Worlds", "Shown", "Without looks", "Excluded", "Wrong", "Interval holds", "Played", "Fewer")
    return markdown_table(head, rows)


def rules_table() -> str:
    rows = []
    for worlds in WORLDS:
        equal, same = drawn("normal", worlds, 1.0), drawn("all of one size", worlds, 1.0)
        twice = drawn("normal", worlds, 2.0)
        for name, rule in (
            ("signs at planned looks", _told_apart),
            ("Student's t at looks from 4 on", students_looks),
            ("e-process after each world", e_process),
        ):
            alarms, most, (shown, played) = rule(equal)[0], rule(same)[0], rule(twice)
            rows.append([name, str(worlds), *map(_percent, (alarms, most, shown)), f"{played:.1f}"])
    head = ("Rule", "Worlds", "False alarms, normal", "All of one size", "2 times shown", "Played")
    return markdown_table(head, rows)


def _told_apart(studies: Studies) -> tuple[float, float]:
    looks = analyses_of(studies.gaps.shape[1])
    apart = first_rejections(studies.gaps, looks, turned=arrangements(looks[-1]))
    return float((apart < len(looks)).mean()), float(np.array([*looks, looks[-1]])[apart].mean())


def _percent(share: float) -> str:
    return f"{share:.1%}"


def main(arguments: list[str]) -> None:
    publish("stopping-rules", rules_table(), arguments)
    publish("stopping-errors", errors_table(), arguments)
    publish("stopping-savings", savings_table(), arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
