"""No shelf earns more in a day, on average, than the best one."""

from random import Random

import pytest
from tests.analysis.bound.tiny import FOUR, PLAIN, STALL, floor_of, tiny_world

from ecbench.analysis.bound.shelf import Shelves
from ecbench.market.books import Stock, Store
from ecbench.market.day_demand import shelf_demand
from ecbench.market.demand import NO_OFFER, Offer
from ecbench.market.economy import Economy
from ecbench.market.returns import return_layers
from ecbench.market.stock import list_units
from ecbench.rules import SPEEDS, Rules
from ecbench.world.model import Product, World


def unit_margin(product: Product, world: World, price: float, cash_price: float, rules: Rules) -> float:
    """What a unit earns on average, by the speed that suits it best."""
    cost, rate = floor_of(world, product) * (1 + cash_price), return_layers(product, 0.0, price, rules).capped
    margins = []
    for speed in SPEEDS:
        kept = 1 - min(rules.return_cap, rate * rules.speed_return_factor[speed])
        freight = rules.freight_cost[product.size] * rules.freight_factor[speed]
        margins.append(kept * (price * (1 - rules.commission) - cost) - freight - rules.storage_rate[product.size])
    return max(margins)


def shelf_profit(economy: Economy, prices: dict[str, float], offer: Offer, cash_price: float) -> float:
    """What a shelf at these prices earns a day on average, by the market's own demand."""
    world, rules = economy.world, economy.rules
    store = Store("s", world.store_types[0], "Stall", world.start, reputation=1.0)
    for sku, price in prices.items():
        product = world.product_by_sku[sku]
        list_units(store, Stock(economy.demands[sku], product, free=1), 1, price)
    demand = shelf_demand(store, offer, world.start, economy)
    return sum(
        claim * demand.store_saturation * unit_margin(world.product_by_sku[sku], world, price, cash_price, rules)
        for (sku, price), claim in zip(prices.items(), demand.claims, strict=True)
    )


def climb(economy: Economy, offer: Offer, cash_price: float, rng: Random) -> float:
    """The best shelf that many small steps find: prices up and down, goods on and off."""
    world = economy.world
    prices = {product.sku: 1.3 * product.reference_price for product in world.products}
    best = shelf_profit(economy, prices, offer, cash_price)
    for _ in range(1_500):
        tried = prices.copy()
        sku = rng.choice(world.products).sku
        if sku in tried and rng.random() < 0.1:
            del tried[sku]
        else:
            tried[sku] = tried.get(sku, world.product_by_sku[sku].reference_price) * rng.uniform(0.85, 1.2)
        earned = shelf_profit(economy, tried, offer, cash_price)
        if earned > best:
            prices, best = tried, earned
    return best


@pytest.mark.parametrize("cash_price", [0.0, 0.6])
@pytest.mark.parametrize("offer", [NO_OFFER, Offer(0.0, 2.5, 1.5)], ids=["plain", "promotion"])
@pytest.mark.parametrize(
    ("capacity", "returns"), [(6.0, 0.0), (40.0, 0.3), (3_000.0, 0.1)], ids=["narrow", "middling", "wide"]
)
def test_the_best_shelf_is_just_above_the_best_that_climbing_finds(
    capacity: float, returns: float, offer: Offer, cash_price: float
) -> None:
    economy = Economy.of(tiny_world(*FOUR, goods=2, capacity=capacity, returns=returns), PLAIN)
    found = climb(economy, offer, cash_price, Random(5))
    traffic = economy.traffic[STALL][economy.world.start] * offer.traffic
    bound = Shelves(economy).best_profit(economy.world.store_types[0], traffic, offer.boost, cash_price)
    assert found <= bound
    assert found >= 0.98 * bound


def test_a_single_category_has_the_whole_store() -> None:
    economy = Economy.of(tiny_world(("linear", 2.0), goods=3, capacity=25.0), PLAIN)
    found = climb(economy, NO_OFFER, 0.0, Random(6))
    bound = Shelves(economy).best_profit(economy.world.store_types[0], 1.0, 1.0, 0.0)
    assert 0.97 * bound <= found <= bound
