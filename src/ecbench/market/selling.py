"""A store's sales of one day: demand in fractions becomes whole units that leave the shelf and wait to be sent."""

from datetime import date

from ecbench.market.books import Books, DaySales, Store
from ecbench.market.demand import Offer, wishes
from ecbench.market.stock import take_oldest
from ecbench.market.year import Market
from ecbench.sums import added


def sell(books: Books, store: Store, day: date, offer: Offer, market: Market) -> None:
    """In the order in which the SKUs were first listed; each SKU's sales become one order that waits for shipping.

    Whole units, at most the shelf. The last fraction is rounded by a draw that the order of calls cannot change
    (eq:app_round).
    """
    capacity, ordinal = market.capacities[store.type.id].store, day.toordinal()
    wished = wishes(store, day, offer, market)
    store_share = capacity / (capacity + added(wished))  # the store saturates, too (eq:app_saturation)
    charged, number, total = 1.0 - offer.discount, books.shipment_count, 0
    orders = store.sold_yesterday = {}
    for listing, wish in zip(store.shelf.values(), wished):
        wanted = wish * store_share
        units, held, appeal = int(wanted), listing.quantity, listing.appeal
        if units >= held:
            units = held
        elif (appeal.draws.get(ordinal) or appeal.draws[ordinal]) < wanted - units:
            units += 1
        if not units:
            continue
        stock = listing.stock
        listing.quantity = held - units
        stock.sold += units
        oldest = stock.lots[0]
        if units < oldest.quantity:  # take_oldest for the common case of one lot
            oldest.quantity -= units
        else:
            take_oldest(stock, units)
        total += units
        number += 1
        sale = (units, charged * listing.price, stock.defective_share)
        orders[number] = appeal.sales.get(sale) or appeal.sales[sale]
    if total:
        books.pending.append(DaySales(store.id, day, total, orders))
        books.shipment_count = number
        books.units -= total
        store.recent_sold += total
