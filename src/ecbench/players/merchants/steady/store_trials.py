"""Trials of store types: each is tried with a ladder of prices on cheap goods before real money goes in."""

from ecbench.players.merchants.protocol import Routine
from ecbench.players.merchants.replies import number, text
from ecbench.players.merchants.steady.haggling import MESSAGE_MINUTES, first_contact
from ecbench.players.merchants.steady.list_prices import LADDER
from ecbench.players.merchants.steady.market_research import LOOKUP_MINUTES, by_dearest_goods, research_trade
from ecbench.players.merchants.steady.merchant_state import MerchantState, Trade, TradeLine, ask_one, begin, send_posted
from ecbench.players.merchants.steady.planning import SLOTS, TRIALS, trades_to_keep, trial_slots
from ecbench.players.merchants.steady.restocking import LAST_ORDERS

LINE_BUDGET = 900.0
MOST_UNITS = 20  # of one product
DEAR_RUNG = 1.6  # few will sell at this price or above
TRIAL_CASH = 15_000.0
LONGEST_WAIT = 15  # days for trial goods
NEW_REPUTATION = 0.35  # after a first morning without sales


def trial_wants(line: TradeLine) -> dict[str, int]:
    """The cheapest goods show the same response to prices as the dear ones."""
    wants = {}
    for item in line.goods[-len(LADDER) :]:
        rung = LADDER[item.place % len(LADDER)]
        units = LINE_BUDGET / len(LADDER) / (line.cost * item.reference)
        wants[item.sku] = int(min(MOST_UNITS, max(2, units)) if rung < DEAR_RUNG else 2)
    return wants


def in_order_of_trial(state: MerchantState) -> list[Trade]:
    """The stores that cost least to run come first, while money is scarce; then those with the dearest goods."""
    by_price = by_dearest_goods(state)
    first = sorted(by_price, key=lambda trade: trade.daily_cost)[:SLOTS]
    return first + [trade for trade in by_price if trade not in first]


def next_trial(state: MerchantState) -> Trade | None:
    """A store that was taken over, a trial that is under way, else the next trade in line."""
    if all(trade.ordered_on is not None for trade in state.trades.values()):
        return None
    fresh = [t for t in in_order_of_trial(state) if t.ordered_on is None]
    taken_over = sorted((t for t in fresh if t.taken_over), key=lambda trade: trade.researched)
    begun = [t for t in fresh if t.researched]
    return next(iter(taken_over + begun + fresh), None)


def order_trial_goods(state: MerchantState) -> Routine[None]:
    """Read up on the next trade and order its trial goods, as far as the day goes."""
    while True:
        trade = next_trial(state)
        if trade is None:
            return
        yield from send_posted(state)
        if not may_try(state, trade):
            return
        if not trade.researched:
            if state.open_trades and not state.has_time_for(LOOKUP_MINUTES * len(trade.lines)):
                return
            yield from research_trade(state, trade)
            continue
        for line in trade.lines.values():
            while needs_trial(line):
                if not state.has_time_for(3 * MESSAGE_MINUTES):
                    return
                begin(state, first_contact(state, line, trial_wants(line)))
                yield from send_posted(state)
        trade.ordered_on = state.date


def may_try(state: MerchantState, trade: Trade) -> bool:
    """A store that was taken over costs money every day and is looked into at once; a new trade needs time to pay."""
    if trade.taken_over and not trade.researched:
        return True
    in_time = state.days_left > LAST_ORDERS if trade.taken_over else state.day < TRIALS * state.days and has_room(state)
    return in_time and state.bank > TRIAL_CASH


def has_room(state: MerchantState) -> bool:
    """As many trials wait for their goods as there are stores for them."""
    untried = [trade for trade in state.trades.values() if not trade.known and trade.store is None]
    awaited = [t for t in untried if t.ordered_on is not None and (state.date - t.ordered_on).days < LONGEST_WAIT]
    return len(awaited) < (trial_slots(state) if state.open_trades else SLOTS)


def needs_trial(line: TradeLine) -> bool:
    """No supplier has sold us anything of it yet, and some have not been asked."""
    bought = any(source.orders for source in line.sources)
    return line.tried and not bought and any(not s.contacted and not s.dropped for s in line.sources)


def open_and_close_stores(state: MerchantState) -> Routine[None]:
    """Open what waits for its trial, and let the best four trade."""
    for trade in newcomers(state):
        yield from send_posted(state)
        if len(state.open_trades) >= state.slots:
            worst = _replaceable(state)
            if worst is None:
                continue
            yield from close(state, worst)
        reply = yield from ask_one(state, "open_store", store_type=trade.id, store_name=f"{trade.name} Corner")
        if reply.get("success") is True:
            trade.store, trade.reputation = text(reply, "store_id"), NEW_REPUTATION


def newcomers(state: MerchantState) -> list[Trade]:
    """Trades whose trial goods are in, then known ones that should have a store."""
    idle = [trade for trade in state.trades.values() if trade.store is None]
    trials = [trade for trade in idle if trade.researched and not trade.known and _goods_in(state, trade)]
    return trials + [
        trade for trade in trades_to_keep(state) if not trade.store and state.day < state.changes * state.days
    ]


def _goods_in(state: MerchantState, trade: Trade) -> bool:
    return any(units > 0 and state.goods[sku].line in trade.lines for sku, units in state.free.items())


def _replaceable(state: MerchantState) -> Trade | None:
    """The weakest of the tried trades that are not to be kept."""
    kept = trades_to_keep(state)
    others = [trade for trade in state.open_trades if trade.potential is not None and trade not in kept]
    return min(others, key=lambda trade: trade.potential or 0.0, default=None)


def _shelve_leftovers(state: MerchantState, trade: Trade) -> Routine[None]:
    """Only what stands on a shelf can be sold off with it."""
    plan = [
        {"product_id": sku, "quantity": units, "retail_price": state.goods[sku].reference}
        for sku, units in state.free.items()
        if units > 0 and state.goods[sku].line in trade.lines
    ]
    if plan:
        reply = yield from ask_one(state, "publish_to_store", store_id=trade.store, plan=plan)
        if "error" not in reply:
            for entry in plan:
                state.free.pop(str(entry["product_id"]))


def close(state: MerchantState, trade: Trade) -> Routine[None]:
    """Sell everything off, the goods in the warehouse too: no other store could sell them, and they cost storage."""
    yield from _shelve_leftovers(state, trade)
    reply = yield from ask_one(state, "close_store", store_id=trade.store, liquidate=True)
    if reply.get("success") is True:
        trade.store, trade.taken_over = None, False
        state.bank = number(reply, "bank_balance", state.bank)
        state.shelf = {sku: units for sku, units in state.shelf.items() if state.goods[sku].line not in trade.lines}
