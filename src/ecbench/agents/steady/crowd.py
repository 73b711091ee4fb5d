"""How large a store's public is: two unknowns, weighed on a grid by how much sold.

The reach is the share of a category's platform-wide sales that one listing draws; the capacity is the ceiling that a
store's demand bends towards, with a smaller ceiling for each category. Few listings show the reach, many the capacity.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.rules import DEFAULT_RULES
from ecbench.sums import added

Grid = npt.NDArray[np.float64]

REACHES = np.geomspace(0.012, 1.6, 22)[:, None]
CAPACITIES = np.geomspace(5.0, 60_000.0, 28)[None, :]
CAUTION = 0.4  # the capacity reckoned with has this chance of being too high a guess
MEMORY = 0.97  # of yesterday's evidence
SLACK = 0.04  # squared relative error that events and rounding explain


class Shelf(NamedTuple):
    """Listings of one line at one price on one day."""

    response: float  # demand at that price over demand at the reference price
    listings: int
    stock: float  # units per listing


class LineDay(NamedTuple):
    market: float  # platform-wide units a day
    shelves: list[Shelf]
    sold: int


def category_share(categories: int) -> float:
    """The part of a store's capacity that one of its categories can claim (eq:app_saturation)."""
    return min(1.0, max(DEFAULT_RULES.category_fraction, DEFAULT_RULES.category_spread / max(1, categories)))


@dataclass(slots=True)
class Crowd:
    categories: int
    evidence: Grid = field(default_factory=lambda: np.zeros((REACHES.shape[0], CAPACITIES.shape[1])))
    reach: float = 0.1
    capacity: float = 500.0

    def learn(self, lines: list[LineDay], boost: float) -> None:
        """One day of one store; `boost` is reputation, weekday, season and promotion together."""
        sold = sum(line.sold for line in lines)
        store_factor = np.maximum(0.01, 1.0 - sold / CAPACITIES)
        share = category_share(self.categories)
        self.evidence *= MEMORY
        for line in lines:
            wish = REACHES * (line.market * boost)
            stacked = wish * added(shelf.response * shelf.listings for shelf in line.shelves)
            ceiling = share * CAPACITIES
            each = wish * store_factor * (1.0 if share >= 1.0 else ceiling / (ceiling + stacked))
            expected = sum(shelf.listings * np.minimum(each * shelf.response, shelf.stock) for shelf in line.shelves)
            spread = expected + SLACK * expected * expected + 0.3
            self.evidence -= 0.5 * ((line.sold - expected) ** 2 / spread + np.log(spread))
        self._estimate()

    def _estimate(self) -> None:
        weights = np.exp(self.evidence - self.evidence.max())
        by_capacity = weights.sum(axis=0)
        total = by_capacity.cumsum()
        place = int(np.searchsorted(total, CAUTION * total[-1]))
        self.capacity = float(CAPACITIES[0, place])
        self.reach = float(np.exp((weights[:, place] * np.log(REACHES[:, 0])).sum() / by_capacity[place]))
