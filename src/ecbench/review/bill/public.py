"""What the public would have wished of a shelf, had one thing on it been otherwise: eq:demand over whole columns.

All else stays as it was on that day: the other listings and their prices, the store's standing, the promotion, rivals.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ecbench.market.appeal import LARGEST_PULL, Appeal
from ecbench.market.economy import Economy
from ecbench.market.elasticity import LOWEST_PRICE_RATIO, Column, responses
from ecbench.market.journal import ShelfNote
from ecbench.review.bill.margins import Goods, goods_on

LEAST_SHARE = 1e-12  # of a category's demand that is served, however crowded it is


@dataclass(frozen=True, slots=True, eq=False)
class Public:
    """A shelf of one day, and how crowded it was."""

    goods: Goods
    visitors: float
    boost: float
    compared: Column  # the price that customers hold a listing's against: the reference, or a rival's
    charged: Column  # after the promotion's discount
    held: Column  # units on the shelf
    wishes: Column  # after the category's crowd and before the store's, as the market found them
    crowding: float  # of the store
    capacity: float  # kappa
    ceiling: float | None  # kappa_c
    served: Column  # by category: all wishes, rivals' included
    shares: Column  # gamma by category
    total: float  # all wishes of the store type, categories that this shelf lacks included

    @property
    def raw(self) -> Column:
        """The wishes of each listing before any crowd."""
        return self.wishes / self.shares[self.goods.category]

    def pulled(self, charged: Column) -> Column:
        """Wishes before any crowd at these prices, whose first axis is the listings."""
        goods, behind = self.goods, (slice(None),) + (None,) * (charged.ndim - 1)
        answers, ratios = np.empty(charged.shape), charged / self.compared[behind]
        for family, rows in goods.families:
            answers[rows] = responses(family, goods.eta[rows][behind] * self.boost, ratios[rows])
        pulls: Column = np.minimum(LARGEST_PULL, goods.base[behind] * answers) * self.visitors
        return pulls


def public_of(note: ShelfNote, economy: Economy) -> Public:
    goods = _goods_on(note.appeals, economy)
    capacity, wishes = economy.capacities[note.type], np.array(note.wishes)
    served = by_category(goods, wishes)
    if note.rivals:
        served = served + [note.rivals.get(name, 0.0) for name in goods.categories]
    elsewhere = sum(units for name, units in note.rivals.items() if name not in goods.categories)
    shares = np.ones(len(served))
    if capacity.category is not None:
        # gamma = kappa_c / (kappa_c + S) and what is served of it is gamma S, so gamma = 1 - gamma S / kappa_c.
        shares = np.maximum(LEAST_SHARE, 1.0 - served / capacity.category)
    return Public(
        goods=goods,
        visitors=note.visitors,
        boost=note.offer.boost,
        compared=_compared(goods.reference, note.beside),
        charged=(1.0 - note.offer.discount) * np.array(note.prices),
        held=np.array(note.quantities, dtype=np.float64),
        wishes=wishes,
        crowding=note.crowding,
        capacity=capacity.store,
        ceiling=capacity.category,
        served=served,
        shares=shares,
        total=float(served.sum()) + elsewhere,
    )


def by_category(goods: Goods, amounts: Column) -> Column:
    """The sums over the listings of each."""
    return np.bincount(goods.category, amounts, len(goods.categories)).astype(np.float64)


@lru_cache(maxsize=4096)
def _goods_on(appeals: tuple[Appeal, ...], economy: Economy) -> Goods:
    return goods_on(appeals, economy.rules)


def _compared(reference: Column, beside: tuple[float | None, ...]) -> Column:
    """A dearer rival changes nothing."""
    if not any(beside):
        return reference
    rivals = np.array([np.inf if price is None else price for price in beside])
    compared: Column = np.minimum(reference, np.maximum(rivals, LOWEST_PRICE_RATIO * reference))
    return compared


class Takings:
    """What listings earn together, by how much their wishes before the store's crowd are multiplied.

    Each sells min(held, wish x multiple), so the sum is a line that bends wherever a listing runs out.
    """

    def __init__(self, held: Column, wishes: Column, margins: Column) -> None:
        wanted = wishes > 0.0
        held, wishes, margins = held[wanted], wishes[wanted], margins[wanted]
        bends = held / wishes
        order = np.argsort(bends)
        self._bends = bends[order]
        sold_out, rising = (margins * held)[order], (margins * wishes)[order]
        self._level = np.concatenate([[0.0], np.cumsum(sold_out)])
        self._slope = np.concatenate([np.cumsum(rising[::-1])[::-1], [0.0]])

    def at(self, multiple: Column) -> Column:
        place = np.searchsorted(self._bends, multiple)
        found: Column = self._level[place] + self._slope[place] * multiple
        return found
