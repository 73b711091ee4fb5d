"""The two inverse questions of the four families of price response, over whole columns of goods.

A ratio is the price a customer pays over the reference price, as in `market/demand.py`.
"""

from typing import Any, assert_never

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


class Inverse:
    """The highest price at which demand still reaches `wanted`, over the demand at the reference price.

    Where no price brings so many customers the answer is not above 0. It is asked for one `wanted` at many degrees of
    crowding, so what costs most is worked out once.
    """

    def __init__(self, family: Elasticity, eta: float, wanted: Column) -> None:
        self._family, self._eta = family, eta
        self._prepared: Column = wanted
        if family == "constant_elasticity":
            self._prepared = wanted ** (-1.0 / eta)
        elif family == "exponential":
            self._prepared = 1.0 - np.log(wanted) / eta

    def ratio(self, crowding: float) -> Any:
        """`crowding` is the share of the customers who are left over for the shelf: `wanted` is over this share."""
        eta, prepared = self._eta, self._prepared
        match self._family:
            case "linear":
                return (1.0 + 1.0 / eta) - prepared * (1.0 / (eta * crowding))
            case "exponential":
                return prepared + np.log(crowding) / eta
            case "constant_elasticity":
                return prepared * crowding ** (1.0 / eta)
            case "quadratic":
                room = 1.0 - prepared / crowding
                return np.where(room >= 0.0, 1.0 + np.sqrt(np.maximum(0.0, room) / eta), 0.0)
            case _:
                assert_never(self._family)
