"""Stores: opening and closing them (sec:stores), what a day costs, reputation, and the lines of yesterday."""

from dataclasses import dataclass
from math import exp
from typing import NamedTuple

from ecbench.market.books import PendingReturn, Store
from ecbench.market.ledger import SALVAGE, SETUP, credit, pay
from ecbench.market.marketplace import Account
from ecbench.market.stock import delist_units, take_oldest
from ecbench.rules import Rules
from ecbench.world.model import StoreType


class Salvage(NamedTuple):
    """What selling off one SKU's listed units brought."""

    quantity: int
    proceeds: float


def open_store(account: Account, store_type: StoreType, name: str) -> Store:
    """Open a store and charge its setup; a type that was open before starts over."""
    books, rules = account.books, account.rules
    store = Store(f"store_{len(books.stores) + 1:03d}", store_type, name, account.market.date, rules.opening_reputation)
    books.stores[store.id] = store
    books.trading.append(store)
    pay(books.purse, SETUP, rules.setup_fee)
    if account.journal is not None:
        account.journal.store_opened(account.market.day, store, rules.setup_fee)
    return store


def close_store(account: Account, store: Store) -> dict[str, int]:
    """Close a store and free its shelf; lots keep their age. Pending orders may still ship."""
    shelf = _shut(account, store)
    if account.journal is not None:
        account.journal.store_closed(account.market.day, store, {})
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
        account.journal.store_closed(account.market.day, store, sold_off)
    store.shelf.clear()
    return sold_off


def _shut(account: Account, store: Store) -> dict[str, int]:
    """End the trade of a store; what is on its shelf is still to be cleared."""
    store.is_open = False
    account.books.trading.remove(store)
    return {sku: listing.quantity for sku, listing in store.shelf.items() if listing.quantity}


def operating_cost(store: Store, listings: int, rules: Rules) -> float:
    """What a day of a store costs with a given number of listings that have units."""
    return rules.operating_cost[store.type.tier] + rules.listing_fee * listings


def rebuild_reputation(stores: list[Store], rules: Rules) -> None:
    """Set the reputation of each store; its counters decay after they were read."""
    decay = rules.counter_decay
    for store in stores:
        sold, returned, cancelled = store.recent_sold, store.recent_returned, store.recent_cancelled
        store.reputation = standing(store.shipped, sold, returned, cancelled, rules)
        store.recent_sold = sold * decay
        store.recent_returned = returned * decay
        store.recent_cancelled = cancelled * decay


def standing(shipped: float, sold: float, returned: float, cancelled: float, rules: Rules) -> float:
    """Volume goodwill less the service penalty, between the floor and 1 (eq:app_reputation)."""
    volume = exp((rules.goodwill_midpoint - shipped) / rules.goodwill_scale)
    goodwill = rules.goodwill_base + rules.goodwill_span / (1.0 + volume)
    failures = rules.return_weight * returned + rules.cancel_weight * cancelled
    # Comparisons, since the builtin functions `min` and `max` would take 2% of a replayed year.
    penalty = failures / sold if sold > 1.0 else failures
    earned = goodwill - (penalty if penalty < rules.penalty_cap else rules.penalty_cap)
    if earned < rules.reputation_floor:
        return rules.reputation_floor
    return earned if earned < 1.0 else 1.0


@dataclass(slots=True)
class DayLine:
    """What one SKU sold yesterday, and what came back and was paid for it since."""

    sold: int = 0
    revenue: float = 0.0
    returned: int = 0
    refunds: float = 0.0
    freight: float = 0.0


def day_lines(store: Store) -> dict[str, DayLine]:
    """By SKU. Sales open the lines, returns join them or open their own, freight joins a line that stands by then.

    The lines of a closed store are never reset: returns and freight of later days add up in them.
    """
    lines: dict[str, DayLine] = {}
    for goods in store.sold_yesterday.goods:
        lines[goods.product.sku] = DayLine(sold=goods.quantity, revenue=goods.gross)
    for moved in store.moved:
        if isinstance(moved, PendingReturn):
            line = lines.setdefault(moved.goods.product.sku, DayLine())
            line.returned += moved.quantity
            line.refunds += moved.goods.unit_price * moved.quantity
        elif (known := lines.get(moved.goods.product.sku)) is not None:
            known.freight += moved.freight
    return lines
