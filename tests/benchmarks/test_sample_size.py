"""The power behind the protocol, against figures worked by hand or printed in tables of Student's t."""

from math import exp, log

import pytest
from sample_size import Noise, log_spread, power, seen_by_paired, told_apart, units_needed

TEN_WORLDS_STANDARDIZED = 0.8031  # power of a paired t test of ten differences, effect one standard deviation


def test_ten_differences_show_an_effect_as_large_as_their_spread_in_four_studies_of_five() -> None:
    assert power(1.0, 1.0, 10, 9) == pytest.approx(TEN_WORLDS_STANDARDIZED, abs=0.001)


def test_without_an_effect_one_study_in_forty_errs_to_this_side() -> None:
    assert power(0.0, 1.0, 10, 9) == pytest.approx(0.025, abs=1e-4)


def test_large_samples_follow_the_normal_formula() -> None:
    """(1.96 + 0.8416) ** 2 = 7.849 times variance over squared effect: 7.849 * 2 * 0.25 / 0.2 ** 2 = 98.1."""
    assert units_needed(lambda: 2 * 0.25, effect=0.2) == pytest.approx(98.1, abs=2)


def test_pairing_takes_out_what_worlds_do_to_all_and_episodes_divide_only_chance() -> None:
    noise = Noise(world=0.3, own=0.1, episode=0.2)
    assert noise.apart() == pytest.approx(2 * (0.09 + 0.01 + 0.04))
    assert noise.paired() == pytest.approx(2 * (0.01 + 0.04))
    assert noise.paired(2) == pytest.approx(2 * (0.01 + 0.02))
    assert noise.one_world() == pytest.approx(2 * 0.04)


def test_agents_without_chance_are_compared_in_two_worlds_or_one_if_worlds_do_not_matter() -> None:
    assert units_needed(Noise(0.5, 0.0, 0.0).paired, paired=True) == 2


def test_the_difference_that_ten_worlds_see_is_seen_with_the_power_wanted() -> None:
    """Ten differences show one standard deviation with power 0.80, so what they see is close to e to that power."""
    seen = seen_by_paired(Noise(world=9.0, own=0.0, episode=0.2), worlds=10, episodes=2)
    assert log(seen) == pytest.approx(0.2, abs=0.002)
    assert seen == pytest.approx(exp(0.2), abs=0.003)


def test_a_spread_of_a_fifth_is_nearly_a_fifth_in_logarithms() -> None:
    assert log_spread(0.2) == pytest.approx(0.198, abs=0.001)


def test_welch_tells_means_apart_that_lie_three_errors_from_each_other_but_not_two() -> None:
    """Five episodes of deviation 1 each: the error of the difference is sqrt(2 / 5) = 0.632, critical value 2.306."""
    one, near, far = ({"final_assets": mean, "final_assets_std": 1.0, "episodes": 5} for mean in (0.0, 1.26, 1.9))
    assert not told_apart(one, near)
    assert told_apart(one, far)
