"""Trials of store types: each is tried with a ladder of prices on cheap goods before real money goes in."""

from ecbench.players.merchants.protocol import Routine
from ecbench.players.merchants.replies import number, text
from ecbench.players.merchants.steady.haggling import MESSAGE_MINUTES, first_contact
from ecbench.players.merchants.steady.list_prices import LADDER
from ecbench.players.merchants.steady.market_research import LOOKUP_MINUTES, by_dearest_goods, research_store_type
from ecbench.players.merchants.steady.merchant_state import (
    MerchantState,
    ShelfLine,
    StoreTypeView,
    ask_one,
    begin,
    send_posted,
)
from ecbench.players.merchants.steady.planning import SLOTS, TRIALS, trial_slots, types_to_keep
from ecbench.players.merchants.steady.restocking import LAST_ORDERS

LINE_BUDGET = 900.0
MOST_UNITS = 20  # of one product
DEAR_RUNG = 1.6  # few will sell at this price or above
TRIAL_CASH = 15_000.0
LONGEST_WAIT = 15  # days for trial goods
NEW_REPUTATION = 0.35  # after a first morning without sales


def trial_wants(line: ShelfLine) -> dict[str, int]:
    """The cheapest goods show the same response to prices as the dear ones."""
    wants = {}
    for item in line.goods[-len(LADDER) :]:
        rung = LADDER[item.place % len(LADDER)]
        units = LINE_BUDGET / len(LADDER) / (line.cost * item.reference)
        wants[item.sku] = int(min(MOST_UNITS, max(2, units)) if rung < DEAR_RUNG else 2)
    return wants


def in_order_of_trial(state: MerchantState) -> list[StoreTypeView]:
    """The stores that cost least to run come first, while money is scarce; then those with the dearest goods."""
    by_price = by_dearest_goods(state)
    first = sorted(by_price, key=lambda store_type: store_type.daily_cost)[:SLOTS]
    return first + [store_type for store_type in by_price if store_type not in first]


def next_trial(state: MerchantState) -> StoreTypeView | None:
    """A store that was taken over, a trial that is under way, else the next store type in line."""
    if all(store_type.ordered_on is not None for store_type in state.store_types.values()):
        return None
    fresh = [t for t in in_order_of_trial(state) if t.ordered_on is None]
    taken_over = sorted((t for t in fresh if t.taken_over), key=lambda store_type: store_type.researched)
    begun = [t for t in fresh if t.researched]
    return next(iter(taken_over + begun + fresh), None)


def order_trial_goods(state: MerchantState) -> Routine[None]:
    """Read up on the next store type and order its trial goods, as far as the day goes."""
    while True:
        store_type = next_trial(state)
        if store_type is None:
            return
        yield from send_posted(state)
        if not may_try(state, store_type):
            return
        if not store_type.researched:
            if state.open_types and not state.has_time_for(LOOKUP_MINUTES * len(store_type.lines)):
                return
            yield from research_store_type(state, store_type)
            continue
        for line in store_type.lines.values():
            while needs_trial(line):
                if not state.has_time_for(3 * MESSAGE_MINUTES):
                    return
                begin(state, first_contact(state, line, trial_wants(line)))
                yield from send_posted(state)
        store_type.ordered_on = state.date


def may_try(state: MerchantState, store_type: StoreTypeView) -> bool:
    """A store that was taken over costs money every day and is looked into at once; a new one needs time to pay."""
    if store_type.taken_over and not store_type.researched:
        return True
    in_time = (
        state.days_left > LAST_ORDERS if store_type.taken_over else state.day < TRIALS * state.days and has_room(state)
    )
    return in_time and state.bank > TRIAL_CASH


def has_room(state: MerchantState) -> bool:
    """As many trials wait for their goods as there are stores for them."""
    untried = [
        store_type for store_type in state.store_types.values() if not store_type.known and store_type.store is None
    ]
    awaited = [t for t in untried if t.ordered_on is not None and (state.date - t.ordered_on).days < LONGEST_WAIT]
    return len(awaited) < (trial_slots(state) if state.open_types else SLOTS)


def needs_trial(line: ShelfLine) -> bool:
    """No supplier has sold us anything of it yet, and some have not been asked."""
    bought = any(source.orders for source in line.sources)
    return line.tried and not bought and any(not s.contacted and not s.dropped for s in line.sources)


def open_and_close_stores(state: MerchantState) -> Routine[None]:
    """Open what waits for its trial, and let the best four trade."""
    for store_type in newcomers(state):
        yield from send_posted(state)
        if len(state.open_types) >= state.slots:
            worst = _replaceable(state)
            if worst is None:
                continue
            yield from close(state, worst)
        reply = yield from ask_one(
            state, "open_store", store_type=store_type.id, store_name=f"{store_type.name} Corner"
        )
        if reply.get("success") is True:
            store_type.store, store_type.reputation = text(reply, "store_id"), NEW_REPUTATION


def newcomers(state: MerchantState) -> list[StoreTypeView]:
    """Store types whose trial goods are in, then known ones that should have a store."""
    idle = [store_type for store_type in state.store_types.values() if store_type.store is None]
    trials = [
        store_type
        for store_type in idle
        if store_type.researched and not store_type.known and _goods_in(state, store_type)
    ]
    return trials + [
        store_type
        for store_type in types_to_keep(state)
        if not store_type.store and state.day < state.changes * state.days
    ]


def _goods_in(state: MerchantState, store_type: StoreTypeView) -> bool:
    return any(units > 0 and state.goods[sku].line in store_type.lines for sku, units in state.free.items())


def _replaceable(state: MerchantState) -> StoreTypeView | None:
    """The weakest of the tried store types that are not to be kept."""
    kept = types_to_keep(state)
    others = [
        store_type for store_type in state.open_types if store_type.potential is not None and store_type not in kept
    ]
    return min(others, key=lambda store_type: store_type.potential or 0.0, default=None)


def _shelve_leftovers(state: MerchantState, store_type: StoreTypeView) -> Routine[None]:
    """Only what stands on a shelf can be sold off with it."""
    plan = [
        {"product_id": sku, "quantity": units, "retail_price": state.goods[sku].reference}
        for sku, units in state.free.items()
        if units > 0 and state.goods[sku].line in store_type.lines
    ]
    if plan:
        reply = yield from ask_one(state, "publish_to_store", store_id=store_type.store, plan=plan)
        if "error" not in reply:
            for entry in plan:
                state.free.pop(str(entry["product_id"]))


def close(state: MerchantState, store_type: StoreTypeView) -> Routine[None]:
    """Sell everything off, the goods in the warehouse too: no other store could sell them, and they cost storage."""
    yield from _shelve_leftovers(state, store_type)
    reply = yield from ask_one(state, "close_store", store_id=store_type.store, liquidate=True)
    if reply.get("success") is True:
        store_type.store, store_type.taken_over = None, False
        state.bank = number(reply, "bank_balance", state.bank)
        state.shelf = {
            sku: units for sku, units in state.shelf.items() if state.goods[sku].line not in store_type.lines
        }
