"""A player who knows every draw: it prices a shelf so that each SKU sells exactly as many units as it wants."""

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import product as every
from math import log, sqrt

from ecbench.market.clock import next_day, start_year
from ecbench.market.draws import demand_rounding
from ecbench.market.ledger import withdraw
from ecbench.market.purchasing import buy
from ecbench.market.shipping import ship, take_pending
from ecbench.market.stock import delist_units, list_units, stock_of
from ecbench.market.storefronts import open_store
from ecbench.market.year import Market, Year
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Category, Product, World

HAIR = 1e-9  # by which demand passes its draw

Sales = Mapping[str, int]  # units by SKU


def open_stall(market: Market, stake: float, days: int) -> Year:
    year = start_year(market, days=days, stake=stake)
    open_store(year, market.world.store_types[0], "Stall")
    return year


def floor_of(world: World, product: Product) -> float:
    [supplier] = world.suppliers_by_category[product.category]
    return terms_of(supplier, product, world.category_by_name[product.category]).reservation


def stock_up(year: Year, wanted: Sales) -> None:
    """At the floor, from a supplier that never refuses it; may raise OrderRefused."""
    for sku, units in wanted.items():
        product = year.world.product_by_sku[sku]
        buy(year, supplier="S", product=product, quantity=units, unit_price=floor_of(year.world, product))


def every_sale(world: World, most: int) -> Iterator[dict[str, int]]:
    """Every way to sell up to so many units of each SKU in a day."""
    skus = [product.sku for product in world.products]
    for units in every(range(most + 1), repeat=len(skus)):
        yield {sku: count for sku, count in zip(skus, units, strict=True) if count}


def highest_prices(market: Market, day: date, sales: Sales) -> dict[str, float] | None:
    """The prices at which the shelf sells just that; None if no prices do."""
    world = market.world
    store_type = world.store_types[0]
    demand = {sku: n - 1 + demand_rounding(world.seed, sku, day.isoformat()) + HAIR for sku, n in sales.items()}
    capacity = market.capacities[store_type.id]
    store_share = 1.0 - sum(demand.values()) / capacity.store
    by_category = dict.fromkeys(store_type.categories, 0.0)
    for sku, units in demand.items():
        by_category[world.product_by_sku[sku].category] += units
    prices = {}
    for sku, units in demand.items():
        product = world.product_by_sku[sku]
        share = 1.0
        if capacity.category is not None and store_share > 0.0:
            share = 1.0 - by_category[product.category] / (store_share * capacity.category)
        if store_share <= 0.0 or share <= 0.0:
            return None
        reach = market.base_demand[product.category] * market.traffic[store_type.id][day]
        ratio = _highest_ratio(world.category_by_name[product.category], units / (store_share * share * reach))
        if ratio is None:
            return None
        prices[sku] = ratio * product.reference_price
    return prices


def _highest_ratio(category: Category, wanted: float) -> float | None:
    eta = category.eta
    match category.elasticity:
        case "linear":
            ratio = 1.0 + (1.0 - wanted) / eta
        case "exponential":
            ratio = 1.0 - log(wanted) / eta
        case "constant_elasticity":
            ratio = wanted ** (-1.0 / eta)
        case "quadratic":
            ratio = 1.0 + sqrt((1.0 - wanted) / eta) if wanted <= 1.0 else 0.0
    return ratio if ratio > 0.0 else None


def margin(market: Market, sales: Sales, prices: Mapping[str, float]) -> float:
    """What a day of such sales earns, goods at their floors and one night of storage."""
    rules, total = market.rules, 0.0
    for sku, units in sales.items():
        product = market.world.product_by_sku[sku]
        freight = rules.freight_cost[product.size] * rules.freight_factor["slow"]
        kept = prices[sku] * (1.0 - rules.commission)
        total += units * (kept - freight - rules.storage_rate[product.size] - floor_of(market.world, product))
    return total


def best_sales(market: Market, day: date, most: int) -> tuple[dict[str, int], dict[str, float]]:
    """The day's best sales of all, by trying every one, and their prices."""
    priced = [(sales, highest_prices(market, day, sales)) for sales in every_sale(market.world, most)]
    return max(
        ((sales, prices) for sales, prices in priced if prices is not None),
        key=lambda found: margin(market, *found),
    )


def fill_shelf(year: Year, sales: Sales, prices: Mapping[str, float]) -> None:
    """Nothing but these units is on the shelf."""
    [store] = year.books.trading
    for sku, listing in list(store.shelf.items()):
        if listing.quantity:
            delist_units(store, year.books.stock[sku], listing.quantity)
    for sku, units in sales.items():
        list_units(store, stock_of(year, year.world.product_by_sku[sku]), units, prices[sku])


def sleep(year: Year) -> None:
    """A night, and then the morning's chores: ship what was sold and bring home what was paid out."""
    next_day(year)
    if not year.done:
        sold = take_pending(year.books)
        if sold:
            ship(year, sold, "slow")
        withdraw(year.books.purse, year.books.purse.wallet)


def wealth(year: Year) -> float:
    return year.books.purse.total
