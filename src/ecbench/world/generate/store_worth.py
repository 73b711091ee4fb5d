"""What a store type is worth: the most that a store can earn on an ordinary day if only the market limits it."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from statistics import fmean

import numpy as np

from ecbench.market.best_shelf import Column, Shelf, assortment, best_shelf
from ecbench.market.demand import base_demand
from ecbench.rules import Rules
from ecbench.world.model import Category, Product, StoreType

Goods = Sequence[Sequence[Product]]  # the products of each category of a store type

WAREHOUSE_DAYS = 14  # the paper's T_h
PRICES: Column = np.geomspace(0.5, 16.0, 120)  # tried, as multiples of the reference price
PLAIN_GOODS = 3  # of each category, the dearest
PLAIN_PRICE: Column = np.array([1.05])  # over the reference price


def halfway_price(category: Category) -> float:
    """Midway between what suppliers ask at first and the least they take, over the reference price."""
    return (category.floor_ratio + category.wholesale_ratio) / 2


def lay_out(
    store_type: StoreType,
    categories: Sequence[Category],
    goods: Goods,
    rules: Rules,
    *,
    prices: Column = PRICES,
    cost: Callable[[Category], float] = attrgetter("floor_ratio"),
) -> Shelf:
    """`cost` is what a unit is bought for, over its reference price."""
    stocked = assortment(store_type, list(zip(categories, goods, strict=True)), rules, prices, WAREHOUSE_DAYS)
    return stocked.shelf([cost(category) for category in stocked.categories])


def ordinary_traffic(store_type: StoreType, rules: Rules) -> float:
    """What weekdays and months do to demand, on average over a year."""
    return (5 + 2 * rules.weekend_factor) / 7 * fmean(store_type.seasonality)


def worth(
    store_type: StoreType, categories: Sequence[Category], goods: Goods, rules: Rules, copies: float = 1.0
) -> float:
    """Yuan a day, before the cost of the store, if each product stands for this many."""
    shelf = lay_out(store_type, categories, goods, rules)
    return best_shelf(shelf, ordinary_traffic(store_type, rules) * copies).earned


def plain_worth(store_type: StoreType, categories: Sequence[Category], goods: Goods, rules: Rules) -> float:
    """Yuan a day, before the cost of the store, for a merchant who lists a few dear goods at about reference prices."""
    few = [sorted(own, key=lambda product: -product.reference_price)[:PLAIN_GOODS] for own in goods]
    shelf = lay_out(store_type, categories, few, rules, prices=PLAIN_PRICE, cost=halfway_price)
    return best_shelf(shelf, ordinary_traffic(store_type, rules)).earned


def is_profitable(
    store_type: StoreType, categories: Sequence[Category], products: Sequence[Product], rules: Rules
) -> bool:
    """Some shelf, bought halfway and sold at reference prices, earns more a day than a newly opened store costs."""
    goods = [[product for product in products if product.category == category.name] for category in categories]
    shelf = lay_out(store_type, categories, goods, rules, prices=np.ones(1), cost=halfway_price)
    traffic = ordinary_traffic(store_type, rules) * rules.opening_reputation
    return best_shelf(shelf, traffic).earned > rules.operating_cost[store_type.tier]


def listings_to_fill(store_type: StoreType, categories: Sequence[Category], rules: Rules) -> float:
    """How many products of usual demand use up the capacity, if each sold all that its customers want."""
    return store_type.capacity / fmean(base_demand(category, store_type, rules) for category in categories)
