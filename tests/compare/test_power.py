"""Where the noise comes from, and what can be seen through it."""

from math import sqrt
from statistics import variance

import numpy as np
import pytest

from ecbench.compare.power import smallest_shown, spread_of, units_needed
from ecbench.compare.verdict import paired_verdict


@pytest.mark.parametrize("worlds", [6, 7, 10])
def test_what_is_shown_comes_true_in_four_of_five_cases(worlds: int) -> None:
    draws, rounds = np.random.default_rng(4), 1_500
    shown = 0
    for _ in range(rounds):
        before, after = draws.normal(0, 1, (2, worlds))
        found = paired_verdict((after + smallest_shown(variance(before.tolist()), worlds, paired=True)).tolist())
        shown += found.p is not None and found.p <= 0.05 and found.first_is_better
    assert shown / rounds == pytest.approx(0.8, abs=0.03)


def test_half_the_difference_takes_about_four_times_the_worlds() -> None:
    needed = [units_needed(effect, 1.0, paired=True) for effect in (0.8, 0.4, 0.2)]
    assert needed == sorted(needed, key=lambda units: units or 0)
    assert needed[1] and needed[2] and 3.5 < needed[2] / needed[1] < 4.1


def test_without_noise_the_fewest_worlds_do_and_without_an_effect_none_do() -> None:
    assert units_needed(1.0, 0.0, paired=True) == 6
    assert units_needed(0.0, 1.0, paired=True) is None
    assert units_needed(1e-6, 1.0, paired=False) is None


def test_years_worlds_and_their_interaction_are_told_apart_by_hand() -> None:
    # Years differ by 2 in each cell: variance 2 within. Cell means 11, 21 and 9, 23.
    spread = spread_of([[10, 12], [20, 22]], [[8, 10], [22, 24]])
    assert spread.years == pytest.approx(sqrt(2))
    assert spread.worlds == pytest.approx(sqrt((21 - 11) * (23 - 9) / 2))  # covariance of two pairs
    assert spread.interaction == pytest.approx(sqrt(8 / 2 - 2 / 2))  # the gaps are 2 and -2: variance 8


def test_without_a_second_year_the_years_noise_stays_in_the_interaction() -> None:
    spread = spread_of([[10], [20]], [[8], [22]])
    assert spread.years is None and spread.interaction == pytest.approx(2.0)


def test_one_world_has_no_spread_of_worlds() -> None:
    spread = spread_of([[10, 12]], [[8, 10]])
    assert spread.worlds is None and spread.interaction is None and spread.years == pytest.approx(sqrt(2))
    assert spread_of([[10]], [[8]]).years is None


def test_the_parts_of_the_noise_are_found_again_in_simulation() -> None:
    draws = np.random.default_rng(8)
    worlds, years = 400, 3
    common = draws.normal(0, 3, worlds)
    cells = [
        [(common[w] + own + draws.normal(0, 1, years)).tolist() for w, own in enumerate(draws.normal(0, 2, worlds))]
        for _ in range(2)
    ]
    spread = spread_of(*cells)
    assert spread.worlds == pytest.approx(3, rel=0.12)
    assert spread.interaction == pytest.approx(2, rel=0.12)
    assert spread.years == pytest.approx(1, rel=0.05)
