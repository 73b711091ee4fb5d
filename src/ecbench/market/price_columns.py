"""What prices do to demand and returns, for columns of prices: for searches of the best price. Needs numpy.

A ratio is the price that a customer pays over the reference price, as in `market/demand.py`. No year is played by these
functions: their last digit may differ from that of the functions for one price.
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


def has_a_best_price(family: Elasticity, eta: float) -> bool:
    """Not if a price that doubles loses at most half the customers: then the dearer the better, without end."""
    return family != "constant_elasticity" or eta > 1.0


def best_ratio(family: Elasticity, eta: float, cost: Column) -> Column:
    """The price that earns most if a unit costs so much, both over reference: where response x (price - cost) peaks.

    Towards that price the product rises, beyond it falls, so within an interval the nearest price is the best one.
    Infinite if no price is too high.
    """
    if not has_a_best_price(family, eta):
        return np.full_like(cost, np.inf)
    match family:
        case "linear":
            return (1.0 + 1.0 / eta + cost) / 2.0
        case "exponential":
            return cost + 1.0 / eta
        case "constant_elasticity":
            return cost * (eta / (eta - 1.0))
        case "quadratic":
            gap = eta * (1.0 - cost)
            return 1.0 + (np.sqrt(gap * gap + 3.0 * eta) - gap) / (3.0 * eta)


def price_curves(ratios: Column, rules: Rules) -> Column:
    """`price_curve` of the return rate for a column of prices over the reference price."""
    knees, factors = np.array(rules.price_return_knees).T
    beyond = np.maximum(0.0, ratios - knees[-1])
    return np.asarray(np.interp(ratios, knees, factors) + rules.price_return_slope * beyond)


def saturations(capacity: float | Column, demand: Column) -> Column:
    """The share that is served of each demand in a column."""
    return capacity / (capacity + demand)
