"""The goods of a category as columns, and prices for what suppliers can deliver in a year (docs/bound.md)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np

from ecbench.market.best_shelf import Column
from ecbench.market.calendar import WEEK
from ecbench.market.demand import base_demand
from ecbench.market.economy import Economy
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
    base: float  # units a day of each at its reference price, before season, reputation and saturation
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
    """Each order takes at most what is left of a week, and a supplier closes after a fixed number of orders."""
    return float(traits.weekly_supply * min(order_limit, 1 + days // WEEK)) if traits.weekly_supply else inf


def _least_returned(product: Product, rules: Rules) -> float:
    """The lower of the natural and the defective return rate."""
    natural = product.return_rate
    return min(natural, rules.return_cap, max(rules.defective_floor, rules.defective_factor * natural))


ROUNDS, STEP = 4, 0.6  # of finding prices for the wants and wants for the prices, and how far each goes
FACTORS = (0.7, 1.3)  # by which the prices of a category are then tried
SHIFTS = (0.4, 0.2, 0.1, 0.05)  # in turn: what all its prices are raised or lowered by, over the middle reference price


Prices = Mapping[str, Column]
"""By category: what a unit of each of its suppliers costs above the floor."""


def no_prices(goods: Mapping[str, GoodsBound]) -> dict[str, Column]:
    return {name: np.zeros(len(each.supply)) for name, each in goods.items()}


def unit_cost(goods: GoodsBound, prices: Column) -> Column:
    """What a unit of each SKU costs at least."""
    return np.asarray((goods.floors + prices[:, None]).min(axis=0))


def supply_worth(goods: Mapping[str, GoodsBound], prices: Prices) -> float:
    """The worth, at these prices, of all that the suppliers can deliver."""
    limited = [(each[each > 0.0], goods[name].supply[each > 0.0]) for name, each in prices.items()]
    return sum([float((price * supply).sum()) for price, supply in limited])


class YearWants(NamedTuple):
    """What a year does at some prices."""

    units: Mapping[str, Column]  # that it keeps sold of each SKU, of the categories that it sells
    earned: float


def supply_prices(goods: Mapping[str, GoodsBound], wants: Callable[[Prices], YearWants]) -> dict[str, Column]:
    """By category; `wants` gives what a year does at some prices."""
    found = no_prices(goods)
    for _ in range(ROUNDS):
        for name, units in wants(found).units.items():
            found[name] = (1.0 - STEP) * found[name] + STEP * _filled(goods[name], units)
    return _improved(goods, wants, found)


def _improved(
    goods: Mapping[str, GoodsBound], wants: Callable[[Prices], YearWants], found: dict[str, Column]
) -> dict[str, Column]:
    """The prices of one category after the other, moved while that lowers what is earned and supplied together."""
    first = wants(found)
    bound = first.earned + supply_worth(goods, found)
    scarce = [name for name, units in first.units.items() if units.sum() > goods[name].supply.min()]
    for shift in SHIFTS:
        for name in scarce:
            own, step = found[name], shift * float(np.median(goods[name].reference))
            for moved in (own + step, np.maximum(0.0, own - step), *(factor * own for factor in FACTORS)):
                tried = found | {name: moved}
                lower = wants(tried).earned + supply_worth(goods, tried)
                if lower < bound:
                    found, bound = tried, lower
                    break
    return found


def _filled(goods: GoodsBound, units: Column) -> Column:
    """The prices at which the dearest goods come from the lowest floors, until each supplier has sold all it can."""
    ratios = (goods.floors / goods.reference).mean(axis=1)
    order, dearest = np.argsort(ratios), np.argsort(-goods.reference)
    wanted, supplied = units[dearest].cumsum(), goods.supply[order].cumsum()
    prices = np.zeros(len(order))
    for index in range(len(order) - 2, -1, -1):
        if supplied[index] < wanted[-1]:  # all that it has is sold: the next one takes over at this reference price
            margin = goods.reference[dearest[int(np.searchsorted(wanted, supplied[index]))]]
            gap = ratios[order[index + 1]] - ratios[order[index]]
            prices[index] = prices[index + 1] + gap * margin
    found = np.empty(len(order))
    found[order] = prices
    return found
