"""Goods of one category as columns for the bound, with the least that a unit can cost."""

from dataclasses import dataclass
from math import inf

import numpy as np

from ecbench.market.calendar import WEEK
from ecbench.market.demand import base_demand
from ecbench.market.economy import Economy
from ecbench.market.price_columns import Column
from ecbench.rules import Rules
from ecbench.suppliers.kernel import terms_at
from ecbench.suppliers.supplier_traits import Traits, traits_of
from ecbench.world.model import Category, Product, Supplier

LEAST_INCOME = 1e-12  # of a price: what a commission of everything leaves, so that no margin is divided by nothing


@dataclass(frozen=True, slots=True, eq=False)
class GoodsBound:
    """Columns over the SKUs of one category."""

    category: Category
    skus: tuple[str, ...]
    base: float  # units a day of each at its reference price, before season, standing and crowding
    reference: Column
    cost: Column  # the lowest price at which any of the suppliers sells; a short delivery makes a unit dearer
    returned: Column  # the least share that comes back, at a price below which returns stay the same
    freight: Column  # by standard speed
    storage: Column  # of one morning
    floors: Column  # a row for each supplier, or for each kind of them: its lowest price
    supply: Column  # of each: units that it can deliver in a year; infinite without a limit

    def bring_more_than_cost(self, share: float) -> bool:
        """Whether some unit would bring more than it cost if it brought this share of its reference price."""
        return bool((share * self.reference > self.cost).any())


def goods_of(economy: Economy, days: int) -> dict[str, GoodsBound]:
    """By category; one without products or suppliers has nothing to sell."""
    world, found = economy.world, {}
    for category in world.categories:
        products, suppliers = world.products_by_category[category.name], world.suppliers_by_category[category.name]
        if products and suppliers:
            found[category.name] = _columns(economy, category, products, suppliers, days)
    return found


def _columns(
    economy: Economy, category: Category, products: tuple[Product, ...], suppliers: tuple[Supplier, ...], days: int
) -> GoodsBound:
    world, rules = economy.world, economy.rules
    sellers = {traits_of(economy, supplier): supplier.order_limit for supplier in suppliers}
    prices = [product.reference_price for product in products]
    lowest_step = min(factor for _, factor in rules.storage_age_steps)
    floors = np.array([[terms_at(one, price).reservation for price in prices] for one in sellers])
    return GoodsBound(
        category=category,
        skus=tuple(product.sku for product in products),
        base=base_demand(category, world.store_type_by_id[category.store_type], rules),
        reference=np.array(prices),
        cost=floors.min(axis=0),
        returned=np.array([_least_returned(product, rules) for product in products]),
        freight=np.array([rules.freight_cost[product.size] for product in products]),
        storage=np.array([rules.storage_rate[product.size] * lowest_step for product in products]),
        floors=floors,
        supply=np.array([_supply(one, limit, days) for one, limit in sellers.items()]),
    )


def _supply(traits: Traits, order_limit: int, days: int) -> float:
    """Each order takes at most what is left of a week, and a supplier closes after so many orders."""
    return float(traits.weekly_supply * min(order_limit, 1 + days // WEEK)) if traits.weekly_supply else inf


def _least_returned(product: Product, rules: Rules) -> float:
    """The lower of the natural and the defective return rate."""
    natural = product.return_rate
    return min(natural, rules.return_cap, max(rules.defective_floor, rules.defective_factor * natural))
