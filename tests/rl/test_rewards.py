"""Rewards add up."""

from itertools import pairwise
from random import Random

import pytest

from ecbench.rl.environment import REWARDS, in_grains


@pytest.mark.parametrize("stake", [1.0, 100_000.0, 1e11])
def test_changes_telescope_exactly_whatever_the_amounts_and_their_order(stake: float) -> None:
    draws = Random(f"a year from {stake}")
    assets, counted = stake, [in_grains(stake)]
    for _ in range(5_000):
        assets += draws.uniform(-0.03, 0.04) * stake / 3
        counted.append(in_grains(assets))
    paid = [REWARDS["change"].step(before, after) for before, after in pairwise(counted)]
    assert sum(paid) == counted[-1] - counted[0]
    draws.shuffle(paid)
    assert sum(paid) == counted[-1] - counted[0]


def test_counting_in_parts_of_a_yuan_moves_no_cent() -> None:
    draws = Random("amounts")
    for _ in range(1_000):
        amount = draws.uniform(-1e7, 1e9)
        assert abs(in_grains(amount) - amount) <= 1 / 8_192
