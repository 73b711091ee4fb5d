"""The upper bound against plays of tiny worlds, on average over many sets of draws."""

from statistics import fmean

import pytest
from tests.analysis.bound.tiny import PLAIN, fill_shelf, floor_of, open_stall, sleep, stock_up, tiny_world, wealth

from ecbench.analysis.bound.assets import upper_bound
from ecbench.market.economy import Economy
from ecbench.world.model import Elasticity, World

LINEAR: tuple[Elasticity, float] = ("linear", 2.5)
CONSTANT: tuple[Elasticity, float] = ("constant_elasticity", 1.6)


def reinvested_year(world: World, stake: float, ratio: float, most_held: int) -> float:
    """What a merchant ends with who puts its money into goods each day, up to a given number of units, at one price."""
    [product] = world.products
    account = open_stall(Economy.of(world, PLAIN), stake, world.days)
    while not account.done:
        held = account.books.units
        if held:
            fill_shelf(account, {product.sku: held}, {product.sku: ratio * product.reference_price})
        affordable = int(account.books.purse.bank / floor_of(world, product))
        bought = min(affordable, max(0, most_held - held)) if account.market.day < world.days - 3 else 0
        if bought:
            stock_up(account, {product.sku: bought})
        sleep(account)
    return wealth(account)


@pytest.mark.parametrize("trade", [LINEAR, CONSTANT], ids=lambda trade: trade[0])
@pytest.mark.parametrize(("stake", "days"), [(70.0, 9), (130.0, 12), (200.0, 24)])
def test_no_habit_of_reinvesting_a_small_stake_ends_above_the_bound_on_average(
    trade: tuple[Elasticity, float], stake: float, days: int
) -> None:
    worlds = [tiny_world(trade, monthly_sales=900.0, days=days, seed=seed) for seed in range(40)]
    habits = [(ratio, most_held) for ratio in (1.0, 1.2, 1.5, 2.0) for most_held in (2, 5, 20)]
    best = max(fmean(reinvested_year(world, stake, *habit) for world in worlds) for habit in habits)
    bound = upper_bound(worlds[0], stake=stake, rules=PLAIN).assets
    assert 0.6 * bound <= best <= bound
