"""Tests and intervals: by hand where that can be done, else by drawing from a law that is known."""

from itertools import product
from math import exp
from random import Random
from statistics import NormalDist

import numpy as np
import pytest

from ecbench.compare.chance import (
    bootstrap_interval,
    fisher_exact,
    holm,
    least_p_of_labels,
    least_p_of_signs,
    resamples,
    shuffled_labels,
    sign_flip,
    wilson,
)

SIMULATED = 600


def test_turning_every_sign_leaves_two_of_64_sums_as_large_as_six_equal_differences() -> None:
    assert sign_flip([1.0] * 6) == 2 / 64


def test_differences_of_1_2_and_minus_3_are_as_extreme_as_any() -> None:
    # Sums of ±1 ±2 ±3: 6 and -6 once, 0 twice, the others 2 or 4. What was found is 0.
    assert sign_flip([1.0, 2.0, -3.0]) == 1.0
    # 1 + 2 + 3 = 6 comes up with either sign only: 2 of 8.
    assert sign_flip([1.0, 2.0, 3.0]) == 2 / 8
    # -1 + 2 + 3 = 4: beside it 6, -4, -6.
    assert sign_flip([-1.0, 2.0, 3.0]) == 4 / 8


def test_agents_that_never_differ_are_never_told_apart() -> None:
    assert sign_flip([0.0] * 10) == 1.0
    assert shuffled_labels([5.0] * 4, [5.0] * 4) == 1.0


def test_sums_that_differ_by_rounding_alone_count_as_equal() -> None:
    assert sign_flip([0.1, 0.2, 0.3, -0.3, -0.2, -0.1]) == 1.0
    millions = [1e7 + 0.1, 1e7 + 0.2, 1e7 + 0.3]
    assert sign_flip(millions) == sign_flip(millions[::-1]) == 2 / 8


def test_the_sign_flip_test_counts_as_a_plain_loop_does() -> None:
    draw = Random(3)
    differences = [draw.gauss(0.5, 1) for _ in range(7)]
    found = abs(sum(differences))
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True))) for signs in product((1, -1), repeat=7)]
    assert sign_flip(differences) == sum(total >= found - 1e-12 for total in sums) / 128


def test_more_worlds_than_can_be_counted_are_drawn_and_come_near_the_normal_law() -> None:
    draw = Random(5)
    differences = [draw.gauss(0.7, 1) for _ in range(24)]
    errors = abs(sum(differences)) / sum(d * d for d in differences) ** 0.5
    assert sign_flip(differences) == pytest.approx(2 * NormalDist().cdf(-errors), abs=0.01)
    assert sign_flip(differences) == sign_flip(differences)


def test_of_252_ways_to_label_ten_years_two_part_the_lower_from_the_upper_half() -> None:
    assert shuffled_labels([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]) == 2 / 252


def test_too_few_worlds_cannot_reach_five_percent_and_six_can() -> None:
    assert least_p_of_signs(5) > 0.05 >= least_p_of_signs(6)
    assert least_p_of_labels(3, 4) > 0.05 >= least_p_of_labels(4, 4)
    assert least_p_of_labels(1, 1) == 1.0
    assert sign_flip([2.0] * 8) == least_p_of_signs(8)


def test_holm_multiplies_the_smallest_by_all_the_next_by_one_less_and_never_falls() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([None, 0.02, None]) == [None, 0.02, None]
    assert holm([]) == []


def test_fishers_tea_lady_who_names_all_eight_cups_has_one_chance_in_seventy_either_way() -> None:
    assert fisher_exact(4, 4, 0, 4) == pytest.approx(2 / 70)
    assert fisher_exact(3, 4, 1, 4) == pytest.approx((1 + 16 + 16 + 1) / 70)


def test_no_bankruptcies_tell_nobody_apart() -> None:
    assert fisher_exact(0, 20, 0, 20) == 1.0
    assert fisher_exact(20, 20, 20, 20) == 1.0
    assert fisher_exact(0, 1, 1, 1) == 1.0


def test_ten_wins_of_ten_leave_room_for_doubt() -> None:
    low, high = wilson(1.0, 10)
    assert low == pytest.approx(10 / (10 + 1.959964**2)) and high == 1.0
    low, high = wilson(0.5, 10)
    assert low == pytest.approx(1 - high)


def test_the_same_resamples_come_every_time() -> None:
    first = resamples(10).copy()
    resamples.cache_clear()
    assert (resamples(10) == first).all()
    assert set(first.ravel()) == set(range(10))


def test_an_interval_without_chance_is_a_point() -> None:
    assert bootstrap_interval(np.full(100, 3.0), 10) == (3.0, 3.0)
    assert bootstrap_interval(np.array([1.0, np.nan]), 10) is None


@pytest.mark.parametrize(("worlds", "least", "most"), [(6, 0.90, 0.975), (10, 0.92, 0.98)])
def test_the_interval_holds_the_truth_about_as_often_as_it_says(worlds: int, least: float, most: float) -> None:
    draws = np.random.default_rng(11)
    held = 0
    for _ in range(SIMULATED):
        sample = draws.normal(5.0, 2.0, worlds)
        interval = bootstrap_interval(sample[resamples(worlds)].mean(axis=1), worlds)
        assert interval is not None
        held += interval[0] <= 5.0 <= interval[1]
    assert least <= held / SIMULATED <= most


def test_the_interval_bears_the_skew_of_money() -> None:
    draws, held = np.random.default_rng(12), 0
    for _ in range(SIMULATED):
        sample = draws.lognormal(0.0, 0.5, 10)
        interval = bootstrap_interval(sample[resamples(10)].mean(axis=1), 10)
        assert interval is not None
        held += interval[0] <= exp(0.125) <= interval[1]
    assert held / SIMULATED >= 0.90


def test_equal_agents_are_told_apart_in_no_more_than_five_of_a_hundred_comparisons() -> None:
    draws = np.random.default_rng(13)
    paired = sum(sign_flip(draws.normal(0, 1, 10).tolist()) <= 0.05 for _ in range(SIMULATED))
    apart = sum(
        shuffled_labels(draws.normal(0, 1, 5).tolist(), draws.normal(0, 1, 5).tolist()) <= 0.05
        for _ in range(SIMULATED)
    )
    for rejected in (paired, apart):
        assert 0.02 <= rejected / SIMULATED <= 0.075
