"""The upper bound on the final assets of a year.

The year is cut into windows as long as the cycle of money: sales of one window are paid for by earlier ones. In each
window the best stores sell the best goods at the best prices, and while money is scarce a price of cash makes goods
dearer. docs/bound.md has the argument and every rule that is relaxed.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from ecbench.analysis.bound.profits import LISTING_PRICES, ProfitOutlook
from ecbench.analysis.bound.shelf import Shelves
from ecbench.market.economy import Economy
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.world.model import World

ROUNDING = 1e-9  # of the result: no sum of a year's floats is off by as much
# The profit that a yuan put into goods has to bring, while money is scarce.
CASH_PRICES = (0.0, *(0.1 * 1.5**step for step in range(30)))
FIRST_GUESS = 9  # of their indices, near the price that a stake of 100,000 starts with


class NoBound(ValueError):
    """Under these rules money can be made without limit, or the economy cannot run."""


class SellingWindow(NamedTuple):
    """Dates of sales that are paid out only after the last of them had to be paid for."""

    first: dt.date
    last: dt.date
    assets: float  # no play has more on average once its sales are paid out
    cash_price: float
    store_types: tuple[str, ...]  # with the most days in it, as many as may be open at once


@dataclass(frozen=True, slots=True)
class UpperBound:
    """No play that cannot foresee the market's draws ends with more than `assets` on average."""

    days: int
    stake: float
    assets: float  # infinite if customers leave more slowly than a price rises
    excepted: bool  # whether plays that sell goods off for more than they cost are excepted
    windows: tuple[SellingWindow, ...]


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
        return UpperBound(days, stake, stake, excepted, ())
    outlook = ProfitOutlook(shelves, windows[0][0])
    all_dates = [day for dates in windows for day in dates]
    listing = outlook.price_listings(all_dates)
    outlook.price_supply(all_dates)
    grown = grow(economy, stake, windows, outlook, listing)
    return UpperBound(days, stake, grown[-1].assets * (1.0 + ROUNDING), excepted, grown)


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


def grow(
    economy: Economy, stake: float, windows: Sequence[Sequence[dt.date]], outlook: ProfitOutlook, listing: int = 0
) -> tuple[SellingWindow, ...]:
    """Each window at the prices of cash and of listings that bound it best; any prices bound it."""
    grown: list[SellingWindow] = []
    assets, index, extra = stake, FIRST_GUESS, outlook.shelves.supply_worth
    for dates in windows:
        traded = partial(_traded, economy, assets, dates, outlook)
        cash_prices = CASH_PRICES if index else CASH_PRICES[:1]  # what has lost its price does not get it back
        index, window = _cheapest(partial(traded, listing_price=LISTING_PRICES[listing]), cash_prices, index)
        if economy.rules.most_listings:
            listing, window = _cheapest(partial(traded, CASH_PRICES[index]), LISTING_PRICES, listing)
        if not index:  # once for all windows from here on, none of which has a price of cash
            window, extra = window._replace(assets=window.assets + extra), 0.0
        grown.append(window)
        assets = window.assets
    return tuple(grown)


def _cheapest(
    traded: Callable[[float], SellingWindow], prices: Sequence[float], start: int
) -> tuple[int, SellingWindow]:
    """Walk along the prices to the lowest bound."""
    index, window = start, traded(prices[start])
    for step in (-1, 1):
        while index + step in range(len(prices)):
            further = traded(prices[index + step])
            if further.assets >= window.assets:
                break
            index, window = index + step, further
        if index != start:
            break
    return index, window


def _traded(
    economy: Economy,
    assets: float,
    dates: Sequence[dt.date],
    outlook: ProfitOutlook,
    cash_price: float,
    listing_price: float,
) -> SellingWindow:
    types, rules = economy.world.store_types, economy.rules
    operating = np.array([rules.operating_cost[store_type.tier] for store_type in types])
    outlook.shelves.listing_price = listing_price
    earned = np.maximum(0.0, outlook.best_profits(dates, cash_price) - operating[:, None])
    open_at_once = min(rules.max_stores, len(types))
    best = np.argsort(-earned, axis=0, kind="stable")[:open_at_once]
    total = float(np.take_along_axis(earned, best, axis=0).sum())
    total += len(dates) * listing_price * rules.most_listings
    days_open = np.bincount(best.ravel(), minlength=len(types))
    most = np.argsort(-days_open, kind="stable")[:open_at_once]
    return SellingWindow(
        first=dates[0],
        last=dates[-1],
        assets=(1.0 + cash_price) * assets + total,
        cash_price=cash_price,
        store_types=tuple(types[index].id for index in most),
    )
