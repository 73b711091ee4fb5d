"""One axis of two agents: the figures by hand, and nothing where there is no sample."""

import numpy as np
import pytest

from ecbench.compare.difference import Duel, apart, no_difference, paired
from ecbench.metrics.axes import AXES

ASSETS, FALL = AXES[0], AXES[3]


def duels(ones: list[float], others: list[float]) -> list[Duel]:
    return [Duel(one, other, [one], [other]) for one, other in zip(ones, others, strict=True)]


def test_the_difference_is_over_worlds() -> None:
    found = paired(ASSETS, duels([10, 20, 30, 40, 50, 60], [5, 15, 25, 35, 45, 55]))
    assert found.difference == 5.0
    assert found.interval == (5.0, 5.0)  # the same on every world, so pairing leaves no doubt
    assert found.p == 2 / 64 and (found.wins, found.losses) == (6, 0)


def test_on_an_axis_where_lower_is_better_the_lower_one_wins() -> None:
    found = paired(FALL, duels([0.1, 0.2, 0.3], [0.2, 0.2, 0.1]))
    assert (found.wins, found.losses) == (1, 1)
    assert found.beats == pytest.approx(0.5)


def test_the_chance_to_win_on_a_fresh_world_counts_every_pair_of_years() -> None:
    found = paired(ASSETS, [Duel(2, 2, [1, 3], [2, 2]), Duel(5, 1, [5, 5], [1, 1])])
    assert found.beats == pytest.approx((0.5 + 1.0) / 2)


def test_fewer_than_six_worlds_have_neither_interval_nor_p() -> None:
    found = paired(ASSETS, duels([10, 20, 30, 40, 51], [5, 15, 25, 35, 45]))
    assert found.p is None and found.interval is None
    assert found.difference is not None and found.beats is not None


@pytest.mark.parametrize("number", [0, 1])
def test_one_world_or_none_gives_means_at_most(number: int) -> None:
    found = paired(ASSETS, duels([10.0] * number, [5.0] * number))
    assert found.difference == (5.0 if number else None)
    assert found.beats is None and found.spread is None and found.p is None
    assert apart(ASSETS, [1.0] * number, [1.0] * number).p is None


def test_pairing_sees_through_what_worlds_do_to_both() -> None:
    draws = np.random.default_rng(6)
    worlds = draws.normal(1000, 300, 10)
    ones, others = (worlds + 100 + draws.normal(0, 30, 10)).tolist(), (worlds + draws.normal(0, 30, 10)).tolist()
    together, alone = paired(ASSETS, duels(ones, others)), apart(ASSETS, ones, others)
    assert together.p is not None and alone.p is not None and together.p < 0.01 and alone.p > 0.1
    assert no_difference(ASSETS).units == (0, 0)
