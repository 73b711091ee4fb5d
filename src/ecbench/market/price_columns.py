"""What prices do to demand and returns, for columns of prices: for searches of the best price. Needs numpy.

No year is played by these: their last digit may differ from that of the functions for one price.
"""

import numpy as np
import numpy.typing as npt

from ecbench.rule_values import UNLIMITED
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.world.model import Elasticity

Column = npt.NDArray[np.float64]


def responses(family: Elasticity, eta: float | Column, ratios: Column, rules: Rules = DEFAULT_RULES) -> Column:
    """phi of one family for a column of prices over the reference price (eq:app_elasticity)."""
    found = _uncut_responses(family, eta, np.maximum(rules.lowest_price_ratio, ratios))
    return found if rules.price_ceiling >= UNLIMITED else np.where(ratios > rules.price_ceiling, 0.0, found)


def _uncut_responses(family: Elasticity, eta: float | Column, ratios: Column) -> Column:
    gaps = ratios - 1.0
    match family:
        case "linear":
            return np.maximum(0.0, 1.0 - eta * gaps)
        case "exponential":
            return np.exp(-eta * gaps)
        case "constant_elasticity":
            return np.asarray(ratios**-eta)
        case "quadratic":
            return np.maximum(0.0, 1.0 - eta * (gaps * gaps))


def price_curves(ratios: Column, rules: Rules) -> Column:
    """`price_curve` of the return rate for a column of prices over the reference price."""
    places, factors = np.array(rules.price_return_knees).T
    beyond = np.maximum(0.0, ratios - places[-1])
    return np.asarray(np.interp(ratios, places, factors) + rules.price_return_slope * beyond)


def saturations(capacity: float | Column, wished: Column) -> Column:
    """The share that is served of each demand in a column."""
    return capacity / (capacity + wished)
