"""The most that a store can earn on a day on average, over every assortment and every price (docs/bound.md)."""

from collections.abc import Mapping
from itertools import pairwise
from math import inf
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.analysis.bound.supply import LEAST_INCOME, GoodsBound, goods_of, no_prices, supply_worth, unit_cost
from ecbench.market.best_shelf import Column, best_ratio, has_a_best_price, price_curves, responses
from ecbench.market.demand import saturation
from ecbench.market.economy import Economy
from ecbench.rule_values import LOWEST_PRICE_RATIO, UNLIMITED
from ecbench.rules import SPEEDS, Rules
from ecbench.world.model import StoreType

STEPS_BETWEEN_KNEES = 36  # within each, goods come back as seldom as at its better end
STEPS_BEYOND, FARTHEST = 96, 40.0  # after the last knee where returns continue to rise: steps, and where they end
RATE_NODES = 4  # of the share that comes back by itself
COST_NODES, ALIKE = 6, 1.02  # of what a unit costs over its reference price, where goods differ in it by more than this
LEAST_CHARGE, CHARGE_STEP = 1e-4, 1.115
CHARGES = np.concatenate([[0.0], LEAST_CHARGE * CHARGE_STEP ** np.arange(150)])  # per unit, over the reference price
CHARGE_WIDTHS = np.diff(CHARGES)
ATTENTION = np.concatenate([[0.0], np.geomspace(1e-3, 50.0, 96)])  # prices of it, over the dearest reference price
REFINEMENTS, GRID = 4, 48  # of the search for the store's own price: the last bracket is 1 part in 5 million wide

Drift = Mapping[str, float]
"""What multiplies the demand of categories that drift."""
NO_DRIFT: Drift = MappingProxyType({})


class Unbounded(Exception):
    """On average a price may rise without end and earn ever more."""


class CrowdSize(NamedTuple):
    """What the goods of one category are worth, by the price of a customer's attention."""

    attention: Column
    worth: Column  # together, with one visitor's worth of traffic; convex and falling, so chords lie above it
    by_sku: Column  # the same for each, where the rules ask for it: a row for each price of attention

    def with_traffic(self, traffic: float, listing_fee: float) -> Column:
        """A SKU that does not earn its fee is not listed. Still convex and falling."""
        if not listing_fee:
            return traffic * self.worth
        return np.asarray(np.maximum(0.0, traffic * self.by_sku - listing_fee).sum(axis=1))


class Shelves:
    """The best day of each store type, cached."""

    def __init__(self, economy: Economy, days: int | None = None) -> None:
        self.economy = economy
        self.goods = goods_of(economy, economy.world.days if days is None else days)
        self._supply = no_prices(self.goods)
        self._pieces = _price_pieces(economy.rules)
        self._margins: dict[str, _CategoryMargins] = {}
        self._crowds: dict[tuple[object, ...], CrowdSize] = {}
        self._attention: dict[tuple[object, ...], float] = {}
        self.listing_price = 0.0  # a day, beyond the fee, where listings are limited

    @property
    def listing_fee(self) -> float:
        """What a listing has to earn a day."""
        return self.economy.rules.listing_fee + self.listing_price

    def best_profit(
        self, store_type: StoreType, traffic: float, boost: float, cash_price: float, drift: Drift = NO_DRIFT
    ) -> float:
        """The most of a day before operating cost; `cash_price` is what a yuan spent on goods costs beyond itself."""
        room = self.economy.capacities[store_type.id].store
        return room * self._attention_price(store_type, self._visitors(store_type, traffic, drift), boost, cash_price)

    def _attention_price(
        self, store_type: StoreType, visitors: Mapping[str, float], boost: float, cash_price: float
    ) -> float:
        """What one more unit of demand would be worth to the store."""
        prices = () if cash_price else tuple(self._supply_key(name) for name in store_type.categories)
        key = (store_type.id, tuple(visitors.values()), boost, cash_price, self.listing_price, prices)
        if key not in self._attention:
            capacity, fee = self.economy.capacities[store_type.id], self.listing_fee
            crowds = [self._crowd(name, boost, cash_price) for name in visitors]
            worths = [crowd.with_traffic(n, fee) for crowd, n in zip(crowds, visitors.values(), strict=True)]
            ceiling = inf if capacity.category is None else capacity.category
            self._attention[key] = _attention_price(crowds, worths, capacity.store, ceiling)
        return self._attention[key]

    def _visitors(self, store_type: StoreType, traffic: float, drift: Drift) -> dict[str, float]:
        """By category that has goods."""
        return {name: traffic * drift.get(name, 1.0) for name in store_type.categories if name in self.goods}

    def price_supply(self, prices: Mapping[str, Column]) -> None:
        """Let units cost what suppliers' limits make them worth, on days on which cash has no price."""
        self._supply = dict(prices)

    def _supply_key(self, category: str) -> bytes:
        return self._supply[category].tobytes() if category in self._supply else b""

    @property
    def supply_worth(self) -> float:
        """What all that suppliers can deliver is worth at these prices."""
        return supply_worth(self.goods, self._supply)

    def kept_units(self, store_type: StoreType, traffic: float, drift: Drift) -> dict[str, Column]:
        """About how many units of each SKU the best day keeps sold, by category; with no promotion, and cash free."""
        visitors, fee = self._visitors(store_type, traffic, drift), self.listing_fee
        price = self._attention_price(store_type, visitors, 1.0, 0.0)
        capacity, demands = self.economy.capacities[store_type.id], dict[str, Column]()
        ceiling = inf if capacity.category is None else capacity.category
        for name, own in visitors.items():
            crowd = self._crowd(name, 1.0, 0.0)
            at = crowd.attention - crowd.with_traffic(own, fee) / ceiling
            index = min(max(1, int(np.searchsorted(at, price))), len(at) - 1)
            low, high = own * crowd.by_sku[index - 1], own * crowd.by_sku[index]
            demand = (low - high) / (crowd.attention[index] - crowd.attention[index - 1]) * (low > fee)
            demands[name] = demand * (1.0 if ceiling == inf else saturation(ceiling, float(demand.sum())))
        served = saturation(capacity.store, float(sum([demand.sum() for demand in demands.values()])))
        return {name: served * demand * (1.0 - self.goods[name].returned) for name, demand in demands.items()}

    def _crowd(self, category: str, boost: float, cash_price: float) -> CrowdSize:
        key = (category, boost, cash_price, b"" if cash_price else self._supply_key(category))
        crowd = self._crowds.get(key)
        if crowd is None:
            goods = self.goods[category]
            cost = goods.cost if cash_price else unit_cost(goods, self._supply[category])
            if category not in self._margins:
                self._margins[category] = _CategoryMargins(goods, self._pieces, self.economy.rules)
            crowd = self._crowds[key] = self._margins[category].crowd(cost, boost, cash_price)
        return crowd


