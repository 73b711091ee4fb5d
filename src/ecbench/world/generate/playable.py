"""Whether a store type can pay for itself: the test every fresh world must pass."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from ecbench.rules import Rules
from ecbench.world.model import Category, Product, StoreType

WAREHOUSE_DAYS = 14  # the paper's T_h
DEEPEST_SHELF = 12


@dataclass(frozen=True, slots=True)
class Offer:
    """One SKU bought midway between floor and opening price and sold at its reference price."""

    profit: float  # per unit sold, returned units included
    demand: float  # units a day before the store's capacity trims it


def is_profitable(
    store_type: StoreType, categories: Sequence[Category], products: Sequence[Product], rules: Rules
) -> bool:
    """Some shelf of these products earns more a day than the store costs, at a new store's reputation.

    A deeper shelf sells more until the capacity terms make cheap goods crowd out dear ones, so shelves are tried
    by depth and by number of categories, the most profitable first.
    """
    offers = {
        category.name: sorted(
            (offer for offer in _offers(store_type, category, products, rules) if offer.profit > 0),
            key=lambda offer: -offer.profit * offer.demand,
        )
        for category in categories
    }
    best_first = sorted(
        (shelf for shelf in offers.values() if shelf), key=lambda shelf: -shelf[0].profit * shelf[0].demand
    )
    cost = rules.operating_cost[store_type.tier]
    return any(
        _daily_profit(store_type, [shelf[:depth] for shelf in best_first[:width]], rules) > cost
        for width in range(1, len(best_first) + 1)
        for depth in range(1, DEEPEST_SHELF + 1)
    )


def unit_profit(category: Category, product: Product, rules: Rules) -> float:
    """The paper's unit profit (label app:econ_unit_profit) at the reference price and standard shipping."""
    price, returned = product.reference_price, product.return_rate
    bought_at = price * (category.floor_ratio + category.wholesale_ratio) / 2
    handling = rules.freight_cost[product.size] + rules.storage_rate[product.size] * WAREHOUSE_DAYS
    kept = ((1 - rules.commission - returned) * price - handling) / (1 - returned)
    return kept - bought_at


def _offers(store_type: StoreType, category: Category, products: Sequence[Product], rules: Rules) -> list[Offer]:
    demand = _daily_demand(store_type, category, rules)
    return [
        Offer(unit_profit(category, product, rules) * (1 - product.return_rate), demand)
        for product in products
        if product.category == category.name
    ]


def _daily_demand(store_type: StoreType, category: Category, rules: Rules) -> float:
    """The demand model (label app:econ_demand) on an average day at the reference price."""
    monthly = (category.sales_min + category.sales_max) / 2
    base = monthly / 30 * rules.platform_share * store_type.demand_scale
    weekday = (5 + 2 * rules.weekend_factor) / 7
    return base * weekday * fmean(store_type.seasonality) * rules.opening_reputation


def _daily_profit(store_type: StoreType, shelves: Sequence[Sequence[Offer]], rules: Rules) -> float:
    fraction = min(1.0, max(rules.category_fraction, rules.category_spread / len(store_type.categories)))
    ceiling = fraction * store_type.capacity
    sold = profit = 0.0
    for shelf in shelves:
        wanted = sum(offer.demand for offer in shelf)
        trimmed = ceiling / (ceiling + wanted) if fraction < 1 else 1.0
        sold += wanted * trimmed
        profit += trimmed * sum(offer.profit * offer.demand for offer in shelf)
    return profit * store_type.capacity / (store_type.capacity + sold)
