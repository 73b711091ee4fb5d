"""What the merchant believes of demand: how a line of goods responds to prices, and how many customers a store has.

How a day's sales of a category split over prices shows the response. Customers are two unknowns on a grid: the reach,
the share of a category's platform-wide sales that one listing draws, and the capacity that a store's demand bends
towards, with a smaller one for each category. Few listings show the reach, many the capacity.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ecbench.market.best_shelf import Column, responses, saturations
from ecbench.market.demand import category_share
from ecbench.rules import DEFAULT_RULES
from ecbench.world.model import Elasticity

STEEPNESS: dict[Elasticity, tuple[float, ...]] = {
    "linear": (2.2, 2.5, 2.8, 3.2, 3.6, 3.9),
    "exponential": (2.6, 3.0, 3.5, 4.0, 4.5, 4.9),
    "constant_elasticity": (1.35, 1.6, 1.85, 2.15, 2.5, 2.9),
    "quadratic": (2.8, 3.3, 3.9, 4.5, 5.1, 5.8),
}
LEAST = 1e-4  # no price is certain to sell nothing: a curve that is slightly off must survive a surprise
PRICE_MEMORY = 0.995  # weight of yesterday's evidence today
DOUBT = 0.25  # squared relative error of a whole day's sales: reach, capacity and events are guesses too
_REACHES, _CAPACITIES = np.geomspace(0.012, 2.4, 24), np.geomspace(3.0, 60_000.0, 28)
REACHES, CAPACITIES = (side.ravel() for side in np.meshgrid(_REACHES, _CAPACITIES, indexing="ij"))
_LOG_REACHES = np.log(_REACHES)
CAUTION = 0.4  # the capacity reckoned with has this chance of being too high a guess
DEMAND_MEMORY = 0.97  # of yesterday's evidence
SLACK = 0.04  # squared relative error that events and rounding explain


class Shape(NamedTuple):
    """One curve of price response: its family, and the parameter that the market calls eta."""

    family: Elasticity
    steepness: float


SHAPES = tuple(Shape(family, steepness) for family, values in STEEPNESS.items() for steepness in values)


@lru_cache(maxsize=4096)
def answers(shapes: tuple[Shape, ...], ratios: tuple[float, ...], sharpness: float = 1.0) -> Column:
    """Demand at each price as a share of that at the reference price: a row for each ratio, a column for each shape."""
    prices = np.array(ratios)
    return np.array([responses(family, steepness * sharpness, prices) for family, steepness in shapes]).T.copy()


class PriceBelief:
    """How likely each of some curves is."""

    __slots__ = ("evidence", "shapes", "weights")

    def __init__(self, shapes: tuple[Shape, ...] = SHAPES) -> None:
        self.shapes = shapes
        self.evidence = np.zeros(len(shapes))  # log weights
        self.weights = np.full(len(shapes), 1 / len(shapes))

    def responses(self, ratios: tuple[float, ...], sharpness: float = 1.0) -> Column:
        return np.asarray(answers(self.shapes, ratios, sharpness) @ self.weights)

    def learn(self, sales: list[tuple[float, int, int]]) -> None:
        """One day of one line, as (price ratio, listings that did not sell out, units they sold)."""
        total = sum([units for _, _, units in sales])
        self.evidence *= PRICE_MEMORY
        if len(sales) < 2 or total <= 0:
            return
        ratios, listings, units = zip(*sales, strict=True)
        expected = np.maximum(LEAST, answers(self.shapes, ratios))
        self._weigh(np.array(units) @ np.log(expected) - total * np.log(np.array(listings) @ expected))

    def learn_total(self, sold: int, expected: Column) -> None:
        """The same day once more: all that sold, and what should have sold by each curve."""
        spread = expected + DOUBT * expected * expected + 0.3
        self._weigh(-0.5 * ((sold - expected) ** 2 / spread + np.log(spread)))

    def _weigh(self, likelihood: Column) -> None:
        self.evidence += likelihood
        weights = np.exp(self.evidence - np.maximum.reduce(self.evidence))
        self.weights = weights / np.add.reduce(weights)


class LineDay(NamedTuple):
    """A day of one line: what was listed, one row a price, and what all of it sold."""

    market: float  # platform-wide units a day
    responses: Column  # demand at that price over demand at the reference price; or several guesses at it
    listings: Column
    stock: Column  # units per listing
    sold: int
    doubt: float = 0.0  # squared relative error of the responses

    def drawn(self) -> Column:
        """By all listings, over what a listing at the reference price draws."""
        return np.asarray(np.add.reduce(self.listings * self.responses))

    def expected(self, raw_demand: Column | float, capacity: Column, share: float, store_sold: int) -> Column:
        """Units that should have sold; `raw_demand` is what a listing at the reference price would draw by itself,
        `share` what one category can claim of the store's capacity."""
        each = raw_demand * np.maximum(0.01, 1.0 - store_sold / capacity)
        if share < 1.0:
            each = each * saturations(share * capacity, np.asarray(raw_demand * self.drawn()))
        sold: Column = np.add.reduce(self.listings * np.minimum(each * self.responses, self.stock))
        return sold


@dataclass(slots=True)
class DemandEstimate:
    categories: int
    evidence: Column = field(default_factory=lambda: np.zeros(REACHES.shape))
    reach: float = 0.1
    capacity: float = 500.0

    @property
    def share(self) -> float:
        """Of the capacity that a category can claim."""
        return category_share(self.categories, DEFAULT_RULES)

    def learn(self, lines: list[LineDay], boost: float) -> None:
        """One day of one store; `boost` is reputation, weekday, season and promotion together."""
        store_sold = sum(line.sold for line in lines)
        self.evidence *= DEMAND_MEMORY
        for line in lines:
            expected = line.expected(REACHES * (line.market * boost), CAPACITIES, self.share, store_sold)
            spread = expected + (SLACK + line.doubt) * expected * expected + 0.3
            self.evidence -= 0.5 * ((line.sold - expected) ** 2 / spread + np.log(spread))
        weights = np.exp(self.evidence - self.evidence.max()).reshape(len(_REACHES), len(_CAPACITIES))
        by_capacity = weights.sum(axis=0)
        total = by_capacity.cumsum()
        index = int(total.searchsorted(CAUTION * total[-1]))
        self.capacity = float(_CAPACITIES[index])
        self.reach = float(np.exp((weights[:, index] * _LOG_REACHES).sum() / by_capacity[index]))

    def expects(self, line: LineDay, boost: float, store_sold: int) -> Column:
        """What a line should have sold by each of its responses."""
        return line.expected(self.reach * line.market * boost, np.array(self.capacity), self.share, store_sold)