class _Pieces(NamedTuple):
    """The price axis in pieces, each with the least that its prices do to the return rate."""

    low: Column
    high: Column
    returns: Column
    flat: npt.NDArray[np.bool_]  # where no price below brings more customers


def _price_pieces(rules: Rules) -> _Pieces:
    """Up to the ceiling, above which nothing is sold, or without end."""
    knees = [knee for knee, _ in rules.price_return_knees]
    between = [np.linspace(a, b, STEPS_BETWEEN_KNEES, endpoint=False) for a, b in pairwise(knees)]
    last, top = knees[-1], rules.price_ceiling if rules.price_ceiling < UNLIMITED else np.inf
    beyond = np.array([last])
    if rules.price_return_slope and top > last:
        beyond = np.geomspace(last, min(top, max(FARTHEST, 2.0 * last)), STEPS_BEYOND)
    edges = np.unique(np.concatenate([[LOWEST_PRICE_RATIO, rules.lowest_price_ratio], *between, beyond]))
    edges = edges[edges < top]
    high, at_edges = np.append(edges[1:], top), price_curves(edges, rules)
    after = np.append(at_edges[1:], at_edges[-1] if top == np.inf else price_curves(np.array([top]), rules))
    return _Pieces(edges, high, np.minimum(at_edges, after), high <= rules.lowest_price_ratio)


class _SpeedCharges(NamedTuple):
    """What goods of a category are charged at one shipping speed, and where that lies among RATE_NODES and CHARGES."""

    rows: npt.NDArray[np.intp]  # of each SKU, the node of return rates below its own
    rate_shares: Column  # of the way to the next node
    flat_indices: npt.NDArray[np.intp]  # by price of attention and SKU, in the flat table of margins by SKU and charge
    beyond: Column  # the charge beyond that of its position


