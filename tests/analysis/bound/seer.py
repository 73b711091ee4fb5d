"""A player who knows every draw: it prices a shelf so that each SKU sells exactly as many units as it wants."""

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import product as every
from math import log, sqrt

from ecbench.market.demand import base_demand
from ecbench.market.draws import demand_rounding
from ecbench.market.economy import Economy
from ecbench.market.ledger import withdraw
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.market.purchasing import buy
from ecbench.market.sales import ship, take_pending
from ecbench.market.settlement import begin_tomorrow, end_day
from ecbench.market.stock import delist_units, list_units, stock_of
from ecbench.market.storefronts import open_store
from ecbench.rules import DEFAULT_RULES
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Category, Product, World

HAIR = 1e-9  # by which demand passes its draw

Sales = Mapping[str, int]  # units by SKU


def open_stall(economy: Economy, stake: float, days: int) -> Account:
    [account] = open_marketplace(economy, days=days, stake=stake).accounts
    open_store(account, economy.world.store_types[0], "Stall")
    return account


def floor_of(world: World, product: Product) -> float:
    [supplier] = world.suppliers_by_category[product.category]
    return terms_of(Economy.of(world, DEFAULT_RULES), supplier, product).reservation


def stock_up(account: Account, wanted: Sales) -> None:
    """At the floor, from a supplier that never refuses it; may raise OrderRefused."""
    for sku, units in wanted.items():
        product = account.world.product_by_sku[sku]
        buy(account, supplier="S", product=product, quantity=units, unit_price=floor_of(account.world, product))


def every_sale(world: World, most: int) -> Iterator[dict[str, int]]:
    """Every way to sell up to a given number of units of each SKU in a day."""
    skus = [product.sku for product in world.products]
    for units in every(range(most + 1), repeat=len(skus)):
        yield {sku: count for sku, count in zip(skus, units, strict=True) if count}


def highest_prices(economy: Economy, day: date, sales: Sales) -> dict[str, float] | None:
    """The prices at which the shelf sells just that; None if no prices do."""
    world = economy.world
    store_type = world.store_types[0]
    demand = {sku: n - 1 + demand_rounding(world.seed, sku, day.isoformat()) + HAIR for sku, n in sales.items()}
    capacity = economy.capacities[store_type.id]
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
        reach = (
            base_demand(world.category_by_name[product.category], store_type, economy.rules)
            * economy.traffic[store_type.id][day]
        )
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


def margin(economy: Economy, sales: Sales, prices: Mapping[str, float]) -> float:
    """What a day of such sales earns, goods at their floors and one night of storage."""
    rules, total = economy.rules, 0.0
    for sku, units in sales.items():
        product = economy.world.product_by_sku[sku]
        freight = rules.freight_cost[product.size] * rules.freight_factor["slow"]
        kept = prices[sku] * (1.0 - rules.commission)
        total += units * (kept - freight - rules.storage_rate[product.size] - floor_of(economy.world, product))
    return total


def best_sales(economy: Economy, day: date, most: int) -> tuple[dict[str, int], dict[str, float]]:
    """The day's best sales of all, by trying every one, and their prices."""
    priced = [(sales, highest_prices(economy, day, sales)) for sales in every_sale(economy.world, most)]
    return max(
        ((sales, prices) for sales, prices in priced if prices is not None),
        key=lambda found: margin(economy, *found),
    )


def fill_shelf(account: Account, sales: Sales, prices: Mapping[str, float]) -> None:
    """Nothing but these units is on the shelf."""
    [store] = account.books.trading
    for sku, listing in list(store.shelf.items()):
        if listing.quantity:
            delist_units(store, account.books.stock[sku], listing.quantity)
    for sku, units in sales.items():
        list_units(store, stock_of(account, account.world.product_by_sku[sku]), units, prices[sku])


def next_day(account: Account) -> None:
    end_day(account)
    begin_tomorrow(account.market)


def sleep(account: Account) -> None:
    """A night, and then the morning's chores: ship what was sold and bring home what was paid out."""
    next_day(account)
    if not account.done:
        sold = take_pending(account.books)
        if sold:
            ship(account, sold, "slow")
        withdraw(account.books.purse, account.books.purse.wallet)


def wealth(account: Account) -> float:
    return account.books.purse.total
