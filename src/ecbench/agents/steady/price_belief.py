"""What a line of goods sells at which price: four shapes of the price response, weighed by what sold.

Goods of one category share their base demand, so how a day's sales split over listings with different prices shows the
response alone, whatever the season, the store's reputation or the crowd did that day.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, log
from typing import NamedTuple

SHAPES = {
    "linear": (2.2, 2.5, 2.8, 3.2, 3.6, 3.9),
    "exponential": (2.6, 3.0, 3.5, 4.0, 4.5, 4.9),
    "constant": (1.35, 1.6, 1.85, 2.15, 2.5, 2.9),
    "quadratic": (2.8, 3.3, 3.9, 4.5, 5.1, 5.8),
}
LEAST = 1e-4  # no price is certain to sell nothing: a shape that is slightly off must survive a surprise
MEMORY = 0.995  # weight of yesterday's evidence today


class Shape(NamedTuple):
    family: str
    steepness: float


ALL_SHAPES = tuple(Shape(family, steepness) for family, values in SHAPES.items() for steepness in values)


def answer(shape: Shape, ratio: float, sharpness: float = 1.0) -> float:
    """Demand at a price, as a share of the demand at the reference price."""
    steep, above = shape.steepness * sharpness, ratio - 1.0
    if shape.family == "linear":
        return max(0.0, 1.0 - steep * above)
    if shape.family == "exponential":
        return exp(-steep * above)
    if shape.family == "constant":
        return float(max(ratio, 0.05) ** -steep)
    return max(0.0, 1.0 - steep * above * above)


@lru_cache(maxsize=4096)
def answers(ratio: float, sharpness: float = 1.0, shapes: tuple[Shape, ...] = ALL_SHAPES) -> tuple[float, ...]:
    return tuple(answer(shape, ratio, sharpness) for shape in shapes)


@dataclass(slots=True)
class PriceBelief:
    shapes: tuple[Shape, ...] = ALL_SHAPES
    evidence: list[float] = field(default_factory=list)  # log weight of each shape
    weights: tuple[float, ...] = ()
    units_seen: float = 0.0

    def __post_init__(self) -> None:
        self.evidence = [0.0] * len(self.shapes)
        self._weigh()

    def response(self, ratio: float, sharpness: float = 1.0) -> float:
        return sum(w * a for w, a in zip(self.weights, answers(ratio, sharpness, self.shapes), strict=True))

    def learn(self, sales: list[tuple[float, int, float]]) -> None:
        """One day of one line, as (price ratio, listings that did not sell out, units they sold)."""
        total = sum(units for _, _, units in sales)
        if len(sales) < 2 or total <= 0:
            return
        expected = [[max(LEAST, a) for a in answers(ratio, 1.0, self.shapes)] for ratio, _, _ in sales]
        for place in range(len(self.shapes)):
            whole = sum(row[place] * listings for row, (_, listings, _) in zip(expected, sales, strict=True))
            score = sum(units * log(row[place]) for row, (_, _, units) in zip(expected, sales, strict=True))
            self.evidence[place] = MEMORY * self.evidence[place] + score - total * log(whole)
        self.units_seen += total
        self._weigh()

    def _weigh(self) -> None:
        best = max(self.evidence)
        raw = [exp(value - best) for value in self.evidence]
        whole = sum(raw)
        self.weights = tuple(value / whole for value in raw)