class _CategoryMargins:
    """The best margins of the goods of a category, worked out once for the two dozen crowds of a category.

    What comes back, what a unit costs and what it is charged lower the margin in a straight line at every price. So the
    best margin is convex in each of them, and a chord between two nodes lies above it.
    """

    def __init__(self, goods: GoodsBound, pieces: _Pieces, rules: Rules) -> None:
        self._goods, self._pieces, self._rules = goods, pieces, rules
        returned = np.array([rules.speed_return_factor[speed] for speed in SPEEDS])[:, None] * goods.returned
        rates = np.linspace(returned.min(), returned.max(), RATE_NODES)
        self._attention = ATTENTION * goods.reference.max()
        self._speeds = [self._speed(speed, rates, rate) for speed, rate in zip(SPEEDS, returned, strict=True)]
        cap = rules.return_cap * min(1.0, *rules.speed_return_factor.values())
        # By node of the return rate and piece of the price axis: the share of units that stay sold, and what they bring
        # of a price.
        self._kept = 1.0 - np.minimum(min(1.0, cap), rates[:, None, None] * pieces.returns)
        self._income = np.maximum(LEAST_INCOME, self._kept * (1.0 - rules.commission))

    def _speed(self, speed: str, rates: Column, rate: Column) -> _SpeedCharges:
        goods, width = self._goods, rates[1] - rates[0]
        position = np.clip((rate - rates[0]) / width, 0.0, RATE_NODES - 1.0) if width > 0.0 else np.zeros_like(rate)
        row = np.minimum(position.astype(int), RATE_NODES - 2)
        handling = goods.freight * self._rules.freight_factor[speed] + goods.storage
        charges = (self._attention[:, None] + handling) / goods.reference
        steps = np.log(np.maximum(charges, LEAST_CHARGE / CHARGE_STEP) / LEAST_CHARGE) / np.log(CHARGE_STEP)
        step = np.minimum(np.floor(steps).astype(int) + 1, len(CHARGES) - 1)
        flat_indices = step + np.arange(len(goods.skus)) * len(CHARGES)
        return _SpeedCharges(row, (position - row)[:, None], flat_indices, charges - CHARGES[step])

    def crowd(self, cost: Column, boost: float, cash_price: float) -> CrowdSize:
        goods, rules = self._goods, self._rules
        if self._pieces.high[-1] == np.inf and not has_a_best_price(
            goods.category.elasticity, goods.category.eta * boost
        ):
            raise Unbounded(goods.category.name)
        costs = cost / goods.reference
        levels = np.linspace(costs.min(), costs.max(), COST_NODES if costs.max() > ALIKE * costs.min() else 1)
        tables = [self._best_margins(boost, (1.0 + cash_price) * level) for level in levels]
        worth = np.zeros((len(self._attention), len(goods.skus)))
        for speed in self._speeds:
            rows = _between(levels, costs, [_rows(table, speed) for table in tables])
            np.maximum(worth, _interpolate(rows, speed), out=worth)
        asked = rules.listing_fee or rules.most_listings or rules.weekly_supply
        by_sku = worth if asked else worth[:0]  # most rules never ask for it
        total = goods.base * (worth @ goods.reference)
        return CrowdSize(self._attention, total, goods.base * by_sku * goods.reference)

    def _best_margins(self, boost: float, cost_ratio: float) -> Column:
        """For each return rate and each charge per unit: the largest response x margin, over the reference."""
        family, eta = self._goods.category.elasticity, self._goods.category.eta * boost
        pieces, cost = self._pieces, self._kept * cost_ratio + CHARGES[:, None]
        ratio = best_ratio(family, eta, cost / self._income)
        np.clip(ratio, pieces.low, pieces.high, out=ratio)
        if pieces.flat.any():
            ratio = np.where(pieces.flat, pieces.high, ratio)
        margins = responses(family, eta, ratio, self._rules)
        ratio *= self._income  # the income of a unit from here on: large columns are not copied
        ratio -= cost
        margins *= ratio
        best: Column = margins.max(axis=2, initial=0.0)
        return best


def _rows(table: Column, speed: _SpeedCharges) -> Column:
    """Linear in the return rate: a row for each SKU, a column for each of CHARGES."""
    low = table[speed.rows]
    return np.asarray(low + (table[1:] - table[:-1])[speed.rows] * speed.rate_shares)


def _between(levels: Column, costs: Column, rows: list[Column]) -> Column:
    """Linear in what a unit costs; a single level is the lowest cost of all."""
    if len(levels) == 1:
        return rows[0]
    position = np.clip((costs - levels[0]) / (levels[1] - levels[0]), 0.0, len(levels) - 1.0)
    low, skus = np.minimum(position.astype(int), len(levels) - 2), np.arange(len(costs))
    stacked = np.array(rows)
    return np.asarray(stacked[low, skus] + (stacked[low + 1, skus] - stacked[low, skus]) * (position - low)[:, None])


def _interpolate(margins: Column, speed: _SpeedCharges) -> Column:
    """Linear in the charge. Beyond the last charge margins only fall, so its own stands for them."""
    slopes = np.zeros_like(margins)
    np.subtract(margins[:, 1:], margins[:, :-1], out=slopes[:, :-1])
    slopes[:, :-1] /= CHARGE_WIDTHS
    between: Column = slopes.take(speed.flat_indices)
    between *= speed.beyond
    between += margins.take(speed.flat_indices)
    return between


def _attention_price(crowds: list[CrowdSize], worths: list[Column], capacity: float, ceiling: float) -> float:
    """The least price of attention at which the goods of the store are worth no more than its capacity."""
    stores = [crowd.attention - worth / ceiling for crowd, worth in zip(crowds, worths, strict=True)]

    def excess(price: Column) -> Column:
        total = -capacity * price
        for at, worth in zip(stores, worths, strict=True):
            total += np.interp(price, at, worth)
        return total

    # At no price are the goods worth more than at none; the last bit keeps rounding out of the bracket.
    low, high = 0.0, float(sum([worth[0] for worth in worths])) / capacity * (1.0 + 1e-12)
    for _ in range(REFINEMENTS):
        prices = np.linspace(low, high, GRID)
        first = int(np.argmax(excess(prices) <= 0.0)) or 1
        low, high = float(prices[first - 1]), float(prices[first])
    return high
