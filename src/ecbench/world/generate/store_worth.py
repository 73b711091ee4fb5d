"""What a store type is worth: the most that a store of it can earn on an ordinary day, and whether it pays for itself.

Every product of the catalog may be listed, bought at its floor and sold at its best price by its best speed, in a store
of full reputation. Only the market limits it: no capital, no order limits of suppliers, no promotions. It measures
worlds and does not forecast a merchant's year.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from ecbench.market.demand import base_demand, category_capacity, saturation
from ecbench.market.price_columns import price_curves, responses
from ecbench.rules import SPEEDS, Rules
from ecbench.world.model import Category, Product, StoreType

Floats = NDArray[np.float64]
Goods = Sequence[Sequence[Product]]  # the products of each category of a store type

WAREHOUSE_DAYS = 14  # the paper's T_h
PRICES: Floats = np.geomspace(0.5, 16.0, 120)  # tried, as multiples of the reference price
ROUNDS = 50  # a handful is enough
PRECISION = 1e-9
PLAIN_GOODS = 3  # of each category, the dearest
PLAIN_PRICE: Floats = np.array([1.05])  # over the reference price


@dataclass(frozen=True, slots=True)
class StaticShelf:
    """All goods of a store type in rows, category after category; columns are the prices tried."""

    demand: Floats  # units a day on a day of traffic 1
    profit: Floats  # per unit sold, returned units included
    starts: NDArray[np.intp]  # the first row of each category
    category_room: float | None  # units a day that a category can absorb; None where one has the whole store
    room: float  # that the store can absorb


def floor_price(category: Category) -> float:
    return category.floor_ratio


def lay_out(
    store_type: StoreType,
    categories: Sequence[Category],
    goods: Goods,
    rules: Rules,
    *,
    prices: Floats = PRICES,
    cost: Callable[[Category], float] = floor_price,
) -> StaticShelf:
    """`cost` is what a unit is bought for, over its reference price."""
    rows = [(category, own) for category, own in zip(categories, goods, strict=True) if own]
    counts = [len(own) for _, own in rows]
    demand = [base_demand(c, store_type, rules) * responses(c.elasticity, c.eta, prices, rules) for c, _ in rows]
    profit = [sale_profit(own, cost(category), prices, rules) for category, own in rows]
    return StaticShelf(
        demand=np.repeat(np.reshape(demand, (-1, len(prices))), counts, axis=0),
        profit=np.concatenate([np.empty((0, len(prices))), *profit]),
        starts=np.cumsum([0, *counts], dtype=np.intp)[:-1],
        category_room=category_capacity(store_type, rules),
        room=store_type.capacity,
    )


def best_day(shelf: StaticShelf, traffic: float) -> float:
    """The most that a choice of goods and prices earns in a day, before the cost of the store.

    Demand saturates in each category and then in the store, so the profit of a day is a ratio of sums, and each
    category's part of these sums a ratio again. Dinkelbach's method solves both: the room that a unit takes from others
    becomes a charge on it, and every product then finds its own best price, or none.
    """
    charge = earned = 0.0
    for _ in range(ROUNDS):
        profit, units = _fill(shelf, traffic, charge)
        earned = profit * saturation(shelf.room, units)
        if earned - shelf.room * charge <= PRECISION * earned:
            break
        charge = earned / shelf.room
    return earned


def ordinary_traffic(store_type: StoreType, rules: Rules) -> float:
    """What weekdays and months do to demand, on average over a year."""
    return (5 + 2 * rules.weekend_factor) / 7 * fmean(store_type.seasonality)


def worth(
    store_type: StoreType, categories: Sequence[Category], goods: Goods, rules: Rules, copies: float = 1.0
) -> float:
    """Yuan a day, before the cost of the store, where each product stands for this many."""
    return best_day(lay_out(store_type, categories, goods, rules), ordinary_traffic(store_type, rules) * copies)


def plain_worth(store_type: StoreType, categories: Sequence[Category], goods: Goods, rules: Rules) -> float:
    """Yuan a day, before the cost of the store, for a merchant who lists a few dear goods at about reference prices."""
    few = [sorted(own, key=lambda product: -product.reference_price)[:PLAIN_GOODS] for own in goods]
    shelf = lay_out(store_type, categories, few, rules, prices=PLAIN_PRICE, cost=halfway_price)
    return best_day(shelf, ordinary_traffic(store_type, rules))


def listings_to_fill(store_type: StoreType, categories: Sequence[Category], rules: Rules) -> float:
    """How many products of usual demand use up the capacity, if each sold all that its customers want."""
    return store_type.capacity / fmean(base_demand(category, store_type, rules) for category in categories)


def sale_profit(
    products: Sequence[Product], cost: float, prices: Floats, rules: Rules, speeds: Sequence[str] = SPEEDS
) -> Floats:
    """The paper's unit profit (app:econ_unit_profit) times the share of units that stay sold, by the best speed."""
    price = np.array([[product.reference_price] for product in products])
    natural = np.array([[product.return_rate] for product in products])
    freight = np.array([[rules.freight_cost[product.size]] for product in products])
    storage = np.array([[rules.storage_rate[product.size]] for product in products]) * WAREHOUSE_DAYS
    by_standard = np.minimum(rules.return_cap, natural * price_curves(prices, rules))
    best: Floats = np.full(by_standard.shape, -np.inf)
    for speed in speeds:
        returned = np.minimum(rules.return_cap, by_standard * rules.speed_return_factor[speed])
        taken = (1 - rules.commission - returned) * prices * price - freight * rules.freight_factor[speed] - storage
        best = np.maximum(best, taken - (1 - returned) * cost * price)
    return best


