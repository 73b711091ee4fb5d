"""The most that a store can earn on a day if every draw of that day is known beforehand.

Demand is rounded to whole units by a draw for each SKU and day. A player that knew the draws would price each SKU so
that its demand just passes them: n units need a demand of n - 1 + draw. Returns are drawn as well, so it would ship
without any. Saturation remains, which limits the demands of a shelf together: see docs/bound.md.
"""

from typing import NamedTuple

import numpy as np

from ecbench.bound.goods import LEAST_INCOME, GoodsBound
from ecbench.bound.price_curves import Inverse, best_ratio, has_a_best_price
from ecbench.market.economy import Capacity
from ecbench.market.price_columns import Column, responses
from ecbench.rules import Rules

ATTENTION_STEPS = np.array([0.0, 1.0, 2.5, 7.0])  # times what one more unit of demand is worth on average
LEAST_REACH = 1e-200  # units a day: keeps a trade without customers finite


class Grain:
    """The resolution of saturation: cells of the share of demand that it leaves, for the store and each category."""

    def __init__(self, *, cells: int, counted: int) -> None:
        self.cells = cells
        self.left_over = 0.8 ** np.arange(2 * cells - 1)  # upper ends of the cells, and of two of them together
        self.used = np.append(1.0 - self.left_over[1:cells], 1.0)  # of a capacity, at the lower end; the last has none
        self.counted = counted  # units of a SKU a day that are looked at one by one


ROUGH, FINE = Grain(cells=1, counted=2), Grain(cells=9, counted=6)


class ForeseenDays(NamedTuple):
    """Days of one store under offers of one kind."""

    traffic: Column
    boost: float
    attention: Column  # a first guess at what one more unit of demand is worth
    draws: dict[str, Column]  # by category: a row for each day, a column for each SKU
    drift: dict[str, Column]  # by category and day: what multiplies its demand


def foreseen_profits(
    goods: list[GoodsBound], days: ForeseenDays, capacity: Capacity, cash_price: float, rules: Rules, grain: Grain
) -> Column:
    """Before operating cost, day by day. Whatever the crowding is, it lies in one of the cells."""
    prices = np.outer(ATTENTION_STEPS, days.attention)
    worths = [_worth(each, days, prices, cash_price, rules, grain) for each in goods]
    highest = np.zeros(len(days.traffic))
    for cell in range(grain.cells):
        totals = prices * (capacity.store * grain.used[cell])
        for worth in worths:
            for step in range(len(prices)):
                totals[step] += _category_bound(worth, prices, step, cell, capacity.category, grain)
        np.maximum(highest, totals.min(axis=0), out=highest)
    return highest


def _category_bound(worth: Column, prices: Column, step: int, cell: int, ceiling: float | None, grain: Grain) -> Column:
    """What a category adds in one cell of the store's crowding at one price of the store's attention.

    Its own ceiling may make attention dearer for its goods; which price is best depends on the cell that its own
    crowding lies in.
    """
    if ceiling is None:
        return np.asarray(worth[cell, step])
    markup = prices[step:] - prices[step]
    used = (grain.left_over[cell] * ceiling) * grain.used
    by_cell = worth[cell : cell + grain.cells, step:] + used[:, None, None] * markup
    return np.asarray(by_cell.min(axis=1).max(axis=0))


def _worth(
    goods: GoodsBound, days: ForeseenDays, prices: Column, cash_price: float, rules: Rules, grain: Grain
) -> Column:
    """By share left over, price of attention and day: what the goods earn together beyond the attention they need."""
    family, eta = goods.category.elasticity, goods.category.eta * days.boost
    traffic = days.traffic * days.drift[goods.category.name]
    reach = np.maximum(LEAST_REACH, goods.base * traffic[:, None])
    income = max(LEAST_INCOME, 1.0 - rules.commission) * goods.reference
    cost = (1.0 + cash_price) * goods.cost + goods.freight * min(rules.freight_factor.values()) + goods.storage
    units = np.arange(1.0, grain.counted + 1.0)[:, None, None]
    needed = units - 1.0 + days.draws[goods.category.name]
    with np.errstate(divide="ignore", over="ignore"):  # a draw of 0 is passed at any price
        highest_price = Inverse(family, eta, needed / reach)
        many = _more_than(grain.counted, goods, eta, reach, (income, cost), prices)
    revenue, spent, fees = units * income, units * cost, [price[:, None] * needed for price in prices]
    worth = np.empty((len(grain.left_over), *prices.shape))
    for place, share in enumerate(grain.left_over):
        profit = revenue * np.minimum(rules.price_ceiling, highest_price.ratio(share)) - spent
        for step, fee in enumerate(fees):
            best = np.max(profit - fee, axis=0)
            most = np.maximum(best, share * many[step])
            worth[place, step] = np.maximum(0.0, most - rules.listing_fee).sum(axis=1)
    return worth


def _more_than(
    counted: int, goods: GoodsBound, eta: float, reach: Column, unit: tuple[Column, Column], prices: Column
) -> Column:
    """By price of attention, day and SKU, never below 0: the profit of selling more units than are counted.

    Then n units need a demand of n x counted / (counted + 1) or more. `unit` is a unit's income at the reference price
    and its cost.
    """
    (income, cost), family, more = unit, goods.category.elasticity, (counted + 1.0) / counted
    if not has_a_best_price(family, eta):  # the smaller the demand the more it earns, down to the least there is
        least: Column = more * counted * income * (reach / counted) ** (1.0 / eta)
        return np.broadcast_to(least, (len(prices), *least.shape))
    charge = cost + prices[:, :, None] / more
    ratio = best_ratio(family, eta, charge / income)
    return np.maximum(0.0, more * reach * responses(family, eta, ratio) * (income * ratio - charge))
