"""Many draws at once are the market's own draws."""

from random import Random

import numpy as np
import pytest

from ecbench.bound.roundings import BLOCK, demand_roundings, first_uniforms
from ecbench.market.draws import demand_rounding

EDGES = [0, 1, 2**32 - 1, 2**32, 2**32 + 1, 2**62, 2**63 - 1]


def test_first_uniforms_are_pythons_own_for_keys_of_one_word_and_of_two() -> None:
    rng = Random(4)
    seeds = EDGES + [rng.getrandbits(bits) for bits in (3, 20, 31, 32, 33, 50, 62) for _ in range(40)]
    assert first_uniforms(np.array(seeds)).tolist() == [Random(seed).random() for seed in seeds]


def test_more_generators_than_a_block_keep_their_places() -> None:
    seeds = np.arange(BLOCK + 5)
    assert first_uniforms(seeds)[[0, BLOCK - 1, BLOCK, BLOCK + 4]].tolist() == [
        Random(seed).random() for seed in (0, BLOCK - 1, BLOCK, BLOCK + 4)
    ]


@pytest.mark.parametrize("seed", [0, 20_260_122, 2**32 - 5, 2**63 - 1, -7])
def test_the_draws_are_those_that_round_the_markets_demand(seed: int) -> None:
    skus, days = ["a1", "ünïcode", "x" * 80], ["2026-01-05", "2026-12-31"]
    drawn = demand_roundings(seed, skus, days)
    assert drawn.tolist() == [[demand_rounding(seed, sku, day) for sku in skus] for day in days]
