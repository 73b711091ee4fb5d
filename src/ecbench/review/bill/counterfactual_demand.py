"""What the public would have wished of a shelf, had one thing on it been different: eq:demand over whole columns.

All else stays as it was on that day: the other listings and their prices, the store's standing, the promotion, rivals.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

import numpy as np

from ecbench.market.economy import LARGEST_PULL, Economy, ProductDemand
from ecbench.market.price_columns import Column, responses
from ecbench.review.bill.evenings import RivalOffer, ShelfNote
from ecbench.review.bill.margins import Goods, goods_on
from ecbench.rules import Rules

LEAST_SHARE = 1e-12  # of a category's demand that is served, however crowded it is


@dataclass(frozen=True, slots=True, eq=False)
class RivalColumns:
    """One rival's offers of the goods on a shelf; where it has none its visitors are 0."""

    charged: Column
    boost: Column
    visitors: Column
    lowest: Column  # that others charge, this merchant apart
    diverts: Column  # wishes that its units can take from a listing, and the
    most: Column  # that they weigh; both as the market found them on that day


@dataclass(frozen=True, slots=True, eq=False)
class Public:
    """A shelf of one day, and how crowded it was."""

    goods: Goods
    rules: Rules
    visitors: Column  # what multiplies each pull
    boost: float
    rivals: tuple[RivalColumns, ...]  # the cheapest of each listing first
    charged: Column  # after the promotion's discount
    held: Column  # units on the shelf
    claims: Column  # demand after the category's saturation and before the store's, as the market found it
    store_saturation: float
    capacity: float  # kappa
    ceiling: float | None  # kappa_c
    served: Column  # by category: all wishes, rivals' included
    shares: Column  # gamma by category
    total: float  # all wishes of the store type, categories that this shelf lacks included

    @property
    def raw(self) -> Column:
        """The demand for each listing before any saturation."""
        return self.claims / self.shares[self.goods.category]

    def pulled(self, charged: Column) -> Column:
        """Wishes before any crowd at these prices, whose first axis is the listings."""
        across = _across(charged)
        visitors = self.visitors[across]
        reference, eta = self.goods.reference[across], self.goods.eta[across] * self.boost
        wished: Column = self._answers(charged / reference, eta) * visitors
        lost, gone = np.full(charged.shape, np.inf), np.zeros(charged.shape)
        for rival in self.rivals:
            compared = self._compared(reference, rival.charged[across])
            left = self._answers(charged / compared, eta) * visitors
            cheaper = (rival.charged < self.goods.reference)[across]
            lost = np.minimum(lost, np.where(cheaper, gone + np.maximum(0.0, wished - left), np.inf))
            gone = gone + np.where(cheaper, rival.diverts[across], 0.0)
        pulled: Column = wished - np.minimum(lost, gone)
        return pulled

    def pulled_by_rivals(self, charged: Column) -> Column:
        """What rivals are wished of the same goods, where customers see these prices beside theirs."""
        goods, across = self.goods, _across(charged)
        pulled = np.zeros(charged.shape)
        for rival in self.rivals:
            reference = goods.reference[across]
            compared = self._compared(reference, np.minimum(charged, rival.lowest[across]))
            eta = (goods.eta * rival.boost)[across]
            answers = [self._answers(rival.charged[across] / price, eta) for price in (reference, compared)]
            pulled += np.minimum(rival.most[across], np.minimum(*answers) * rival.visitors[across])
        return pulled

    def _compared(self, reference: Column, rival: Column) -> Column:
        """The price that customers compare with; a dearer rival changes nothing."""
        compared: Column = np.minimum(reference, np.maximum(rival, self.rules.lowest_rival_ratio * reference))
        return compared

    def _answers(self, ratios: Column, eta: Column) -> Column:
        answers = np.empty(ratios.shape)
        for family, rows in self.goods.families:
            answers[rows] = responses(family, eta[rows], ratios[rows], self.rules)
        pulls: Column = np.minimum(LARGEST_PULL, self.goods.base[_across(ratios)] * answers)
        return pulls


def _across(table: Column) -> tuple[slice | None, ...]:
    """Spreads a column over listings across a table of theirs."""
    return (slice(None),) + (None,) * (table.ndim - 1)


def public_of(note: ShelfNote, economy: Economy) -> Public:
    goods = _goods_on(note.goods, economy)
    capacity, claims = economy.capacities[note.type], np.array(note.claims)
    served = by_category(goods, claims)
    if note.rival_demand:
        served = served + [note.rival_demand.get(name, 0.0) for name in goods.categories]
    elsewhere = sum(units for name, units in note.rival_demand.items() if name not in goods.categories)
    shares = np.ones(len(served))
    if capacity.category is not None:
        # gamma = kappa_c / (kappa_c + S) and what is served of it is gamma S, so gamma = 1 - gamma S / kappa_c.
        shares = np.maximum(LEAST_SHARE, 1.0 - served / capacity.category)
    return Public(
        goods=goods,
        rules=economy.rules,
        visitors=note.visitors * np.array(note.drift),
        boost=note.offer.boost,
        rivals=_rivals(note) if note.rival_demand else (),
        charged=(1.0 - note.offer.discount) * np.array(note.prices),
        held=np.array(note.quantities, dtype=np.float64),
        claims=claims,
        store_saturation=note.store_saturation,
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
def _goods_on(demands: tuple[ProductDemand, ...], economy: Economy) -> Goods:
    return goods_on(demands, economy.rules)


def _rivals(note: ShelfNote) -> tuple[RivalColumns, ...]:
    """As many columns as the listing with most rivals needs."""
    nobody = RivalOffer(1.0, 1.0, 0.0, None, 0.0, 0.0)
    columns = []
    for offers in zip_longest(*note.against, fillvalue=nobody):
        charged, boost, visitors, lowest, diverts, most = map(np.array, zip(*map(_numbers, offers), strict=True))
        columns.append(RivalColumns(charged, boost, visitors, lowest, diverts, most))
    return tuple(columns)


def _numbers(offer: RivalOffer) -> RivalOffer:
    return offer if offer.lowest is not None else offer._replace(lowest=np.inf)


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
