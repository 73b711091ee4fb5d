"""The price response of a line of goods: curves of the four families, weighed by what sold.

Goods of one category share their base demand, so how a day's sales split over listings with different prices shows the
response alone, whatever season, reputation and number of customers were that day. Where all prices are alike, how much
sold still distinguishes a curve that ends from one that does not.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.market.cache import FunctionCache
from ecbench.market.demand import curve_response
from ecbench.world.model import Elasticity

Weights = npt.NDArray[np.float64]

STEEPNESS: dict[Elasticity, tuple[float, ...]] = {
    "linear": (2.2, 2.5, 2.8, 3.2, 3.6, 3.9),
    "exponential": (2.6, 3.0, 3.5, 4.0, 4.5, 4.9),
    "constant_elasticity": (1.35, 1.6, 1.85, 2.15, 2.5, 2.9),
    "quadratic": (2.8, 3.3, 3.9, 4.5, 5.1, 5.8),
}
LEAST = 1e-4  # no price is certain to sell nothing: a curve that is slightly off must survive a surprise
MEMORY = 0.995  # weight of yesterday's evidence today
DOUBT = 0.25  # squared relative error of a whole day's sales: reach, capacity and events are guesses too


class Shape(NamedTuple):
    """One curve: its family, and the parameter that the market calls eta."""

    family: Elasticity
    steepness: float

    def answer(self, ratio: float, sharpness: float = 1.0) -> float:
        """Demand at a price, as a share of the demand at the reference price."""
        return curve_response(self.family, self.steepness * sharpness, ratio)


SHAPES = tuple(Shape(family, steepness) for family, values in STEEPNESS.items() for steepness in values)


class Curves:
    """What a set of shapes answers to prices, each worked out once.

    `answers` by (ratio, sharpness): one entry a shape. `tables` by (ratios, sharpness): one row a ratio. `odds` by
    ratios: the table once more, where no answer is nothing, and its logarithms.
    """

    __slots__ = ("answers", "odds", "shapes", "tables")

    def __init__(self, shapes: tuple[Shape, ...]) -> None:
        self.shapes = shapes
        self.answers: FunctionCache[tuple[float, float], Weights] = FunctionCache(self._answers, 8192)
        self.tables: FunctionCache[tuple[tuple[float, ...], float], Weights] = FunctionCache(self._table, 4096)
        self.odds: FunctionCache[tuple[float, ...], tuple[Weights, Weights]] = FunctionCache(self._odds, 4096)

    def _answers(self, asked: tuple[float, float]) -> Weights:
        ratio, sharpness = asked
        return np.array([shape.answer(ratio, sharpness) for shape in self.shapes])

    def _table(self, asked: tuple[tuple[float, ...], float]) -> Weights:
        ratios, sharpness = asked
        return np.array([self.answers[ratio, sharpness] for ratio in ratios])

    def _odds(self, ratios: tuple[float, ...]) -> tuple[Weights, Weights]:
        expected = np.maximum(LEAST, self.tables[ratios, 1.0])
        return expected, np.log(expected)


@lru_cache(maxsize=1024)
def curves_of(shapes: tuple[Shape, ...]) -> Curves:
    """Shared by all who believe in the same shapes."""
    return Curves(shapes)


class PriceBelief:
    __slots__ = ("_responses", "_weights", "curves", "evidence")

    def __init__(self, shapes: tuple[Shape, ...] = SHAPES) -> None:
        self.curves = curves_of(shapes)
        self.evidence = np.zeros(len(shapes))  # log weights
        self._weights: Weights | None = None  # where the evidence has changed
        self._responses: dict[tuple[tuple[float, ...], float], Weights] = {}  # since the weights last changed

    @property
    def weights(self) -> Weights:
        """How likely each curve is."""
        if self._weights is None:
            weights = np.exp(self.evidence - np.maximum.reduce(self.evidence))
            self._weights = weights / np.add.reduce(weights)
        return self._weights

    def response(self, ratio: float, sharpness: float = 1.0) -> float:
        return float(self.weights @ self.curves.answers[ratio, sharpness])

    def responses(self, ratios: tuple[float, ...], sharpness: float = 1.0) -> Weights:
        found = self._responses.get((ratios, sharpness))
        if found is None:
            found = self._responses[ratios, sharpness] = self.curves.tables[ratios, sharpness] @ self.weights
        return found

    def learn(self, sales: list[tuple[float, int, int]]) -> None:
        """One day of one line, as (price ratio, listings that did not sell out, units they sold)."""
        total = sum([units for _, _, units in sales])
        self.evidence *= MEMORY
        if len(sales) < 2 or total <= 0:
            return
        ratios, listings, units = zip(*sales, strict=True)
        expected, logs = self.curves.odds[ratios]
        self._weigh(np.array(units) @ logs - total * np.log(np.array(listings) @ expected))

    def learn_total(self, sold: int, expected: Weights) -> None:
        """The same day once more: all that sold, and what should have sold by each curve."""
        spread = expected + DOUBT * expected * expected + 0.3
        self._weigh(-0.5 * ((sold - expected) ** 2 / spread + np.log(spread)))

    def _weigh(self, likelihood: Weights) -> None:
        self.evidence += likelihood
        self._weights = None
        self._responses.clear()
