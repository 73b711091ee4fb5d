"""How much money lies in a world: the static optimum of its store types, and of the best four together.

The static optimum of a store type is what the best choice of goods and prices earns on each day of the calendar, on
average over the year, less the store's daily cost. Every product of the catalog may be listed; each unit is bought at
the category's floor and sold at the price, and by the speed, that earns most. The store has full reputation, and stock
and money for everything; weekdays, months and events count, promotions do not. A world's static optimum is that of its
best four types together.
"""

import datetime as dt
from collections import Counter

import numpy as np

from ecbench.market.best_shelf import Column, best_shelf
from ecbench.market.economy import Economy
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.world.generate.store_worth import PRICES, lay_out
from ecbench.world.model import StoreType, World

DECIMALS = 9  # days whose traffic differs by less are the same day
PRICES_TO_1000: Column = np.concatenate([PRICES, np.geomspace(PRICES[-1], 1_000.0, 60)[1:]])


def static_optima(world: World, prices: Column = PRICES, rules: Rules = DEFAULT_RULES) -> Column:
    """Of each store type, in yuan a day, in the order of the file."""
    return np.array([_static_optimum(world, store_type, prices, rules) for store_type in world.store_types])


def best_four(optima: Column, days: int = 365) -> float:
    """Yuan in a year."""
    return float(np.sort(optima)[-DEFAULT_RULES.max_stores :].sum()) * days


def _static_optimum(world: World, store_type: StoreType, prices: Column, rules: Rules) -> float:
    categories = [world.category_by_name[name] for name in store_type.categories]
    goods = [world.products_by_category[category.name] for category in categories]
    shelf = lay_out(store_type, categories, goods, rules, prices=prices)
    traffic = Economy.of(world, rules).traffic[store_type.id]
    days = Counter(round(traffic[world.start + dt.timedelta(day)], DECIMALS) for day in range(world.days))
    earned = sum(best_shelf(shelf, factor).earned * count for factor, count in days.items())
    return earned / world.days - rules.operating_cost[store_type.tier]
