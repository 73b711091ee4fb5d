"""A unit's return rate: four channels, three at the sale and one at dispatch (app:econ_returns)."""

from itertools import pairwise
from typing import NamedTuple

from ecbench.rules import Rules
from ecbench.world.model import Product

Knees = tuple[tuple[float, float], ...]


class ReturnLayers(NamedTuple):
    """The rate as each channel raises it, before the shipping speed is known (eq:e5_layers)."""

    natural: float
    blended: float
    priced: float
    capped: float


def price_curve(ratio: float, knees: Knees, slope: float = 0.0) -> float:
    """Piecewise linear through the knees, flat before the first one; past the last one it rises by `slope`."""
    if ratio <= knees[0][0]:
        return knees[0][1]
    for (left, low), (right, high) in pairwise(knees):
        if ratio <= right:
            return low + (high - low) * (ratio - left) / (right - left)
    last, highest = knees[-1]
    return highest + slope * (ratio - last)


def return_layers(product: Product, defective_share: float, price: float, rules: Rules) -> ReturnLayers:
    """`defective_share` is over all deliveries of the SKU, so that mixed lots cannot be distinguished."""
    natural = product.return_rate
    defective_rate = min(rules.return_cap, max(rules.defective_floor, rules.defective_factor * natural))
    blended = (1.0 - defective_share) * natural + defective_share * defective_rate
    priced = blended * price_curve(price / product.reference_price, rules.price_return_knees, rules.price_return_slope)
    return ReturnLayers(natural, blended, priced, min(rules.return_cap, priced))
