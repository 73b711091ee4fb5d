"""What a line of goods sells at which price: four shapes of the price response, weighed by what sold.

Goods of one category share their base demand, so how a day's sales split over listings with different prices shows the
response alone, whatever the season, the store's reputation or the crowd did that day.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Weights = npt.NDArray[np.float64]

STEEPNESS = {
    "linear": (2.2, 2.5, 2.8, 3.2, 3.6, 3.9),
    "exponential": (2.6, 3.0, 3.5, 4.0, 4.5, 4.9),
    "constant_elasticity": (1.35, 1.6, 1.85, 2.15, 2.5, 2.9),
    "quadratic": (2.8, 3.3, 3.9, 4.5, 5.1, 5.8),
}
LEAST = 1e-4  # no price is certain to sell nothing: a shape that is slightly off must survive a surprise
MEMORY = 0.995  # weight of yesterday's evidence today


class Shape(NamedTuple):
    family: str
    steepness: float

    def answer(self, ratio: float, sharpness: float) -> float:
        """Demand at a price, as a share of the demand at the reference price (eq:app_elasticity)."""
        steep, above = self.steepness * sharpness, ratio - 1.0
        if self.family == "linear":
            return max(0.0, 1.0 - steep * above)
        if self.family == "exponential":
            return float(np.exp(-steep * above))
        if self.family == "constant_elasticity":
            return float(max(ratio, 0.05) ** -steep)
        return max(0.0, 1.0 - steep * above * above)


SHAPES = tuple(Shape(family, steepness) for family, values in STEEPNESS.items() for steepness in values)


@lru_cache(maxsize=64)
def answer_table(shapes: tuple[Shape, ...], ratios: tuple[float, ...], sharpness: float) -> Weights:
    """One row a ratio, one column a shape."""
    return np.array([[shape.answer(ratio, sharpness) for shape in shapes] for ratio in ratios])


@lru_cache(maxsize=8192)
def answers(shapes: tuple[Shape, ...], ratio: float, sharpness: float = 1.0) -> Weights:
    return np.array([shape.answer(ratio, sharpness) for shape in shapes])


class PriceBelief:
    __slots__ = ("_known", "evidence", "shapes", "weights")

    def __init__(self, shapes: tuple[Shape, ...] = SHAPES) -> None:
        self.shapes = shapes
        self.evidence = np.zeros(len(shapes))  # log weights
        self.weights = np.full(len(shapes), 1.0 / len(shapes))
        self._known: dict[tuple[float, float], float] = {}

    def response(self, ratio: float, sharpness: float = 1.0) -> float:
        known = self._known.get((ratio, sharpness))
        if known is None:
            known = self._known[ratio, sharpness] = float(self.weights @ answers(self.shapes, ratio, sharpness))
        return known

    def responses(self, ratios: tuple[float, ...], sharpness: float = 1.0) -> Weights:
        return np.asarray(answer_table(self.shapes, ratios, sharpness) @ self.weights)

    def learn(self, sales: list[tuple[float, int, int]]) -> None:
        """One day of one line, as (price ratio, listings that did not sell out, units they sold)."""
        total = sum(units for _, _, units in sales)
        if len(sales) < 2 or total <= 0:
            return
        expected = np.maximum(LEAST, np.array([answers(self.shapes, ratio) for ratio, _, _ in sales]))
        listings = np.array([count for _, count, _ in sales])
        units = np.array([count for _, _, count in sales])
        self.evidence = MEMORY * self.evidence + units @ np.log(expected) - total * np.log(listings @ expected)
        weights = np.exp(self.evidence - self.evidence.max())
        self.weights = weights / weights.sum()
        self._known.clear()
