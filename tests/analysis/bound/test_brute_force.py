"""The upper bound against plays of tiny worlds, on average over many sets of draws."""

from statistics import fmean

import pytest
from tests.analysis.bound.tiny import PLAIN, fill_shelf, floor_of, open_stall, sleep, stock_up, tiny_world, wealth

from ecbench.analysis.bound.assets import upper_bound
from ecbench.market.economy import Economy
from ecbench.rules import Rules
from ecbench.world.model import Elasticity, World

LINEAR: tuple[Elasticity, float] = ("linear", 2.5)
EXPONENTIAL: tuple[Elasticity, float] = ("exponential", 3.0)
CONSTANT: tuple[Elasticity, float] = ("constant_elasticity", 1.6)
RICH = 1e6


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


def habitual_year(world: World, ratio: float, rules: Rules) -> float:
    """What a merchant earns who keeps every price at the same ratio and the shelves full."""
    account = open_stall(Economy.of(world, rules), RICH, world.days)
    stock_up(account, {product.sku: 150 for product in world.products})
    prices = {product.sku: ratio * product.reference_price for product in world.products}
    while not account.done:
        held = {sku: stock.physical for sku, stock in account.books.stock.items() if stock.physical}
        fill_shelf(account, held, prices)
        sleep(account)
    leftovers = sum(stock.physical * floor_of(world, stock.product) for stock in account.books.stock.values())
    return wealth(account) + leftovers - RICH


@pytest.mark.parametrize("returns", [0.0, 0.25])
def test_no_habit_earns_more_on_average_than_the_bound(returns: float) -> None:
    """Over many sets of draws; what is left over counts as if it had never been bought."""
    worlds = [tiny_world(LINEAR, EXPONENTIAL, goods=2, returns=returns, seed=seed) for seed in range(60)]
    means = [fmean(habitual_year(world, ratio, PLAIN) for world in worlds) for ratio in (0.9, 1.0, 1.1, 1.2, 1.3)]
    bound = upper_bound(worlds[0], stake=RICH, rules=PLAIN).assets - RICH
    assert 0.6 * bound <= max(means) <= bound
