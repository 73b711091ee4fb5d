"""The best price under each of the four families of price response, over whole columns of goods.

A ratio is the price a customer pays over the reference price, as in `market/demand.py`.
"""

import numpy as np

from ecbench.market.price_columns import Column
from ecbench.world.model import Elasticity


def has_a_best_price(family: Elasticity, eta: float) -> bool:
    """Not where a price that doubles loses at most half the customers: then the dearer the better, without end."""
    return family != "constant_elasticity" or eta > 1.0


def best_ratio(family: Elasticity, eta: float, cost: Column) -> Column:
    """The price that earns most where a unit costs so much, both over reference: where response x (price - cost) peaks.

    Towards that price the product rises, beyond it falls, so within an interval the nearest price is the best one.
    Infinite where no price is too high.
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
