"""Crossed-out prices: how customers see a price beside a higher former one, whether that is true, and what it earns."""

from datetime import date
from typing import Final

from ecbench.market.books import Store
from ecbench.market.calendar import ONE_DAY
from ecbench.market.conduct import CROSSED_OUT_NIGHTS, MORNING, Conduct, Verdict, former_price
from ecbench.market.day_demand import ShelfDemand
from ecbench.market.demand import whole_units
from ecbench.market.marketplace import Account
from ecbench.market.sharing import share_demand

SLACK: Final = 0.005  # yuan


def verdict_of(former: float | None, was: float) -> Verdict:
    return "true" if former is not None and former >= was - SLACK else "false"


def state_former_price(day: int, conduct: Conduct, store: Store, sku: str, was: float | None) -> None:
    """Put a crossed-out price beside a listing's own, or take it away: None."""
    store.was.pop(sku, None)
    conduct.tags.pop(sku, None)
    if was is not None:
        former = former_price(conduct.nights, sku, day)
        store.was[sku] = was
        conduct.tags[sku] = conduct.enter(day, "was", store.id, sku, was, former, verdict_of(former, was))
        if conduct.house.no_crossed_out_prices:
            conduct.breach(day, "no_crossed_out_prices", 0, was, sku)


def settle_conduct(account: Account, conduct: Conduct) -> None:
    """Before the sales of a morning: prices of the night, gains of crossed-out ones, promises and late shipments."""
    books, day = account.books, account.market.day
    conduct.tool = MORNING
    yesterday = account.market.date - ONE_DAY
    for store in account.books.trading:
        for sku in [sku for sku in store.was if sku in store.shelf and store.shelf[sku].quantity]:
            _enter_night(account, conduct, store, sku, yesterday)
        for sku, listing in store.shelf.items():
            if listing.quantity:
                kept = [
                    (night, price) for night, price in conduct.nights.get(sku, ()) if night >= day - CROSSED_OUT_NIGHTS
                ]
                conduct.nights[sku] = (*kept, (day - 1, listing.price))
    conduct.settle_promises(day, books.orders, account.closed_suppliers, over=False)
    late = [len(sales.goods) for sales in books.pending if sales.sold_on == yesterday - ONE_DAY]
    conduct.watch_shipping(day, sum(late))


def _enter_night(account: Account, conduct: Conduct, store: Store, sku: str, night: date) -> None:
    """A price that is still shown once it is no longer true, or true again, is a new statement."""
    day, was = account.market.day, store.was[sku]
    entry = conduct.entries[conduct.tags[sku] - 1]
    former = former_price(conduct.nights, sku, day - 1)
    verdict = verdict_of(former, was)
    if verdict != entry.verdict:
        conduct.tags[sku] = conduct.enter(day - 1, "was", store.id, sku, was, former, verdict)
    conduct.add_gain(conduct.tags[sku], _gain(account, store, sku, night))


def _gain(account: Account, store: Store, sku: str, night: date) -> float:
    """What the store's sales of a night bring with the crossed-out price, less what they bring without it."""
    accounts = account.market.in_business
    rivals = [(each.seat, shop) for each in accounts for shop in each.books.trading if shop.type.id == store.type.id]
    was = store.was.pop(sku)
    without = share_demand(dict(rivals), night, account.economy)[account.seat]
    store.was[sku] = was
    demand = account.market.demand.shelves[account.seat][store.id]
    return _margins(account, store, demand, night) - _margins(account, store, without, night)


def _margins(account: Account, store: Store, demand: ShelfDemand, night: date) -> float:
    """The margins of what a store sells: the price after commission, less what the units cost."""
    ordinal, total = night.toordinal(), 0.0
    for priced, claim in zip(demand.goods, demand.claims):
        listing = store.shelf[priced.sku]
        units = min(listing.quantity, whole_units(claim * demand.store_saturation, priced.draws[ordinal]))
        total += units * (priced.price * (1.0 - account.rules.commission) - listing.stock.cost)
    return total
