"""The most that each store type can earn on a date, on average over the market's draws."""

import datetime as dt
from collections.abc import Sequence
from functools import partial
from math import ceil
from statistics import fmean

import numpy as np

from ecbench.analysis.bound.shelf import Shelves, Unbounded
from ecbench.analysis.bound.supply import Prices, YearWants, no_prices, supply_prices
from ecbench.market.best_shelf import Column
from ecbench.market.calendar import is_running
from ecbench.market.demand import NO_OFFER, offer_on
from ecbench.market.storefronts import standing
from ecbench.rules import Rules
from ecbench.world.model import StoreType

# Of a listing a day, beyond its fee, where listings are limited: any of them bounds what a day can bring.
LISTING_PRICES = (0.0, *(2.0 * 1.5**step for step in range(24)))


class ProfitOutlook:
    """What each date can bring a store of each type."""

    def __init__(self, shelves: Shelves, first_sale: dt.date) -> None:
        self.shelves = shelves
        self.economy = shelves.economy
        self._first_sale = first_sale

    def best_profits(self, dates: Sequence[dt.date], cash_price: float) -> Column:
        """No store earns more before operating cost: a row for each store type, a column for each date.

        Infinite where no price is too high.
        """
        types = self.economy.world.store_types
        return np.array([[self._best_profit(store_type, day, cash_price) for day in dates] for store_type in types])

    def _best_profit(self, store_type: StoreType, day: dt.date, cash_price: float) -> float:
        drift = self._drift(store_type, day)
        try:
            return max(
                self.shelves.best_profit(store_type, visitors, boost, cash_price, drift)
                for visitors, boost in self._footfalls(store_type, day)
            )
        except Unbounded:
            return np.inf

    def _footfalls(self, store_type: StoreType, day: dt.date) -> list[tuple[float, float]]:
        """Visitors, and how much more sharply they answer prices, in no promotion or in any that runs.

        Customers answer the price after the discount, and list prices are free, so the deepest discount costs nothing.
        """
        rules = self.economy.rules
        visitors = self.economy.traffic[store_type.id][day] * self._reputation(store_type, day)
        running = [promotion for promotion in self.economy.world.promotions if is_running(promotion, day)]
        offers = [NO_OFFER, *(offer_on(promotion, rules.max_discount, day, rules) for promotion in running)]
        return [(visitors * max(1.0, offer.traffic), offer.boost) for offer in offers]

    def _drift(self, store_type: StoreType, day: dt.date) -> tuple[float, ...]:
        """What multiplies the demand of each category of the type; empty if none drifts."""
        factors = self.economy.drift.get(store_type.id)
        if factors is None:
            return ()
        return tuple(factors[day].get(name, 1.0) for name in store_type.categories)

    def price_listings(self, dates: Sequence[dt.date]) -> int:
        """Find a price for listings if they are limited, by an ordinary day; return its index in LISTING_PRICES."""
        most = self.economy.rules.most_listings
        if not most:
            return 0
        free, totals = no_prices(self.shelves.goods), []
        for price in LISTING_PRICES:
            self.shelves.listing_price = price
            totals.append(self._year_wants(dates, free).earned / len(dates) + price * most)
        best = totals.index(min(totals))
        self.shelves.listing_price = LISTING_PRICES[best]
        return best

    def price_supply(self, dates: Sequence[dt.date]) -> None:
        """Find prices for what suppliers can deliver, by ordinary days of the stores that earn most on them."""
        if self.economy.rules.weekly_supply:
            self.shelves.price_supply(supply_prices(self.shelves.goods, partial(self._year_wants, dates)))

    def _year_wants(self, dates: Sequence[dt.date], prices: Prices) -> YearWants:
        world, rules, shelves = self.economy.world, self.economy.rules, self.shelves
        shelves.price_supply(prices)
        middle = dates[2 * len(dates) // 3]
        days = []
        for store_type in world.store_types:
            traffic = fmean(self.economy.traffic[store_type.id][day] for day in dates)
            drift = self._drift(store_type, middle)
            earned = shelves.best_profit(store_type, traffic, 1.0, 0.0, drift)
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
        goods = self.shelves.goods
        a_day = store_type.capacity + sum(len(goods[name].skus) for name in store_type.categories if name in goods)
        return best_reputation(self.economy.rules, a_day * max(0, (day - self._first_sale).days - 1))


def best_reputation(rules: Rules, shipped: float) -> float:
    """The reputation without returns and cancellations (eq:app_reputation), rounded up so that most days are alike.

    A store that was just opened may have a better one than any it can earn.
    """
    earned = standing(shipped, 1.0, 0.0, 0.0, rules)
    return ceil(1_000.0 * max(rules.opening_reputation, earned)) / 1_000.0
