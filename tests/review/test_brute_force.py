"""The bound against every play of worlds that are small enough to try them all."""

import pytest

from ecbench.market.purchasing import OrderRefused
from ecbench.market.year import Market, Year
from ecbench.review.bound import bound_assets
from ecbench.world.model import Elasticity, World
from tests.review.seer import best_sales, fill_shelf, floor_of, highest_prices, open_stall, sleep, stock_up, wealth
from tests.review.tiny import PLAIN, tiny_world

FAMILIES: list[tuple[Elasticity, float]] = [
    ("linear", 2.5),
    ("exponential", 3.0),
    ("constant_elasticity", 1.6),
    ("quadratic", 4.0),
]


def foreseen_year(world: World, most: int, stake: float = 1e6) -> float:
    """Every day the best of all sales, with goods bought in time and money that is never short."""
    market = Market.of(world, PLAIN)
    year = open_stall(market, stake, world.days)
    plans = {}
    for day in range(2, world.days - 1):
        date = world.start.fromordinal(world.start.toordinal() + day)
        plans[day] = best_sales(market, date, most)
    units: dict[str, int] = {}
    for sales, _ in plans.values():
        for sku, count in sales.items():
            units[sku] = units.get(sku, 0) + count
    stock_up(year, units)
    while not year.done:
        if year.day in plans:
            fill_shelf(year, *plans[year.day])
        sold_before = sum(stock.sold for stock in year.books.stock.values())
        planned = sum(plans[year.day][0].values()) if year.day in plans else 0
        sleep(year)
        assert sum(stock.sold for stock in year.books.stock.values()) - sold_before == planned
    return wealth(year) - stake


@pytest.mark.parametrize("trade", FAMILIES)
@pytest.mark.parametrize("goods", [1, 3])
def test_x(trade, goods):
    world = tiny_world(trade, goods=goods)
    earned = foreseen_year(world, most=4)
    bound = bound_assets(world, stake=1e6, rules=PLAIN)
    print(trade, goods, earned, bound.certain - 1e6, bound.expected - 1e6, earned / (bound.certain - 1e6))


def test_y():
    for goods in (1, 2):
        world = tiny_world(FAMILIES[0], FAMILIES[2], FAMILIES[3], FAMILIES[1], goods=goods, capacity=8.0)
        earned = foreseen_year(world, most=2 if goods == 2 else 3)
        bound = bound_assets(world, stake=1e6, rules=PLAIN)
        print(goods, earned, bound.certain - 1e6, bound.expected - 1e6, earned / (bound.certain - 1e6))
