"""Price response over columns is the market's, and its best price is found."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecbench.market.best_shelf import best_ratio, responses
from ecbench.market.demand import PRICE_CURVES
from ecbench.world.model import Elasticity

FAMILIES: tuple[Elasticity, ...] = ("linear", "exponential", "constant_elasticity", "quadratic")
steepness = st.floats(1.05, 8.0)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_response_is_the_markets(family: Elasticity) -> None:
    ratios = np.array([0.01, 0.5, 1.0, 1.3, 2.0, 7.0])
    expected = [PRICE_CURVES[family](float(ratio), 2.3) for ratio in ratios]
    assert responses(family, 2.3, ratios).tolist() == pytest.approx(expected, rel=1e-14)


@given(st.sampled_from(FAMILIES), steepness, st.floats(0.001, 3.0))
def test_no_price_earns_more_than_the_best_one(family: Elasticity, eta: float, cost: float) -> None:
    others = np.concatenate([np.linspace(1e-6, 3.0, 4_001), np.geomspace(3.0, 1e4, 2_001)])
    best = best_ratio(family, eta, np.array([cost]))
    earned = max(0.0, float((responses(family, eta, best) * (best - cost))[0]))
    assert (responses(family, eta, others) * (others - cost)).max() <= earned * (1 + 1e-9) + 1e-12
