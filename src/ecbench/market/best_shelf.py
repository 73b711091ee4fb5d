"""The best shelf of a store: what to list, and at which price.

A profit is a ratio of sums in each category and in the store; Dinkelbach's method solves both. A ratio of prices is
that of `market/demand.py`. No year is played by these functions of columns: their last digit may differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.market.demand import base_demand, category_capacity, saturation
from ecbench.rule_values import UNLIMITED
from ecbench.rules import DEFAULT_RULES, SPEEDS, Rules
from ecbench.world.model import Category, Elasticity, Product, StoreType

Column = npt.NDArray[np.float64]


def responses(family: Elasticity, eta: float | Column, ratios: Column, rules: Rules = DEFAULT_RULES) -> Column:
    """phi of one family for a column of prices over the reference price (eq:app_elasticity)."""
    found = _uncut_responses(family, eta, np.maximum(rules.lowest_price_ratio, ratios))
    return found if rules.price_ceiling >= UNLIMITED else np.where(ratios > rules.price_ceiling, 0.0, found)


def _uncut_responses(family: Elasticity, eta: float | Column, ratios: Column) -> Column:
    gaps = ratios - 1.0
    match family:
        case "linear":
            return np.maximum(0.0, 1.0 - eta * gaps)
        case "exponential":
            return np.exp(-eta * gaps)
        case "constant_elasticity":
            return np.asarray(ratios**-eta)
        case "quadratic":
            return np.maximum(0.0, 1.0 - eta * (gaps * gaps))


def has_a_best_price(family: Elasticity, eta: float) -> bool:
    """Not if a price that doubles loses at most half the customers: then the dearer the better, without end."""
    return family != "constant_elasticity" or eta > 1.0


def best_ratio(family: Elasticity, eta: float, cost: Column) -> Column:
    """The price that earns most for a cost of a unit, both over reference; infinite if no price is too high.

    Towards that price the profit rises, beyond it falls, so within an interval the nearest price is the best one.
    """
    if not has_a_best_price(family, eta):
        return np.full_like(cost, np.inf)
    match family:
        case "linear":
            return (1.0 + 1.0 / eta + cost) / 2.0
        case "exponential":
            return cost + 1.0 / eta
        case "constant_elasticity":
            return cost * (eta / (eta - 1.0))
        case "quadratic":
            gap = eta * (1.0 - cost)
            return 1.0 + (np.sqrt(gap * gap + 3.0 * eta) - gap) / (3.0 * eta)


def price_curves(ratios: Column, rules: Rules) -> Column:
    """`price_curve` of the return rate for a column of prices over the reference price."""
    knees, factors = np.array(rules.price_return_knees).T
    beyond = np.maximum(0.0, ratios - knees[-1])
    return np.asarray(np.interp(ratios, knees, factors) + rules.price_return_slope * beyond)


def saturations(capacity: float | Column, demand: Column) -> Column:
    """The share that is served of each demand in a column."""
    return capacity / (capacity + demand)


Index = npt.NDArray[np.intp]
CategoryGoods = Sequence[tuple[Category, Sequence[Product]]]  # the products of each category of a store type

ROUNDS = 16  # without a fee, charges nearly always stop after six, and with one they may never
PRECISION = 1e-9
FEE_STEP = 0.5  # of the way to the charges found, where a fee makes listings come and go
PASSES = 2  # over the lines of a shelf that is filled line by line


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """What a store could sell: a row for each product, category after category, and a column for each price tried."""

    demand: Column  # units a day on a day of traffic 1
    profit: Column  # per unit sold, returned units included
    starts: Index  # the first row of each category
    category_room: float | None  # units a day that a category can absorb; None if one has the whole store
    room: float  # that the store can absorb

    @property
    def counts(self) -> Index:
        """How many rows each category has."""
        return np.diff(self.starts, append=len(self.profit))


class FilledShelf(NamedTuple):
    """A choice of products and prices."""

    earned: float  # a day, before the cost of the store
    columns: Index  # of each product: the price
    units: Column  # of each product, sold a day; 0 if it is not listed


def best_shelf(shelf: Shelf, traffic: float | Column, fee: float = 0.0) -> FilledShelf:
    """The shelf that earns most in a day of this traffic; with a `fee` for each listing it is close to the best."""
    counts, room = shelf.counts, shelf.category_room
    visits = np.repeat(np.broadcast_to(traffic, counts.shape), counts)
    rows, step = np.arange(len(visits)), FEE_STEP if fee else 1.0
    charges, served, shares = np.zeros(len(counts)), np.ones(len(counts)), np.ones(len(counts))
    best: FilledShelf | None = None
    for _ in range(ROUNDS if len(rows) else 0):
        gains = shelf.demand * (shelf.profit - np.repeat(charges, counts)[:, None])
        columns = np.argmax(gains, axis=1)
        listed = np.repeat(shares, counts) * visits * gains[rows, columns] > fee
        units = np.where(listed, shelf.demand[rows, columns] * visits, 0.0)
        wanted = np.add.reduceat(units, shelf.starts)
        served = served if room is None else saturations(room, wanted)
        profit = served * np.add.reduceat(units * shelf.profit[rows, columns], shelf.starts)
        store_saturation = saturation(shelf.room, float(served @ wanted))
        gross = store_saturation * float(profit.sum())
        earned = gross - fee * int(np.count_nonzero(listed))
        if best is None or earned > best.earned:
            best = FilledShelf(earned, columns, np.repeat(served * store_saturation, counts) * units)
        # What one more unit takes from the others of its category and of the store.
        moved = served * (gross / shelf.room) + (0.0 if room is None else profit / room) - charges
        if np.all(np.abs(moved) <= PRECISION * (moved + charges)):
            break
        charges += step * moved
        shares += step * (served * store_saturation - shares)
    return best or FilledShelf(0.0, np.zeros(0, np.intp), np.zeros(0))


def fill_line_by_line(units: Column, worth: Column, upkeep: Column, room: float) -> list[int]:
    """For each line the option that adds most to the store as it stands, or -1 for none; twice over.

    Lines are rows, options columns; `upkeep` is what an option costs a day, however much it sells.
    """
    chosen = [-1] * len(units)
    sold = earned = 0.0  # units before the store's capacity, and what they are worth
    for _ in range(PASSES):
        before = chosen.copy()
        for line, (wanted, won) in enumerate(zip(units, worth, strict=True)):
            if chosen[line] >= 0:
                sold -= wanted.item(chosen[line])
                earned -= won.item(chosen[line])
            value = (earned + won) * (room / (room + sold + wanted)) - upkeep
            best = int(value.argmax())
            chosen[line] = best if value.item(best) > earned * saturation(room, sold) else -1
            if chosen[line] >= 0:
                sold += wanted.item(best)
                earned += won.item(best)
        if chosen == before:
            break
    return chosen


@dataclass(frozen=True, slots=True, eq=False)
class Assortment:
    """Products that a store may list, with what a unit of each brings at every price tried."""

    categories: tuple[Category, ...]
    products: tuple[Product, ...]
    starts: Index
    ratios: Column  # the prices tried, over the reference price
    reference: Column
    base: tuple[float, ...]  # by category: units a day of a product at its reference price
    income: tuple[Column, ...]  # by speed: what a unit sold brings before what it was bought for
    kept: tuple[Column, ...]  # by speed: the share that stays sold
    category_room: float | None
    room: float
    rules: Rules

    @property
    def counts(self) -> Index:
        """How many products each category has."""
        return np.diff(self.starts, append=len(self.products))

    def shelf(self, costs: Sequence[float], boost: float = 1.0) -> Shelf:
        """`costs` is what a unit of each category is bought for, over its reference price; `boost` multiplies eta."""
        known = zip(self.categories, self.base, strict=True)
        demand = [base * responses(c.elasticity, c.eta * boost, self.ratios, self.rules) for c, base in known]
        return Shelf(
            demand=np.repeat(np.reshape(demand, (-1, len(self.ratios))), self.counts, axis=0),
            profit=self._profit(np.repeat(np.array(costs, dtype=float), self.counts)[:, None]),
            starts=self.starts,
            category_room=self.category_room,
            room=self.room,
        )

    def _profit(self, cost: Column) -> Column:
        """The paper's unit profit (app:econ_unit_profit) times the share of units that stay sold, by the best speed."""
        price = self.reference[:, None]
        by_speed = [income - kept * cost * price for income, kept in zip(self.income, self.kept, strict=True)]
        return np.asarray(np.maximum.reduce(by_speed))


