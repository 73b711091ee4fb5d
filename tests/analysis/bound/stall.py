"""A shopkeeper of tiny worlds, who buys at floors and keeps the shelves as a test wants them."""

from collections.abc import Mapping

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
from ecbench.world.model import Product, World

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
