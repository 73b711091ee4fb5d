"""The best shelf of a store by the market's own laws: what to list, at which price, and how much it sells.

Customers' attention is limited under the ceiling of a category and under that of the store. Each has a price; a SKU is
listed at the price that earns most beyond what the attention costs that it takes.
"""

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.market.demand import base_demand, saturation
from ecbench.market.economy import Economy
from ecbench.market.price_columns import Column, price_curves, responses
from ecbench.rules import SPEEDS, Rules
from ecbench.sums import ordered_sum
from ecbench.world.model import Category, Product, StoreType

LOWEST_RATIO, HIGHEST_RATIO, RATIOS = 0.6, 60.0, 72  # prices over reference that are tried
SHELF_DAYS = 8  # a unit waits in the warehouse
STEPS, DAMPING = 14, 0.6  # of finding the prices of attention


@dataclass(frozen=True, slots=True, eq=False)
class ShelfLine:
    """The goods of one category, dearest first; tables have a row for each SKU and a column for each price."""

    category: Category
    products: tuple[Product, ...]
    reference: Column
    prices: Column
    base: float  # units a day of each at its reference price
    returned: tuple[Column, ...]  # the share that comes back, by speed
    handling: tuple[float, ...]  # of a unit, by speed
    ratios: Column


def line_of(economy: Economy, category: Category) -> ShelfLine:
    world, rules = economy.world, economy.rules
    products = tuple(sorted(world.products_by_category[category.name], key=lambda each: -each.reference_price))
    reference = np.array([each.reference_price for each in products])
    ratios = np.geomspace(LOWEST_RATIO, min(HIGHEST_RATIO, rules.price_ceiling), RATIOS)
    natural = np.array([each.return_rate for each in products])[:, None]
    priced = np.minimum(rules.return_cap, natural * price_curves(ratios, rules))
    storage = rules.storage_rate[category.size] * SHELF_DAYS
    return ShelfLine(
        category=category,
        products=products,
        reference=reference,
        prices=reference[:, None] * ratios,
        base=base_demand(category, world.store_type_by_id[category.store_type], rules),
        returned=tuple(np.minimum(rules.return_cap, priced * rules.speed_return_factor[speed]) for speed in SPEEDS),
        handling=tuple(rules.freight_cost[category.size] * rules.freight_factor[speed] + storage for speed in SPEEDS),
        ratios=ratios,
    )


def margins(line: ShelfLine, cost: float, rules: Rules) -> Column:
    """What a unit that is sold leaves on average by the best speed, if a unit costs this share of its reference."""
    best: Column | None = None
    income, unit = (1.0 - rules.commission) * line.prices, (cost * line.reference)[:, None]
    for returned, handling in zip(line.returned, line.handling, strict=True):
        margin = income - unit - handling - returned * (line.prices - unit)
        best = margin if best is None else np.maximum(best, margin)
    assert best is not None
    return best


class LinePlan(NamedTuple):
    """Of each SKU of a line: the price, and units sold a day; none where it is not worth its listing."""

    ratio: Column
    units: Column
    kept: Column  # of the units, those that do not come back


class ShelfPlan(NamedTuple):
    earned: float  # a day, by the margins that it was made with, before operating cost
    lines: dict[str, LinePlan]


@dataclass(slots=True)
class StoreOutlook:
    """One store type: its lines, and the last prices of attention as a first guess."""

    store_type: StoreType
    lines: list[ShelfLine]
    attention: list[float]

    def best_shelf(
        self, economy: Economy, traffic: dict[str, float], worth: dict[str, Column], fee: float, boost: float = 1.0
    ) -> ShelfPlan:
        """`traffic` and `worth`, by category: visitors, and margins of the units sold."""
        rules, capacity = economy.rules, economy.capacities[self.store_type.id]
        ceiling = inf if capacity.category is None else capacity.category
        wishes = [
            traffic[line.category.name]
            * line.base
            * responses(line.category.elasticity, line.category.eta * boost, line.ratios, rules)
            for line in self.lines
        ]
        attention, served, crowding = self.attention, [1.0] * len(self.lines), 1.0
        for _ in range(STEPS):
            chosen = []
            for place, line in enumerate(self.lines):
                table = worth[line.category.name]
                column = (wishes[place] * (table - attention[place])).argmax(axis=1)
                margin = table[np.arange(len(column)), column]
                wish = wishes[place][column]
                wish = wish * (served[place] * crowding * wish * (margin - attention[place]) > fee)
                served[place] = saturation(ceiling, float(wish.sum())) if ceiling < inf else 1.0
                chosen.append(_Choice(column, wish * served[place], margin))
            crowding = saturation(capacity.store, ordered_sum(each.stacked for each in chosen))
            store = crowding * ordered_sum(each.gross for each in chosen) / capacity.store
            for place, each in enumerate(chosen):
                # What one more wish takes from the other goods of its category and of the store.
                own = each.gross / ceiling + served[place] * store
                attention[place] += DAMPING * (own - attention[place])
        return self._planned(chosen, crowding, fee)

    def _planned(self, chosen: list["_Choice"], crowding: float, fee: float) -> ShelfPlan:
        earned, found = 0.0, {}
        for line, each in zip(self.lines, chosen, strict=True):
            rows, units = np.arange(len(each.column)), each.wish * crowding
            earned += crowding * each.gross - fee * float((units > 0.0).sum())
            kept = units * (1.0 - line.returned[0][rows, each.column])
            found[line.category.name] = LinePlan(line.ratios[each.column], units, kept)
        return ShelfPlan(earned, found)


class _Choice(NamedTuple):
    """Of a line: the price of each SKU, the wishes that its category leaves over, and the margins."""

    column: npt.NDArray[np.intp]
    wish: Column
    margin: Column

    @property
    def stacked(self) -> float:
        return float(self.wish.sum())

    @property
    def gross(self) -> float:
        return float(self.wish @ self.margin)


def outlook_of(economy: Economy, store_type: StoreType) -> StoreOutlook:
    world = economy.world
    categories = [world.category_by_name[name] for name in store_type.categories]
    lines = [line_of(economy, each) for each in categories if world.products_by_category[each.name]]
    return StoreOutlook(store_type, lines, [0.0] * len(lines))
