"""The most that each store type can earn on a date: on average, and with all draws known."""

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import partial
from math import ceil, exp
from statistics import fmean
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ecbench.bound.foresight import FINE, ROUGH, ForeseenDays, Grain, foreseen_profits
from ecbench.bound.goods import GoodsBound
from ecbench.bound.roundings import demand_roundings
from ecbench.bound.shelf import Shelves, Unbounded
from ecbench.bound.supply import SupplyPrices, YearWants, supply_prices
from ecbench.market.calendar import is_running
from ecbench.market.demand import NO_OFFER, offer_on
from ecbench.market.price_columns import Column
from ecbench.rules import Rules
from ecbench.world.model import Category, StoreType


class Profits(Protocol):
    """What a store type can earn at best, day by day."""

    supply_worth: float  # what suppliers' limits are worth, beside what is earned on all dates without a price of cash

    def __call__(self, dates: Sequence[dt.date], cash_price: float, /) -> Column:
        """No store earns more before operating cost: a row for each store type, a column for each date."""


class Footfall(NamedTuple):
    """What a store can have on a date: visitors, and how much more sharply they answer prices."""

    visitors: float
    boost: float


class ProfitOutlook:
    """What each date can bring a store of each type."""

    def __init__(self, shelves: Shelves, first_sale: dt.date) -> None:
        self.shelves = shelves
        self.economy = shelves.economy
        self._first_sale = first_sale

    def goods(self, store_type: StoreType) -> list[GoodsBound]:
        return [self.shelves.goods[name] for name in store_type.categories if name in self.shelves.goods]

    def footfalls(self, store_type: StoreType, day: dt.date) -> list[Footfall]:
        """In no promotion, or in any that runs.

        Customers answer the price after the discount, and list prices are free, so the deepest discount costs nothing.
        """
        rules = self.economy.rules
        visitors = self.economy.traffic[store_type.id][day] * self._reputation(store_type, day)
        running = [promotion for promotion in self.economy.world.promotions if is_running(promotion, day)]
        offers = [NO_OFFER, *(offer_on(promotion, rules.max_discount, day, rules) for promotion in running)]
        return [Footfall(visitors * max(1.0, offer.traffic), offer.boost) for offer in offers]

    def drift(self, store_type: StoreType, day: dt.date) -> tuple[float, ...]:
        """What multiplies the demand of each category of the type; empty where none drifts."""
        factors = self.economy.drift.get(store_type.id)
        if factors is None:
            return ()
        return tuple(factors[day].get(name, 1.0) for name in store_type.categories)

    def price_supply(self, dates: Sequence[dt.date]) -> None:
        """Find prices for what suppliers can deliver, by ordinary days of the stores that earn most on them."""
        if self.economy.rules.weekly_supply:
            self.shelves.price_supply(supply_prices(self.shelves.goods, partial(self._year_wants, dates)))

    def _year_wants(self, dates: Sequence[dt.date], prices: Mapping[str, SupplyPrices]) -> YearWants:
        world, rules, shelves = self.economy.world, self.economy.rules, self.shelves
        shelves.price_supply(prices)
        middle = dates[2 * len(dates) // 3]
        days = []
        for store_type in world.store_types:
            traffic = fmean(self.economy.traffic[store_type.id][day] for day in dates)
            drift = self.drift(store_type, middle)
            earned = shelves.best_day(store_type, traffic, 1.0, 0.0, drift).profit
            days.append((earned - rules.operating_cost[store_type.tier], store_type.id, traffic, drift))
        wants: dict[str, Column] = {}
        best = sorted(days, reverse=True)[: rules.max_stores]
        for _, name, traffic, drift in best:
            kept = shelves.kept_units(world.store_type_by_id[name], traffic, drift)
            wants |= {category: len(dates) * units for category, units in kept.items()}
        return YearWants(wants, len(dates) * sum([earned for earned, *_ in best]))

    def _reputation(self, store_type: StoreType, day: dt.date) -> float:
        """The most that a store can have earned. Rounding lifts the units of a day above the store's capacity by less
        than one for each SKU, and what was sold on a date counts two days later, once it is shipped."""
        a_day = store_type.capacity + sum(len(each.skus) for each in self.goods(store_type))
        return best_reputation(self.economy.rules, a_day * max(0, (day - self._first_sale).days - 1))


def best_reputation(rules: Rules, shipped: float) -> float:
    """Without returns and cancellations (eq:app_reputation), a little rounded up so that most days are alike.

    A store that was just opened may have a better one than any it can earn.
    """
    shortfall = (rules.goodwill_midpoint - shipped) / rules.goodwill_scale
    goodwill = rules.goodwill_base + rules.goodwill_span / (1.0 + exp(shortfall))
    earned = min(1.0, max(rules.reputation_floor, goodwill))
    return ceil(1_000.0 * max(rules.opening_reputation, earned)) / 1_000.0


class AverageProfits:
    """Of a merchant that does not foresee the draws. Infinite where no price is too high on average."""

    def __init__(self, outlook: ProfitOutlook) -> None:
        self._outlook = outlook
        self.supply_worth = outlook.shelves.supply_worth

    def __call__(self, dates: Sequence[dt.date], cash_price: float, /) -> Column:
        types = self._outlook.economy.world.store_types
        return np.array([[self._best(store_type, day, cash_price) for day in dates] for store_type in types])

    def _best(self, store_type: StoreType, day: dt.date, cash_price: float) -> float:
        shelves, footfalls = self._outlook.shelves, self._outlook.footfalls(store_type, day)
        try:
            drift = self._outlook.drift(store_type, day)
            return max(shelves.best_day(store_type, *footfall, cash_price, drift).profit for footfall in footfalls)
        except Unbounded:
            return np.inf


class ForeseenProfits:
    """Of a play that knows every draw."""

    def __init__(self, outlook: ProfitOutlook) -> None:
        self._outlook = outlook
        self.supply_worth = 0.0  # any number of units is delivered
        self._dates: Sequence[dt.date] = ()
        self._draws: dict[str, Column] = {}

    def __call__(self, dates: Sequence[dt.date], cash_price: float, /) -> Column:
        if dates != self._dates:
            self._dates, self._draws = dates, self._drawn(dates)
        types, rules = self._outlook.economy.world.store_types, self._outlook.economy.rules
        profits = np.array([self._best(store_type, dates, cash_price, ROUGH) for store_type in types])
        operating = np.array([rules.operating_cost[store_type.tier] for store_type in types])[:, None]
        # A closer look at a type is worth its time only if the type may be among the best of some date.
        best_known = np.zeros((rules.max_stores, len(dates)))
        for place in np.argsort(-profits.sum(axis=1)):
            if (profits[place] - operating[place] > best_known[0]).any():
                profits[place] = self._best(types[place], dates, cash_price, FINE)
                best_known = np.sort(np.vstack([best_known, profits[place] - operating[place]]), axis=0)[1:]
        return profits

    def _drawn(self, dates: Sequence[dt.date]) -> dict[str, Column]:
        """One window at a time: a year of a large world is millions of draws."""
        goods, key = list(self._outlook.shelves.goods.values()), self._outlook.economy.key
        skus = [sku for each in goods for sku in each.skus]
        draws = demand_roundings(key, skus, [day.isoformat() for day in dates])
        ends = np.cumsum([len(each.skus) for each in goods])
        return {each.category.name: part for each, part in zip(goods, np.split(draws, ends[:-1], axis=1))}

    def _best(self, store_type: StoreType, dates: Sequence[dt.date], cash_price: float, grain: Grain) -> Column:
        goods, best = self._outlook.goods(store_type), np.zeros(len(dates))
        by_boost: dict[float, list[tuple[int, float]]] = {}
        for place, day in enumerate(dates):
            for visitors, boost in self._outlook.footfalls(store_type, day):
                by_boost.setdefault(boost, []).append((place, visitors))
        for boost, days in by_boost.items() if goods else ():
            places = np.array([place for place, _ in days])
            crowds = np.array([visitors for _, visitors in days])
            guesses = np.array([self._attention(store_type, Footfall(each, boost), cash_price) for each in crowds])
            draws = {each.category.name: self._draws[each.category.name][places] for each in goods}
            drift = {each.category.name: self._drift(each.category, dates, places) for each in goods}
            foreseen = ForeseenDays(crowds, boost, guesses, draws, drift)
            capacity = self._outlook.economy.capacities[store_type.id]
            profits = foreseen_profits(goods, foreseen, capacity, cash_price, self._outlook.economy.rules, grain)
            np.maximum.at(best, places, profits)
        return best

    def _drift(self, category: Category, dates: Sequence[dt.date], places: npt.NDArray[np.intp]) -> Column:
        factor = self._outlook.economy.drift_factor
        return np.array([factor(category, dates[place]) for place in places])

    def _attention(self, store_type: StoreType, footfall: Footfall, cash_price: float) -> float:
        """What one more unit of demand is worth on average, as a first guess at its worth with known draws."""
        try:
            return self._outlook.shelves.best_day(store_type, *footfall, cash_price).attention
        except Unbounded:
            return max(float(each.reference.mean()) for each in self._outlook.goods(store_type))
