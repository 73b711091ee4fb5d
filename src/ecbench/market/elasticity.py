"""How demand answers the price: four families, one per category (eq:app_elasticity).

`ratio` is the price a customer pays over the reference price. Every family stands here twice: for one price, as a year
asks for it, and for whole columns of prices, as those do who search for the best one.
"""

from collections.abc import Callable, Mapping
from math import exp
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ecbench.rule_values import UNLIMITED
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.world.model import Elasticity

PriceCurve = Callable[[float, float], float]
Column = npt.NDArray[np.float64]


def linear(ratio: float, eta: float) -> float:
    return max(0.0, 1.0 - eta * (ratio - 1.0))


def exponential(ratio: float, eta: float) -> float:
    return exp(-eta * (ratio - 1.0))


def constant_elasticity(ratio: float, eta: float) -> float:
    return float(ratio**-eta)


def quadratic(ratio: float, eta: float) -> float:
    gap = ratio - 1.0
    return max(0.0, 1.0 - eta * (gap * gap))  # a product may be infinite where a power would raise


PRICE_CURVES: Mapping[Elasticity, PriceCurve] = MappingProxyType(
    {
        "linear": linear,
        "exponential": exponential,
        "constant_elasticity": constant_elasticity,
        "quadratic": quadratic,
    }
)


def responses(family: Elasticity, eta: float | Column, ratios: Column, rules: Rules = DEFAULT_RULES) -> Column:
    """phi for a column of prices; the last digit may differ, so no year is played by it."""
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