def assortment(
    store_type: StoreType,
    goods: CategoryGoods,
    rules: Rules,
    ratios: Column,
    storage_days: float,
    speeds: Sequence[str] = SPEEDS,
) -> Assortment:
    """The products of a store type, each of which waits in the warehouse for a given number of days."""
    rows = [(category, own) for category, own in goods if own]
    products = [product for _, own in rows for product in own]
    price = np.array([product.reference_price for product in products])[:, None]
    natural = np.array([product.return_rate for product in products])[:, None]
    freight = np.array([rules.freight_cost[product.size] for product in products])[:, None]
    storage = np.array([rules.storage_rate[product.size] for product in products])[:, None] * storage_days
    by_standard = np.minimum(rules.return_cap, natural * price_curves(ratios, rules))
    returned = [np.minimum(rules.return_cap, by_standard * rules.speed_return_factor[speed]) for speed in speeds]
    return Assortment(
        categories=tuple(category for category, _ in rows),
        products=tuple(products),
        starts=np.cumsum([0, *(len(own) for _, own in rows)], dtype=np.intp)[:-1],
        ratios=ratios,
        reference=price.ravel(),
        base=tuple(base_demand(category, store_type, rules) for category, _ in rows),
        income=tuple(
            (1 - rules.commission - share) * ratios * price - freight * rules.freight_factor[speed] - storage
            for speed, share in zip(speeds, returned, strict=True)
        ),
        kept=tuple(1 - share for share in returned),
        category_room=category_capacity(store_type, rules),
        room=store_type.capacity,
        rules=rules,
    )
