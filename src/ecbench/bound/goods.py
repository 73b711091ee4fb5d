"""Goods of one category as columns for the bound, with the least that a unit can cost."""

from dataclasses import dataclass

import numpy as np

from ecbench.market.demand import base_demand
from ecbench.market.economy import Economy
from ecbench.market.elasticity import Column
from ecbench.rules import Rules
from ecbench.suppliers.kernel import terms_at
from ecbench.suppliers.supplier_traits import traits_of
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

    def bring_more_than_cost(self, share: float) -> bool:
        """Whether some unit would bring more than it cost if it brought this share of its reference price."""
        return bool((share * self.reference > self.cost).any())


def goods_of(economy: Economy) -> dict[str, GoodsBound]:
    """By category; one without products or suppliers has nothing to sell."""
    world, found = economy.world, {}
    for category in world.categories:
        products, suppliers = world.products_by_category[category.name], world.suppliers_by_category[category.name]
        if products and suppliers:
            found[category.name] = _columns(economy, category, products, suppliers)
    return found


def _columns(
    economy: Economy, category: Category, products: tuple[Product, ...], suppliers: tuple[Supplier, ...]
) -> GoodsBound:
    world, rules = economy.world, economy.rules
    sellers = {traits_of(economy, supplier) for supplier in suppliers}
    prices = [product.reference_price for product in products]
    lowest_step = min(factor for _, factor in rules.storage_age_steps)
    return GoodsBound(
        category=category,
        skus=tuple(product.sku for product in products),
        base=base_demand(category, world.store_type_by_id[category.store_type], rules),
        reference=np.array(prices),
        cost=np.array([min(terms_at(one, price).reservation for one in sellers) for price in prices]),
        returned=np.array([_least_returned(product, rules) for product in products]),
        freight=np.array([rules.freight_cost[product.size] for product in products]),
        storage=np.array([rules.storage_rate[product.size] * lowest_step for product in products]),
    )


def _least_returned(product: Product, rules: Rules) -> float:
    """The lower of the natural and the defective return rate."""
    natural = product.return_rate
    return min(natural, rules.return_cap, max(rules.defective_floor, rules.defective_factor * natural))
