"""The demand estimate: how many customers a store has, as two unknowns on a grid, weighed by how much sold.

The reach is the share of a category's platform-wide sales that one listing draws; the capacity is the ceiling that a
store's demand bends towards, with a smaller ceiling for each category. Few listings show the reach, many the capacity.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.market.demand import category_share
from ecbench.market.price_columns import saturations
from ecbench.rules import DEFAULT_RULES
from ecbench.sums import ordered_sum

Grid = npt.NDArray[np.float64]

_REACHES, _CAPACITIES = np.geomspace(0.012, 2.4, 24), np.geomspace(3.0, 60_000.0, 28)
REACHES, CAPACITIES = (side.ravel() for side in np.meshgrid(_REACHES, _CAPACITIES, indexing="ij"))
_LOG_REACHES = np.log(_REACHES)
CAUTION = 0.4  # the capacity reckoned with has this chance of being too high a guess
MEMORY = 0.97  # of yesterday's evidence
SLACK = 0.04  # squared relative error that events and rounding explain


class LineListings(NamedTuple):
    """The listings of one line on one day: one row a price."""

    responses: Grid  # demand at that price over demand at the reference price; or several guesses at it
    listings: Grid
    stock: Grid  # units per listing
    drawn: Grid | float  # by all of them, over what a listing at the reference price draws


class LineDay(NamedTuple):
    market: float  # platform-wide units a day
    shelves: LineListings
    sold: int
    doubt: float = 0.0  # squared relative error of the responses


def believed_listings(responses: Sequence[float], listings: Grid, stock: Grid) -> LineListings:
    """At one response for each price."""
    drawn = ordered_sum(
        [response * count for response, count in zip(responses, listings.ravel().tolist(), strict=True)]
    )
    return LineListings(np.array(responses)[:, None], listings, stock, drawn)


def expected_sales(wish: Grid | float, ceiling: Grid | None, store_factor: Grid | float, shelves: LineListings) -> Grid:
    """Units that a line sells in a day; `wish` is what a listing at the reference price would draw by itself."""
    each = wish * store_factor
    if ceiling is not None:
        each = each * saturations(ceiling, np.asarray(wish * shelves.drawn))
    sold: Grid = np.add.reduce(shelves.listings * np.minimum(each * shelves.responses, shelves.stock))
    return sold


@dataclass(slots=True)
class DemandEstimate:
    categories: int
    evidence: Grid = field(default_factory=lambda: np.zeros(REACHES.shape))
    reach: float = 0.1
    capacity: float = 500.0
    share: float = field(init=False)  # of the capacity that a category can claim

    def __post_init__(self) -> None:
        self.share = category_share(self.categories, DEFAULT_RULES)

    def learn(self, lines: list[LineDay], boost: float) -> None:
        """One day of one store; `boost` is reputation, weekday, season and promotion together."""
        store_factor = np.maximum(0.01, 1.0 - sum(line.sold for line in lines) / CAPACITIES)
        ceiling = self.share * CAPACITIES if self.share < 1.0 else None
        self.evidence *= MEMORY
        for line in lines:
            expected = expected_sales(REACHES * (line.market * boost), ceiling, store_factor, line.shelves)
            spread = expected + (SLACK + line.doubt) * expected * expected + 0.3
            self.evidence -= 0.5 * ((line.sold - expected) ** 2 / spread + np.log(spread))
        self._estimate()

    def expects(self, line: LineDay, boost: float, store_sold: int) -> Grid:
        """What a line should have sold by each of the responses that its shelves hold."""
        ceiling = np.array(self.share * self.capacity) if self.share < 1.0 else None
        store_factor = max(0.01, 1.0 - store_sold / self.capacity)
        return expected_sales(self.reach * line.market * boost, ceiling, store_factor, line.shelves)

    def _estimate(self) -> None:
        weights = np.exp(self.evidence - self.evidence.max()).reshape(len(_REACHES), len(_CAPACITIES))
        by_capacity = weights.sum(axis=0)
        total = by_capacity.cumsum()
        place = int(total.searchsorted(CAUTION * total[-1]))
        self.capacity = float(_CAPACITIES[place])
        self.reach = float(np.exp((weights[:, place] * _LOG_REACHES).sum() / by_capacity[place]))
