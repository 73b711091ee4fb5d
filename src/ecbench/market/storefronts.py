"""Opening a store, and closing it for good (sec:stores)."""

from typing import NamedTuple

from ecbench.market.books import Store
from ecbench.market.journal import record_closing, record_opening
from ecbench.market.ledger import SALVAGE, SETUP, credit, pay
from ecbench.market.marketplace import Account
from ecbench.market.stock import delist_units, take_oldest
from ecbench.world.model import StoreType


class Salvage(NamedTuple):
    """What selling off one SKU's listed units brought."""

    quantity: int
    proceeds: float


def open_store(account: Account, store_type: StoreType, name: str) -> Store:
    """Open a store and charge its setup; a type that was open before starts anew."""
    books, rules = account.books, account.rules
    store = Store(f"store_{len(books.stores) + 1:03d}", store_type, name, account.market.date, rules.opening_reputation)
    books.stores[store.id] = store
    books.trading.append(store)
    pay(books.purse, SETUP, rules.setup_fee)
    if account.journal is not None:
        record_opening(account.journal, store, account.market.day, rules.setup_fee)
    return store


def close_store(account: Account, store: Store) -> dict[str, int]:
    """Close a store and free its shelf; lots keep their age. Pending orders may still ship."""
    shelf = _shut(account, store)
    if account.journal is not None:
        record_closing(account.journal, store, account.market.day, {})
    for sku, quantity in shelf.items():
        delist_units(store, account.books.stock[sku], quantity)
    store.shelf.clear()
    return shelf


def liquidate_store(account: Account, store: Store) -> dict[str, Salvage]:
    """Close a store and sell its shelf for a share of its cost."""
    sold_off, rules = {}, account.rules
    for sku, quantity in _shut(account, store).items():
        stock = account.books.stock[sku]
        worth = min(stock.cost, rules.salvage_cap * stock.product.reference_price)
        proceeds = rules.salvage_rate * worth * quantity
        take_oldest(stock, quantity)
        stock.liquidated += quantity
        account.books.units -= quantity
        credit(account.books.purse, SALVAGE, proceeds)
        sold_off[sku] = Salvage(quantity, proceeds)
    if account.journal is not None:
        record_closing(account.journal, store, account.market.day, sold_off)
    store.shelf.clear()
    return sold_off


def _shut(account: Account, store: Store) -> dict[str, int]:
    """End the trade of a store; what is on its shelf is still to be cleared."""
    store.is_open = False
    account.books.trading.remove(store)
    return {sku: listing.quantity for sku, listing in store.shelf.items() if listing.quantity}
