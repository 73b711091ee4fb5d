"""Tests and intervals: by hand where that can be done, else by drawing from a law that is known."""

from collections.abc import Sequence
from itertools import product
from random import Random
from statistics import NormalDist, variance

import numpy as np
import pytest

from ecbench.analysis.compare.chance import arrangements, corrected, least_p, more_worlds, sign_interval, smallest_shown


def sign_flip(differences: Sequence[float]) -> float:
    """The p of a pair that is compared alone."""
    return corrected(np.array([differences], dtype=float).T, arrangements(len(differences)))[0]


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([1.0] * 6, 2 / 64),  # only the opposite signs give as large a sum
        ([1.0, 2.0, -3.0], 1.0),  # a sum of 0: every sum is as far from it
        ([1.0, 2.0, 3.0], 2 / 8),  # 6 and -6
        ([-1.0, 2.0, 3.0], 4 / 8),  # 4, and beside it 6, -4 and -6
        ([0.0] * 10, 1.0),
        ([0.1, 0.2, 0.3, -0.3, -0.2, -0.1], 1.0),  # sums that differ by rounding alone are equal
        ([1e7 + 0.1, 1e7 + 0.2, 1e7 + 0.3], 2 / 8),
        ([1e7 + 0.3, 1e7 + 0.2, 1e7 + 0.1], 2 / 8),
    ],
)
def test_p_is_the_share_of_signs_whose_sum_is_as_far_from_zero(differences: list[float], p: float) -> None:
    assert sign_flip(differences) == p


def test_more_worlds_than_can_be_counted_are_drawn_and_come_near_the_normal_law() -> None:
    draw = Random(5)
    differences = [draw.gauss(0.7, 1) for _ in range(24)]
    errors = abs(sum(differences)) / sum(d * d for d in differences) ** 0.5
    assert sign_flip(differences) == pytest.approx(2 * NormalDist().cdf(-errors), abs=0.01)
    assert sign_flip(differences) == sign_flip(differences)


def test_too_few_worlds_cannot_reach_five_percent_and_six_can() -> None:
    assert least_p(5) > 0.05 >= least_p(6)
    assert sign_flip([2.0] * 8) == least_p(8)


def test_corrected_p_counts_as_a_plain_loop_does_and_never_falls_below_p_alone() -> None:
    draws = np.random.default_rng(4)
    gaps = draws.normal([0.9, 0.4, 0.0], 1, (7, 3))
    scaled = gaps / np.sqrt((gaps**2).sum(axis=0))
    turned = np.abs(np.array(list(product((1, -1), repeat=7))) @ scaled)
    found, shares = np.abs(scaled.sum(axis=0)), corrected(gaps, arrangements(7))
    best = int(found.argmax())
    assert shares[best] == (turned.max(axis=1) >= found[best] - 1e-12).sum() / 128
    assert all(p >= sign_flip(gaps[:, place].tolist()) for place, p in enumerate(shares))


def test_a_test_that_can_never_reject_costs_the_others_nothing() -> None:
    gaps = np.random.default_rng(6).normal(0.8, 1, 9)
    few = np.array([1.0, -1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0])  # five values: p is 1/16 or more
    alone = sign_flip(gaps.tolist())
    assert corrected(np.column_stack([gaps, few]), arrangements(9)) == [alone, sign_flip(few.tolist())]
    more = np.where(np.arange(9) < 6, 1.0, 0.0)
    assert corrected(np.column_stack([gaps, more]), arrangements(9))[0] >= alone


@pytest.mark.parametrize("units", [6, 7, 8])
def test_the_interval_is_all_that_the_test_does_not_reject(units: int) -> None:
    sample = np.random.default_rng(units).normal(1, 1, units)

    def p_of(true: float) -> float:
        return sign_flip((sample - true).tolist())

    low, high = sign_interval(sample.tolist())
    assert p_of(low - 1e-6) <= 0.05 < p_of(low + 1e-6)
    assert p_of(high + 1e-6) <= 0.05 < p_of(high - 1e-6)


@pytest.mark.parametrize("worlds", [6, 7, 10])
def test_what_is_shown_comes_true_in_four_of_five_cases(worlds: int) -> None:
    draws, rounds = np.random.default_rng(4), 1_500
    shown = 0
    for _ in range(rounds):
        before, after = draws.normal(0, 1, (2, worlds))
        gaps = after + smallest_shown(variance(before.tolist()), worlds)
        shown += gaps.mean() > 0 and sign_flip(gaps.tolist()) <= 0.05
    assert shown / rounds == pytest.approx(0.8, abs=0.03)


def test_more_than_200_further_worlds_are_no_feasible_number() -> None:
    effect = smallest_shown(1.0, 10 + 200)
    assert more_worlds(effect * 1.001, 1.0, 10) == 200
    assert more_worlds(effect * 0.999, 1.0, 10) is None
