"""How demand answers the price: four families, one per category (eq:app_elasticity).

`ratio` is the price a customer pays over the reference price. `market/price_columns.py` has the families for columns of
prices.
"""

from collections.abc import Callable, Mapping
from math import exp
from types import MappingProxyType

from ecbench.world.model import Elasticity

PriceCurve = Callable[[float, float], float]


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
