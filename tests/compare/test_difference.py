"""One axis of two agents: the figures by hand, and nothing where there is no sample."""

import numpy as np
import pytest

from ecbench.compare.difference import Duel, apart, no_difference, paired
from ecbench.metrics.axes import AXES

ASSETS, FALL = AXES[0], AXES[3]


def duels(ones: list[float], others: list[float]) -> list[Duel]:
    return [Duel(one, other, [one], [other]) for one, other in zip(ones, others, strict=True)]


def test_means_difference_and_ratio_are_over_worlds() -> None:
    found = paired(ASSETS, duels([10, 20, 30, 40, 50, 60], [5, 15, 25, 35, 45, 55]))
    assert (found.first, found.second, found.difference) == (35.0, 30.0, 5.0)
    assert found.ratio == pytest.approx(35 / 30)
    assert found.interval == (5.0, 5.0)  # the same on every world, so pairing leaves no doubt
    assert found.p == 2 / 64 and (found.wins, found.losses) == (6, 0)
    assert found.smallest_seen == 0.0 and found.units_for_20_percent == 2 and found.more_for_20_percent == 0


def test_on_an_axis_where_lower_is_better_the_lower_one_wins() -> None:
    found = paired(FALL, duels([0.1, 0.2, 0.3], [0.2, 0.2, 0.1]))
    assert (found.wins, found.losses) == (1, 1)
    assert found.beats == pytest.approx(0.5)


def test_the_chance_to_win_on_a_fresh_world_counts_every_pair_of_years() -> None:
    found = paired(ASSETS, [Duel(2, 2, [1, 3], [2, 2]), Duel(5, 1, [5, 5], [1, 1])])
    assert found.beats == pytest.approx((0.5 + 1.0) / 2)


def test_fewer_than_six_worlds_have_neither_interval_nor_p() -> None:
    found = paired(ASSETS, duels([10, 20, 30, 40, 51], [5, 15, 25, 35, 45]))
    assert found.p is None and found.interval is None and found.ratio_interval is None
    assert found.difference is not None and found.beats is not None and found.smallest_seen is not None


@pytest.mark.parametrize("number", [0, 1])
def test_one_world_or_none_gives_means_at_most(number: int) -> None:
    found = paired(ASSETS, duels([10.0] * number, [5.0] * number))
    assert found.difference == (5.0 if number else None)
    assert found.beats is None and found.spread is None and found.smallest_seen is None and found.p is None
    assert apart(ASSETS, [1.0] * number, [1.0] * number).p is None


def test_a_ratio_needs_both_sides_above_zero() -> None:
    assert paired(ASSETS, duels([1, 2, 3, 4, 5, 6], [-1, 2, -3, 1, -1, 1])).ratio is None
    assert paired(ASSETS, duels([0] * 6, [1] * 6)).ratio is None
    found = paired(ASSETS, duels([1, 2, 3, 4, 5, 6], [-9, 9, 3, 4, 9, 9]))
    assert found.ratio is not None and found.ratio_interval is None and found.interval is not None


def test_nothing_to_gain_on_means_no_number_of_worlds() -> None:
    found = paired(ASSETS, duels([1, 2, 3, 1, 2, 3], [0, 0, 0, 0, 0, 0]))
    assert found.units_for_20_percent is None and found.more_for_20_percent is None
    assert no_difference(ASSETS).units == (0, 0)


def test_pairing_sees_through_what_worlds_do_to_both() -> None:
    draws = np.random.default_rng(6)
    worlds = draws.normal(1000, 300, 10)
    ones, others = (worlds + 100 + draws.normal(0, 30, 10)).tolist(), (worlds + draws.normal(0, 30, 10)).tolist()
    together, alone = paired(ASSETS, duels(ones, others)), apart(ASSETS, ones, others)
    assert together.p is not None and alone.p is not None and together.p < 0.01 and alone.p > 0.1
    assert together.smallest_seen is not None and alone.smallest_seen is not None
    assert together.smallest_seen < alone.smallest_seen / 4


def test_the_interval_of_a_comparison_holds_the_true_difference_and_ratio() -> None:
    draws, rounds = np.random.default_rng(7), 150
    held = ratios = 0
    for _ in range(rounds):
        worlds = draws.lognormal(0, 0.4, 10)
        ones, others = worlds * draws.lognormal(0.1, 0.2, 10), worlds * draws.lognormal(0, 0.2, 10)
        found = paired(ASSETS, duels(ones.tolist(), others.tolist()))
        mean = np.exp(0.08 + 0.02)
        assert found.interval is not None and found.ratio_interval is not None
        held += found.interval[0] <= mean * (np.exp(0.1) - 1) <= found.interval[1]
        ratios += found.ratio_interval[0] <= np.exp(0.1) <= found.ratio_interval[1]
    assert 0.89 <= held / rounds <= 0.99 and 0.89 <= ratios / rounds <= 0.99
