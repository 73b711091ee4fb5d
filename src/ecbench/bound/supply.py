"""Prices for what suppliers can deliver in a year, where the rules limit it.

A supplier sells no more than its weekly supply in every week, and closes after so many orders. Such a limit is bounded
by a price that each unit of the supplier has on top of its floor: what the supplier could deliver at most, times that
price, is added to the bound instead. Any prices of 0 or more will do; these come from filling the wants of a year with
the cheapest floors, dearest goods first. docs/bound.md has the proof.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from ecbench.bound.goods import GoodsBound
from ecbench.market.price_columns import Column

ROUNDS, STEP = 4, 0.6  # of finding prices for the wants and wants for the prices, and how far each goes
FACTORS = (0.7, 1.3)  # by which the prices of a category are then tried
SHIFTS = (0.4, 0.2, 0.1, 0.05)  # in turn: what all its prices are raised or lowered by, over the middle reference price


class SupplyPrices(NamedTuple):
    """Of the suppliers of one category, each yuan a unit."""

    prices: Column

    def cost(self, goods: GoodsBound) -> Column:
        """What a unit of each SKU costs at least."""
        return np.asarray((goods.floors + self.prices[:, None]).min(axis=0))

    def worth(self, goods: GoodsBound) -> float:
        """Of all that the suppliers can deliver."""
        return float((self.prices[self.prices > 0.0] * goods.supply[self.prices > 0.0]).sum())


def no_prices(goods: GoodsBound) -> SupplyPrices:
    return SupplyPrices(np.zeros(len(goods.supply)))


class YearWants(NamedTuple):
    """What a year does at some prices."""

    units: Mapping[str, Column]  # that it keeps sold of each SKU, of the categories that it sells
    earned: float


def supply_prices(
    goods: Mapping[str, GoodsBound], wants: Callable[[Mapping[str, SupplyPrices]], YearWants]
) -> dict[str, SupplyPrices]:
    """By category; `wants` gives what a year does at some prices."""
    found = {name: no_prices(each) for name, each in goods.items()}
    for _ in range(ROUNDS):
        for name, units in wants(found).units.items():
            new = _filled(goods[name], units)
            found[name] = SupplyPrices((1.0 - STEP) * found[name].prices + STEP * new)
    return _improved(goods, wants, found)


def _improved(
    goods: Mapping[str, GoodsBound],
    wants: Callable[[Mapping[str, SupplyPrices]], YearWants],
    found: dict[str, SupplyPrices],
) -> dict[str, SupplyPrices]:
    """The prices of one category after the other, moved while that lowers what is earned and supplied together."""
    first = wants(found)
    bound = first.earned + _worth(goods, found)
    scarce = [name for name, units in first.units.items() if units.sum() > goods[name].supply.min()]
    for shift in SHIFTS:
        for name in scarce:
            own, step = found[name].prices, shift * float(np.median(goods[name].reference))
            for moved in (own + step, np.maximum(0.0, own - step), *(factor * own for factor in FACTORS)):
                tried = found | {name: SupplyPrices(moved)}
                lower = wants(tried).earned + _worth(goods, tried)
                if lower < bound:
                    found, bound = tried, lower
                    break
    return found


def _worth(goods: Mapping[str, GoodsBound], prices: Mapping[str, SupplyPrices]) -> float:
    return sum([each.worth(goods[name]) for name, each in prices.items()])


def _filled(goods: GoodsBound, units: Column) -> Column:
    """The prices at which the dearest goods come from the lowest floors, until each supplier has sold all it can.

    The last of them has none, and so one that sells out together with all others has too little: it is raised later.
    """
    ratios = (goods.floors / goods.reference).mean(axis=1)
    order, dearest = np.argsort(ratios), np.argsort(-goods.reference)
    wanted, supplied = units[dearest].cumsum(), goods.supply[order].cumsum()
    prices = np.zeros(len(order))
    for place in range(len(order) - 2, -1, -1):
        if supplied[place] < wanted[-1]:  # all that it has is sold: the next one takes over at this reference price
            margin = goods.reference[dearest[int(np.searchsorted(wanted, supplied[place]))]]
            gap = ratios[order[place + 1]] - ratios[order[place]]
            prices[place] = prices[place + 1] + gap * margin
    found = np.empty(len(order))
    found[order] = prices
    return found
