"""Assets window by window: sales of a window are paid for by earlier windows."""

import datetime as dt
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ecbench.bound.profits import ProfitOutlook
from ecbench.market.economy import Economy
from ecbench.rules import Rules
from ecbench.world.model import World

# The profit that a yuan put into goods has to bring, while money is scarce.
CASH_PRICES = (0.0, *(0.1 * 1.5**step for step in range(30)))
FIRST_GUESS = 9  # of their places, near the price that a stake of 100,000 starts with


class SellingWindow(NamedTuple):
    """Dates of sales that are paid out only after the last of them had to be paid for."""

    first: dt.date
    last: dt.date
    assets: float  # no play has more on average once its sales are paid out
    cash_price: float
    store_types: tuple[str, ...]  # with the most days in it, as many as may be open at once


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
    economy: Economy, stake: float, windows: Sequence[Sequence[dt.date]], outlook: ProfitOutlook
) -> tuple[SellingWindow, ...]:
    """Each window at the price of cash that bounds it best; any price bounds it."""
    grown: list[SellingWindow] = []
    assets, place, beside = stake, FIRST_GUESS, outlook.shelves.supply_worth
    for dates in windows:
        place, window = _cheapest(partial(_traded, economy, assets, dates, outlook), place)
        if not place:  # once for all windows from here on, none of which has a price of cash
            window, beside = window._replace(assets=window.assets + beside), 0.0
        grown.append(window)
        assets = window.assets
    return tuple(grown)


def _cheapest(traded: Callable[[float], SellingWindow], start: int) -> tuple[int, SellingWindow]:
    """Walk along CASH_PRICES to the lowest bound; cash that has lost its price does not get it back."""
    place, window = start, traded(CASH_PRICES[start])
    for step in (-1, 1) if start else ():
        while place + step in range(len(CASH_PRICES)):
            further = traded(CASH_PRICES[place + step])
            if further.assets >= window.assets:
                break
            place, window = place + step, further
        if place != start:
            break
    return place, window


def _traded(
    economy: Economy, assets: float, dates: Sequence[dt.date], outlook: ProfitOutlook, cash_price: float
) -> SellingWindow:
    types, rules = economy.world.store_types, economy.rules
    operating = np.array([rules.operating_cost[store_type.tier] for store_type in types])
    earned = np.maximum(0.0, outlook.best_profits(dates, cash_price) - operating[:, None])
    open_at_once = min(rules.max_stores, len(types))
    best = np.argsort(-earned, axis=0, kind="stable")[:open_at_once]
    total = float(np.take_along_axis(earned, best, axis=0).sum())
    days_open = np.bincount(best.ravel(), minlength=len(types))
    most = np.argsort(-days_open, kind="stable")[:open_at_once]
    return SellingWindow(
        first=dates[0],
        last=dates[-1],
        assets=(1.0 + cash_price) * assets + total,
        cash_price=cash_price,
        store_types=tuple(types[place].id for place in most),
    )
