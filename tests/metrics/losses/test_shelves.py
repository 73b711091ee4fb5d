"""What shelves lost, against what the market itself sells."""

import numpy as np
import pytest
from tests.analysis.bound.tiny import PLAIN, tiny_world
from tests.metrics.losses.trading import STORE

from ecbench.market.sales import sold_goods
from ecbench.market.settlement import begin_tomorrow, end_day
from ecbench.market.sharing import share_demand
from ecbench.market.stock import list_units, receive, reprice, stock_of
from ecbench.market.storefronts import open_store
from ecbench.metrics.losses.account import PRICE, Loss
from ecbench.metrics.losses.prices import PricedShelf, judge_prices
from ecbench.metrics.losses.shelves import watch_shelves
from ecbench.table import Table
from ecbench.world.model import Elasticity, World

CATEGORIES: list[tuple[Elasticity, float]] = [
    ("linear", 2.0),
    ("exponential", 3.0),
    ("constant_elasticity", 2.5),
    ("quadratic", 4.0),
    ("linear", 3.0),
]


def stocked_arena(world: World, held: int, prices: dict[str, float], seats: int) -> Table:
    """Everybody has the same goods, each bought for 60 yuan, and a later seat sells a tenth cheaper."""
    arena = Table(world, seats=seats, rules=PLAIN)
    for account in arena.accounts:
        store = open_store(account, world.store_types[0], "Stall")
        for product in world.products:
            stock = stock_of(account, product)
            today = account.market.date.toordinal()
            receive(account.books, stock, product.category, held, 60.0, defective=False, today=today)
            list_units(store, stock, held, prices[product.sku] * 0.9**account.seat)
    return arena


def profit_of(arena: Table, charged: dict[str, float]) -> float:
    """What the market says that the first seat would earn in expectation at these prices."""
    rules, profit = arena.accounts[0].rules, 0.0
    stores = {account.seat: account.books.stores[STORE] for account in arena.accounts}
    for sku, price in charged.items():
        reprice(stores[0].shelf[sku], price)
    demand = share_demand(stores, arena.market.date, arena.market.economy)[0]
    for priced, claim in zip(demand.goods, demand.claims):
        listing = stores[0].shelf[priced.goods.sku]
        goods = sold_goods(arena.market.economy)[priced][1]
        speeds = [
            rules.freight_cost["Small"] * rules.freight_factor[speed]
            + min(rules.return_cap, goods.rates.capped * rules.speed_return_factor[speed]) * (listing.price - 60.0)
            for speed in rules.freight_factor
        ]
        margin = 0.98 * listing.price - 60.0 - min(speeds)
        profit += min(listing.quantity, claim * demand.store_saturation) * margin
    return profit


@pytest.mark.parametrize("held", [3, 200])
def test_no_price_of_the_market_beats_the_best_one(held: int) -> None:
    """Five categories, two goods each, returns and a crowd: every price is tried on the market itself."""
    world = tiny_world(*CATEGORIES, goods=2, capacity=25.0, monthly_sales=2_000.0, returns=0.1)
    prices = {product.sku: product.reference_price for product in world.products}
    market = stocked_arena(world, held, prices, 1)
    store, today = market.accounts[0].books.stores[STORE], market.market.date
    shelf = PricedShelf(market.accounts[0], store, share_demand({0: store}, today, market.market.economy)[0])
    losses, _, best = shelf.losses()
    before = profit_of(market, prices)
    for sku, amount, price in zip(shelf.skus, losses.tolist(), best.tolist(), strict=True):
        claimed = profit_of(market, prices | {sku: price}) - before
        tried = prices[sku] * np.linspace(0.2, 4.0, 100)
        highest = max(profit_of(market, prices | {sku: other}) for other in tried) - before
        assert amount == pytest.approx(claimed, abs=1e-6)
        assert amount >= highest - 1e-2


def test_the_price_of_a_store_with_rivals_is_not_judged() -> None:
    """They would answer it."""
    world = tiny_world(*CATEGORIES, goods=2, capacity=25.0, monthly_sales=2_000.0)
    prices = {product.sku: 1.5 * product.reference_price for product in world.products}
    judged = []
    for seats in (1, 2):
        arena = stocked_arena(world, 3, prices, seats)
        watch = watch_shelves(arena.accounts[0], judge_prices)
        for account in arena.accounts:
            end_day(account)
        assert begin_tomorrow(arena.market)
        judged.append([loss for loss in watch.losses if loss.cause == PRICE])
    assert judged[0] and not judged[1]


def test_an_empty_shelf_among_rivals_is_what_the_market_sells_from_a_full_one() -> None:
    """Two markets with a rival that has everything; in the first one two listings of this seat are empty."""
    world = tiny_world(*CATEGORIES, goods=2, capacity=25.0, monthly_sales=2_000.0)
    prices = {product.sku: product.reference_price for product in world.products}
    empty = [product.sku for product in world.products[:2]]
    sold, losses = [], list[Loss]()
    for full in (False, True):
        arena = stocked_arena(world, 200, prices, 2)
        store = arena.accounts[1].books.stores[STORE]  # the cheaper one
        for sku in () if full else empty:
            store.shelf[sku].quantity = 0
        watch = watch_shelves(arena.accounts[1])
        for account in arena.accounts:
            end_day(account)
        assert begin_tomorrow(arena.market)
        sold.append({goods.product.sku: goods.quantity for goods in store.sold_yesterday.goods})
        losses += watch.losses
    assert {loss.sku: loss.units for loss in losses} == {sku: sold[1][sku] for sku in empty if sku in sold[1]} != {}
