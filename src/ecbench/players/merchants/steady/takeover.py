"""The first look at the business: a year that has just begun, or one that somebody else has run until today.

Stores that stand open are taken over with their shelves and prices. Their trades are as unknown as any other, so they
are read up on and tried like new ones, only first. What suppliers have delivered so far was ordered by somebody else
and says nothing about them.
"""

import datetime as dt

from ecbench.players.merchants.protocol import Errand, call
from ecbench.players.merchants.replies import count, number, rows, share, text
from ecbench.players.merchants.steady.deliveries import check_deliveries
from ecbench.players.merchants.steady.errands import ask
from ecbench.players.merchants.steady.notebook import Notebook, Trade


def take_stock(book: Notebook) -> Errand[None]:
    """What day it is, what is in the bank, and which stores stand open already."""
    balance, status = yield from ask(book, call("check_balance"), call("check_store_status"))
    book.bank = number(balance, "bank_balance")
    book.escrow = number(balance, "pending_settlement")
    book.joined = count(balance, "day")
    book.start = book.date - dt.timedelta(days=book.joined)
    for row in rows(status, "stores"):
        trade = book.trades.get(text(row, "store_type"))
        if trade is not None and row.get("is_open") is True:
            yield from take_over(book, trade, text(row, "store_id"))
    if book.joined > 0:
        yield from check_deliveries(book)


def take_over(book: Notebook, trade: Trade, store: str) -> Errand[None]:
    """A store opened by somebody else: its shelf, at the prices it has."""
    (detail,) = yield from ask(book, call("check_store_status", store_id=store))
    trade.store, trade.taken_over = store, True
    trade.reputation = share(detail, "reputation", trade.reputation) or trade.reputation
    for row in rows(detail, "products"):
        item, units = book.goods.get(text(row, "product_id")), count(row, "quantity")
        if item is not None and units > 0:
            book.shelf[item.sku] = units
            book.ratios[item.sku] = round(number(row, "retail_price") / item.reference, 3)
