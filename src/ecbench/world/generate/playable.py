"""Whether a store type can pay for itself: the test every fresh world must pass."""

from collections.abc import Sequence

import numpy as np

from ecbench.rules import Rules
from ecbench.world.generate.worth import best_day, lay_out, ordinary_traffic
from ecbench.world.model import Category, Product, StoreType

REFERENCE = np.ones(1)


def is_profitable(
    store_type: StoreType, categories: Sequence[Category], products: Sequence[Product], rules: Rules
) -> bool:
    """Some shelf, bought halfway and sold at reference prices, earns more a day than a newly opened store costs."""
    goods = [[product for product in products if product.category == category.name] for category in categories]
    shelf = lay_out(store_type, categories, goods, rules, prices=REFERENCE, cost=halfway_price)
    traffic = ordinary_traffic(store_type, rules) * rules.opening_reputation
    return best_day(shelf, traffic) > rules.operating_cost[store_type.tier]


def halfway_price(category: Category) -> float:
    """Midway between what suppliers ask at first and the least they take, over the reference price."""
    return (category.floor_ratio + category.wholesale_ratio) / 2
