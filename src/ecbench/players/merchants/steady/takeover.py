"""Read the state of the business at the start: of a new year, or of one that another merchant has run until today.

Stores that stand open are taken over with their shelves and prices. Their trades are as unknown as any other, so they
are researched and tried like new ones, only first. Earlier deliveries were ordered by the merchant before and say
nothing about the suppliers.
"""

import datetime as dt

from ecbench.players.merchants.protocol import Routine, call
from ecbench.players.merchants.replies import count, number, rows, share, text
from ecbench.players.merchants.steady.deliveries import check_deliveries
from ecbench.players.merchants.steady.merchant_state import MerchantState, Trade, ask


def read_business(state: MerchantState) -> Routine[None]:
    """What day it is, what is in the bank, and which stores stand open already."""
    balance, status = yield from ask(state, call("check_balance"), call("check_store_status"))
    state.bank = number(balance, "bank_balance")
    state.escrow = number(balance, "pending_settlement")
    state.joined = count(balance, "day")
    state.start = state.date - dt.timedelta(days=state.joined)
    for row in rows(status, "stores"):
        trade = state.trades.get(text(row, "store_type"))
        if trade is not None and row.get("is_open") is True:
            yield from take_over(state, trade, text(row, "store_id"))
    if state.joined > 0:
        yield from check_deliveries(state)


def take_over(state: MerchantState, trade: Trade, store: str) -> Routine[None]:
    """Take over an open store: its shelf, at the prices it has."""
    (detail,) = yield from ask(state, call("check_store_status", store_id=store))
    trade.store, trade.taken_over = store, True
    trade.reputation = share(detail, "reputation", trade.reputation) or trade.reputation
    for row in rows(detail, "products"):
        item, units = state.goods.get(text(row, "product_id")), count(row, "quantity")
        if item is not None and units > 0:
            state.shelf[item.sku] = units
            state.ratios[item.sku] = round(number(row, "retail_price") / item.reference, 3)