def _fill(shelf: StaticShelf, traffic: float, charge: float) -> tuple[float, float]:
    """Profit and units of the shelf that earns most when every unit that its category lets through is charged."""
    room = shelf.category_room
    if room is None:
        profit, units = _price(shelf, traffic, np.full(len(shelf.starts), charge))
        return float(profit.sum()), float(units.sum())
    extra: Floats = np.zeros(len(shelf.starts))  # charged besides for what a unit takes of its category's room
    profit = units = extra
    for _ in range(ROUNDS):
        profit, units = _price(shelf, traffic, charge + extra)
        gained = (profit - charge * units) / (room + units)
        if np.all(gained - extra <= PRECISION * gained):
            break
        extra = gained
    let_through = np.array([saturation(room, wished) for wished in units.tolist()])
    return float(profit @ let_through), float(units @ let_through)


def _price(shelf: StaticShelf, traffic: float, charges: Floats) -> tuple[Floats, Floats]:
    """Profit and units of each category, untrimmed, when every product takes the price that gains most, or none."""
    counts = np.diff(shelf.starts, append=len(shelf.profit))
    gains = shelf.demand * (shelf.profit - np.repeat(charges, counts)[:, None])
    rows, best = np.arange(len(gains)), np.argmax(gains, axis=1)
    units = np.where(gains[rows, best] > 0, shelf.demand[rows, best] * traffic, 0.0)
    profit = units * shelf.profit[rows, best]
    return np.add.reduceat(profit, shelf.starts), np.add.reduceat(units, shelf.starts)


def is_profitable(
    store_type: StoreType, categories: Sequence[Category], products: Sequence[Product], rules: Rules
) -> bool:
    """Some shelf, bought halfway and sold at reference prices, earns more a day than a newly opened store costs."""
    goods = [[product for product in products if product.category == category.name] for category in categories]
    shelf = lay_out(store_type, categories, goods, rules, prices=np.ones(1), cost=halfway_price)
    traffic = ordinary_traffic(store_type, rules) * rules.opening_reputation
    return best_day(shelf, traffic) > rules.operating_cost[store_type.tier]


def halfway_price(category: Category) -> float:
    """Midway between what suppliers ask at first and the least they take, over the reference price."""
    return (category.floor_ratio + category.wholesale_ratio) / 2
