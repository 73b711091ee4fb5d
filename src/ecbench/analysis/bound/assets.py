"""The upper bound on the final assets of a year, by windows as long as the cycle of money (docs/bound.md)."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from statistics import fmean

import numpy as np

from ecbench.analysis.bound.shelf import NO_DRIFT, Drift, Shelves, Unbounded
from ecbench.analysis.bound.supply import Prices, YearWants, no_prices, supply_prices
from ecbench.market.best_shelf import Column
from ecbench.market.calendar import is_running
from ecbench.market.demand import NO_OFFER, offer_on
from ecbench.market.economy import Economy
from ecbench.market.storefronts import standing
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.world.model import StoreType, World

# Of a listing a day, beyond its fee, where listings are limited: any of them bounds what a day can bring.
LISTING_PRICES = (0.0, *(2.0 * 1.5**step for step in range(24)))
ROUNDING = 1e-9  # of the result: no sum of a year's floats is off by as much
# The profit that a yuan put into goods has to bring, while money is scarce.
CASH_PRICES = (0.0, *(0.1 * 1.5**step for step in range(30)))
FIRST_GUESS = 9  # of their indices, near the price that a stake of 100,000 starts with


class NoBound(ValueError):
    """Under these rules money can be made without limit, or the economy cannot run."""


@dataclass(frozen=True, slots=True)
class UpperBound:
    """No play that cannot foresee the market's draws ends with more than `assets` on average."""

    days: int
    stake: float
    assets: float  # infinite if customers leave more slowly than a price rises
    excepted: bool  # whether plays that sell goods off for more than they cost are excepted


def upper_bound(
    world: World, *, days: int | None = None, stake: float | None = None, rules: Rules = DEFAULT_RULES
) -> UpperBound:
    """Bound a year with these terms; raise NoBound for rules under which there is no bound."""
    days = world.days if days is None else days
    stake = float(rules.stake if stake is None else stake)
    economy = Economy.of(world, rules)
    shelves = _shelves(economy, days)
    excepted = any(each.bring_more_than_cost(rules.salvage_rate * rules.salvage_cap) for each in shelves.goods.values())
    windows = sale_windows(world, rules, days)
    if not windows:  # nothing that is ordered can be sold and shipped in time
        return UpperBound(days, stake, stake, excepted)
    outlook = ProfitOutlook(shelves, windows[0][0])
    all_dates = [day for dates in windows for day in dates]
    listing = outlook.price_listings(all_dates)
    outlook.price_supply(all_dates)
    return UpperBound(days, stake, _grown(stake, windows, outlook, listing) * (1.0 + ROUNDING), excepted)


def _shelves(economy: Economy, days: int) -> Shelves:
    """Raises NoBound if goods earn money without being sold, or without end."""
    rules = economy.rules
    if rules.return_days[1] > rules.escrow_days:
        raise NoBound(
            f"return_days reaches {rules.return_days[1]} and escrow_days is {rules.escrow_days}: goods that come back "
            "later than their revenue is paid out are not refunded and could be sold over and over"
        )
    shelves, share = Shelves(economy, days), rules.closing_stock_share
    for goods in shelves.goods.values():
        if goods.bring_more_than_cost(share * goods.category.floor_ratio):
            raise NoBound(
                f"closing_stock_share is {share:g}: unsold goods of {goods.category.name} would bring more at the end "
                "of the year than they cost"
            )
    return shelves


def sale_windows(world: World, rules: Rules, days: int) -> list[list[dt.date]]:
    """The dates on which something may be sold that is shipped in time, in windows of a whole cycle of money."""
    lead = rules.lead_days[0]
    lead = min([lead, *(max(1, round(lead * event.delay)) for event in world.events)])
    # Ordered on day 0 at the earliest, received on a later morning than the lead alone would give, and on sale that
    # day; the last date's sales are counted on the morning that ends the year, when nothing ships any more.
    dates = [world.start + dt.timedelta(days=day) for day in range(lead + 1, days - 1)]
    cycle = lead + 2 + max(1, rules.escrow_days)
    return [dates[start : start + cycle] for start in range(0, len(dates), cycle)]


def _grown(stake: float, windows: Sequence[Sequence[dt.date]], outlook: "ProfitOutlook", listing: int) -> float:
    """After all windows, each at the prices of cash and of listings that bound it best; any prices bound it."""
    assets, index, extra = stake, FIRST_GUESS, outlook.shelves.supply_worth
    for dates in windows:
        traded = partial(_traded, assets, dates, outlook)
        cash_prices = CASH_PRICES if index else CASH_PRICES[:1]  # what has lost its price does not get it back
        index, after = _cheapest(partial(traded, listing_price=LISTING_PRICES[listing]), cash_prices, index)
        if outlook.economy.rules.most_listings:
            listing, after = _cheapest(partial(traded, CASH_PRICES[index]), LISTING_PRICES, listing)
        if not index:  # once for all windows from here on, none of which has a price of cash
            after, extra = after + extra, 0.0
        assets = after
    return assets


def _cheapest(traded: Callable[[float], float], prices: Sequence[float], start: int) -> tuple[int, float]:
    """Walk along the prices to the lowest bound."""
    index, lowest = start, traded(prices[start])
    for step in (-1, 1):
        while index + step in range(len(prices)):
            further = traded(prices[index + step])
            if further >= lowest:
                break
            index, lowest = index + step, further
        if index != start:
            break
    return index, lowest


def _traded(
    assets: float, dates: Sequence[dt.date], outlook: "ProfitOutlook", cash_price: float, listing_price: float
) -> float:
    """No play has more on average once the sales of a window are paid out."""
    types, rules = outlook.economy.world.store_types, outlook.economy.rules
    operating = np.array([rules.operating_cost[store_type.tier] for store_type in types])
    outlook.shelves.listing_price = listing_price
    earned = np.maximum(0.0, outlook.best_profits(dates, cash_price) - operating[:, None])
    best = np.argsort(-earned, axis=0, kind="stable")[: rules.max_stores]
    total = float(np.take_along_axis(earned, best, axis=0).sum())
    return (1.0 + cash_price) * assets + (total + len(dates) * listing_price * rules.most_listings)


class ProfitOutlook:
    """What each date can bring a store of each type."""

    def __init__(self, shelves: Shelves, first_sale: dt.date) -> None:
        self.shelves = shelves
        self.economy = shelves.economy
        self._first_sale = first_sale

    def best_profits(self, dates: Sequence[dt.date], cash_price: float) -> Column:
        """The most that a store earns before operating cost, by store type and date; it can be infinite."""
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
        """Visitors and their answer to prices without and with promotions; the deepest discount costs nothing."""
        rules = self.economy.rules
        visitors = self.economy.traffic[store_type.id][day] * self._reputation(store_type, day)
        running = [promotion for promotion in self.economy.world.promotions if is_running(promotion, day)]
        offers = [NO_OFFER, *(offer_on(promotion, rules.max_discount, day, rules) for promotion in running)]
        return [(visitors * max(1.0, offer.traffic), offer.boost) for offer in offers]

    def _drift(self, store_type: StoreType, day: dt.date) -> Drift:
        factors = self.economy.drift.get(store_type.id)
        return NO_DRIFT if factors is None else factors[day]

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
    """The reputation without returns and cancellations (eq:app_reputation), rounded up so that most days are alike."""
    earned = standing(shipped, 1.0, 0.0, 0.0, rules)
    return ceil(1_000.0 * max(rules.opening_reputation, earned)) / 1_000.0
