"""Worlds so small that every play of them can be tried, and a shopkeeper who buys at floors and keeps their shelves."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from tests.market.conftest import tiny_category
from tests.market.days import next_day

from ecbench.market.economy import Economy
from ecbench.market.ledger import withdraw
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.market.purchasing import buy
from ecbench.market.sales import ship, take_pending
from ecbench.market.stock import delist_units, list_units, stock_of
from ecbench.market.storefronts import open_store
from ecbench.rules import DEFAULT_RULES
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Category, Elasticity, Product, StoreType, Supplier, World

Sales = Mapping[str, int]  # units by SKU


# Standing is perfect from the first day, goods come the next morning, revenue after two days: what is left is demand,
# its draws and money.
PLAIN = DEFAULT_RULES.with_overrides(
    {
        "opening_reputation": 1.0,
        "goodwill_base": 1.0,
        "return_weight": 0.0,
        "lead_days": (0, 0),
        "escrow_days": 2,
        "return_days": (1, 1),
        "setup_fee": 0.0,
        "operating_cost": {1: 0.0, 2: 0.0, 3: 0.0},
        "storage_rate": {"Small": 0.01, "Medium": 0.01, "Large": 0.01, "XLarge": 0.01},
    }
)
FLOOR = 0.6
STALL = "stall"
FOUR: tuple[tuple[Elasticity, float], ...] = (
    ("linear", 2.5),
    ("exponential", 3.0),
    ("constant_elasticity", 1.6),
    ("quadratic", 4.0),
)


def tiny_world(
    *trades: tuple[Elasticity, float],
    goods: int = 1,
    capacity: float = 20.0,
    monthly_sales: float = 600.0,
    returns: float = 0.0,
    seed: int = 3,
    days: int = 12,
) -> World:
    """One store type with a category for each (elasticity, eta), and as many goods in each as asked for."""
    names = tuple(f"Trade {number}" for number in range(len(trades)))
    return World(
        name="tiny",
        seed=seed,
        start=date(2026, 3, 2),
        days=days,
        store_types=(StoreType(STALL, "Stall", 3, capacity, 1.0, (1.0,) * 12, names),),
        categories=tuple(_category(name, *trade, monthly_sales) for name, trade in zip(names, trades, strict=True)),
        products=tuple(
            Product(f"{name[-1]}{number:02d}", name, "Ato", f"{name} {number}", "Small", 100.0 + 37.0 * number, returns)
            for name in names
            for number in range(goods)
        ),
        suppliers=tuple(Supplier(name, name, f"{name[-1]}@tiny.example", "candid", "", name, 99) for name in names),
    )


def _category(name: str, elasticity: Elasticity, eta: float, sales: float) -> Category:
    made = tiny_category(name, STALL, elasticity, eta)
    return replace(made, sales_min=sales, sales_max=sales, wholesale_ratio=0.8, floor_ratio=FLOOR, scam_cap_ratio=0.7)


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
