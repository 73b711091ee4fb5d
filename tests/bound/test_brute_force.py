"""The bounds against every play of worlds that are small enough to try them all."""

from datetime import timedelta
from statistics import fmean

import pytest
from tests.bound.seer import best_sales, fill_shelf, floor_of, highest_prices, open_stall, sleep, stock_up, wealth
from tests.bound.tiny import PLAIN, tiny_world

from ecbench.bound.assets import bound_assets
from ecbench.market.economy import Economy
from ecbench.market.marketplace import Account
from ecbench.rules import Rules
from ecbench.world.model import Elasticity, World

LINEAR: tuple[Elasticity, float] = ("linear", 2.5)
EXPONENTIAL: tuple[Elasticity, float] = ("exponential", 3.0)
CONSTANT: tuple[Elasticity, float] = ("constant_elasticity", 1.6)
QUADRATIC: tuple[Elasticity, float] = ("quadratic", 4.0)
RICH = 1e6


def foreseen_year(world: World, most: int, rules: Rules = PLAIN) -> float:
    """What a seer earns who sells the best of all sales on every day, with money that is never short."""
    economy = Economy.of(world, rules)
    plans = {day: best_sales(economy, world.start + timedelta(days=day), most) for day in range(1, world.days - 1)}
    account = open_stall(economy, RICH, world.days)
    wanted: dict[str, int] = {}
    for sales, _ in plans.values():
        for sku, units in sales.items():
            wanted[sku] = wanted.get(sku, 0) + units
    stock_up(account, wanted)
    while not account.done:
        sales, prices = plans.get(account.market.day, ({}, {}))
        fill_shelf(account, sales, prices)
        before = sum(stock.sold for stock in account.books.stock.values())
        sleep(account)
        sold = sum(stock.sold for stock in account.books.stock.values())
        assert sold - before == sum(sales.values())  # the market sells what the seer foresaw
    return wealth(account) - RICH


@pytest.mark.parametrize("goods", [1, 3])
@pytest.mark.parametrize("trade", [LINEAR, EXPONENTIAL, CONSTANT, QUADRATIC], ids=lambda trade: trade[0])
def test_nobody_who_knows_the_draws_earns_more_than_the_certain_bound(
    trade: tuple[Elasticity, float], goods: int
) -> None:
    world = tiny_world(trade, goods=goods)
    earned, bound = foreseen_year(world, most=4), bound_assets(world, stake=RICH, rules=PLAIN)
    assert earned <= bound.certain - RICH
    assert earned >= 0.7 * (bound.certain - RICH)


@pytest.mark.parametrize("trade", [LINEAR, EXPONENTIAL, CONSTANT, QUADRATIC], ids=lambda trade: trade[0])
def test_many_units_of_one_product_a_day_stay_just_below_the_certain_bound(trade: tuple[Elasticity, float]) -> None:
    world = tiny_world(trade, capacity=1e6, monthly_sales=5_000.0)
    earned, bound = foreseen_year(world, most=60), bound_assets(world, stake=RICH, rules=PLAIN)
    assert 0.8 * (bound.certain - RICH) <= earned <= bound.certain - RICH


@pytest.mark.parametrize(("goods", "most"), [(1, 3), (2, 2)])
def test_categories_that_crowd_each_other_stay_below_the_certain_bound(goods: int, most: int) -> None:
    world = tiny_world(LINEAR, CONSTANT, QUADRATIC, EXPONENTIAL, goods=goods, capacity=8.0, days=6)
    earned, bound = foreseen_year(world, most), bound_assets(world, stake=RICH, rules=PLAIN)
    assert 0.5 * (bound.certain - RICH) <= earned <= bound.certain - RICH


def test_knowing_the_draws_earns_more_than_anybody_can_on_average() -> None:
    """So that the bound on averages alone would not be one for every play."""
    world = tiny_world(CONSTANT, goods=3)
    assert foreseen_year(world, most=4) > 1.5 * (bound_assets(world, stake=RICH, rules=PLAIN).expected - RICH)


def best_end(account: Account) -> float:
    """The most that any play from here ends with: whatever is bought, and however many units are put on sale."""
    best = wealth(account)  # of a merchant who stops here
    if account.done:
        return best
    [product] = account.world.products
    held = account.books.units
    affordable = int(account.books.purse.bank / floor_of(account.world, product))
    for bought in {0, affordable // 2, affordable}:
        for units in range(min(2, held) + 1):
            sales = {product.sku: units} if units else {}
            prices = highest_prices(account.economy, account.market.date, sales)
            if prices is not None:
                [twin] = account.market.copy().accounts
                fill_shelf(twin, sales, prices)
                stock_up(twin, {product.sku: bought} if bought else {})
                sleep(twin)
                best = max(best, best_end(twin))
    return best


@pytest.mark.parametrize("trade", [LINEAR, CONSTANT], ids=lambda trade: trade[0])
@pytest.mark.parametrize(("stake", "days"), [(70.0, 9), (130.0, 7), (200.0, 6)])
def test_no_way_to_reinvest_a_small_stake_beats_the_bound(
    trade: tuple[Elasticity, float], stake: float, days: int
) -> None:
    world = tiny_world(trade, monthly_sales=900.0, days=days)
    best = best_end(open_stall(Economy.of(world, PLAIN), stake, days))
    bound = bound_assets(world, stake=stake, rules=PLAIN)
    assert stake < best <= bound.certain
    assert best >= 0.5 * bound.certain


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
def test_no_habit_earns_more_on_average_than_the_expected_bound(returns: float) -> None:
    """Over many sets of draws; what is left over counts as if it had never been bought."""
    worlds = [tiny_world(LINEAR, EXPONENTIAL, goods=2, returns=returns, seed=seed) for seed in range(60)]
    means = [fmean(habitual_year(world, ratio, PLAIN) for world in worlds) for ratio in (0.9, 1.0, 1.1, 1.2, 1.3)]
    bound = bound_assets(worlds[0], stake=RICH, rules=PLAIN).expected - RICH
    assert 0.6 * bound <= max(means) <= bound
