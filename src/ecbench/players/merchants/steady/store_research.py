"""Research: all store types, goods and suppliers at once, the categories of a store type when it is considered.

Each store type is tried with a ladder of prices on cheap goods before real money goes in, those taken over first.
"""

import datetime as dt
import re

from ecbench.players.merchants.protocol import Reply, Routine, call
from ecbench.players.merchants.steady.buying import LAST_ORDERS, check_deliveries
from ecbench.players.merchants.steady.estimates import DemandEstimate
from ecbench.players.merchants.steady.haggling import MESSAGE_MINUTES, first_contact, new_sources
from ecbench.players.merchants.steady.planning import SLOTS, TRIALS, trial_slots, types_to_keep
from ecbench.players.merchants.steady.selling import LADDER
from ecbench.players.merchants.steady.state import (
    LineGoods,
    MerchantState,
    ShelfLine,
    Source,
    StoreTypeView,
    ask,
    ask_one,
    begin,
    send_posted,
)
from ecbench.sums import ordered_sum

LOOKUP_MINUTES = 30
MOST_LINES = 5  # of a store type: the categories with the most money in them
FIRST_GUESS = {"low": 0.88, "moderate": 0.70, "high": 0.45}  # cost over reference by the label of the margin
LINE_BUDGET = 900.0
MOST_UNITS = 20  # of one product
DEAR_RUNG = 1.6  # few will sell at this price or above
TRIAL_CASH = 15_000.0
LONGEST_WAIT = 15  # days for trial goods
NEW_REPUTATION = 0.35  # after a first morning without sales


def survey(state: MerchantState) -> Routine[None]:
    """Who sells what: three calls show all store types, all goods and all suppliers."""
    overview, catalog, directory = yield from ask(
        state, call("market_search"), call("list_products"), call("supplier_search")
    )
    found: dict[str, list[Reply]] = {}
    for row in catalog["results"]:
        found.setdefault(row["category"], []).append(row)
    shelves: dict[str, ShelfLine] = {}
    for line, rows in found.items():
        rows.sort(key=lambda row: -row["reference_price"])
        goods = [LineGoods(row["product_id"], line, row["reference_price"], rank) for rank, row in enumerate(rows)]
        shelves[line] = ShelfLine(line, goods)
        state.goods |= {item.sku: item for item in goods}
    for row in overview["store_types"]:
        names = row["subcategories"]
        lines = {name: shelves[name] for name in names if name in shelves}
        if lines:
            state.store_types[row["store_type"]] = StoreTypeView(
                id=row["store_type"],
                name=row["store_name"],
                daily_cost=row["daily_ops_cost"],
                season=[max(1.0, index) / 100 for index in row["monthly_sales_index"]],
                lines=lines,
                demand=DemandEstimate(len(names)),
            )
            state.lines |= lines
    for row in directory["results"]:
        for name in row["categories_served"]:
            if name in state.lines:
                state.lines[name].sources.append(Source(row["supplier_name"], row["supplier_email"]))


def research_store_type(state: MerchantState, store_type: StoreTypeView) -> Routine[None]:
    """What each category of a store type sells, and which of them have enough money in them to try."""
    names = list(store_type.lines)
    replies = yield from ask(state, *(call("market_search", category=name) for name in names))
    for name, reply in zip(names, replies, strict=True):
        detail, line = reply["detail"], store_type.lines[name]
        line.market = monthly_sales(detail["typical_monthly_sales_range"]) / 30
        line.freight, line.storage = detail["shipping_cost_per_unit"], detail["storage_cost_per_unit_per_day"]
        line.cost = FIRST_GUESS[detail["typical_gross_margin"]]
    worth = sorted(store_type.lines.values(), key=lambda line: -line.market * line.dearest * (1 - line.cost))
    for line in worth[:MOST_LINES]:
        line.tried = line.market > 0
    store_type.researched = True


def monthly_sales(range_text: str) -> float:
    """The middle of a range such as '1,000 to 3,000 units platform-wide'."""
    figures = [float(figure.replace(",", "")) for figure in re.findall(r"\d[\d,]*(?:\.\d+)?", range_text)]
    return ordered_sum(figures[:2]) / len(figures[:2]) if figures else 0.0


def read_business(state: MerchantState) -> Routine[None]:
    """What day it is, what is in the bank, and which stores stand open already."""
    balance, status = yield from ask(state, call("check_balance"), call("check_store_status"))
    state.bank, state.escrow, state.joined = (balance[name] for name in ("bank_balance", "pending_settlement", "day"))
    state.start = state.date - dt.timedelta(days=state.joined)
    for row in status["stores"]:
        if row["is_open"]:  # it is taken over with its shelf, at the prices that it has
            store_type = state.store_types[row["store_type"]]
            detail = yield from ask_one(state, "check_store_status", store_id=row["store_id"])
            store_type.store, store_type.taken_over = row["store_id"], True
            store_type.reputation = detail["reputation"] or store_type.reputation
            for listing in [each for each in detail["products"] if each["quantity"]]:
                item = state.goods[listing["product_id"]]
                state.shelf[item.sku] = listing["quantity"]
                state.ratios[item.sku] = round(listing["retail_price"] / item.reference, 3)
    if state.joined > 0:
        yield from check_deliveries(state)


def trial_wants(line: ShelfLine) -> dict[str, int]:
    """The cheapest goods show the same response to prices as the dear ones."""
    wants = {}
    for item in line.goods[-len(LADDER) :]:
        rung = LADDER[item.rank % len(LADDER)]
        units = LINE_BUDGET / len(LADDER) / (line.cost * item.reference)
        wants[item.sku] = int(min(MOST_UNITS, max(2, units)) if rung < DEAR_RUNG else 2)
    return wants


def next_trial(state: MerchantState) -> StoreTypeView | None:
    """A store that was taken over, a trial that is under way, else the next store type, the cheapest to run first."""

    def haste(store_type: StoreTypeView) -> tuple[bool, bool]:
        return not store_type.taken_over, store_type.researched == store_type.taken_over

    by_price = sorted(state.store_types.values(), key=lambda each: -max(line.dearest for line in each.lines.values()))
    cheapest = sorted(by_price, key=lambda store_type: store_type.daily_cost)[:SLOTS]
    in_line = cheapest + [store_type for store_type in by_price if store_type not in cheapest]
    return min((each for each in in_line if each.ordered_on is None), key=haste, default=None)


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
            # Until a supplier has sold something of it, or all have been asked.
            while line.tried and not any(source.orders for source in line.sources) and new_sources(line):
                if not state.has_time_for(3 * MESSAGE_MINUTES):
                    return
                begin(state, first_contact(state, line, trial_wants(line)))
                yield from send_posted(state)
        store_type.ordered_on = state.date


def may_try(state: MerchantState, store_type: StoreTypeView) -> bool:
    """A store that was taken over costs money every day and is looked into at once; a new one needs time to pay."""
    if store_type.taken_over:
        return not store_type.researched or (state.days_left > LAST_ORDERS and state.bank > TRIAL_CASH)
    untried = [each for each in state.store_types.values() if not each.known and each.store is None]
    awaited = [t for t in untried if t.ordered_on is not None and (state.date - t.ordered_on).days < LONGEST_WAIT]
    slots = trial_slots(state) if state.open_types else SLOTS
    return state.day < TRIALS * state.days and len(awaited) < slots and state.bank > TRIAL_CASH


def open_and_close_stores(state: MerchantState) -> Routine[None]:
    """Open what waits for its trial, and let the best four trade."""
    for store_type in newcomers(state):
        yield from send_posted(state)
        if len(state.open_types) >= state.slots:
            kept = types_to_keep(state)
            others = [each for each in state.open_types if each.potential is not None and each not in kept]
            if not others:
                continue
            yield from close(state, min(others, key=lambda each: each.potential or 0.0))
        name = f"{store_type.name} Corner"
        reply = yield from ask_one(state, "open_store", store_type=store_type.id, store_name=name)
        if reply.get("success") is True:
            store_type.store, store_type.reputation = reply["store_id"], NEW_REPUTATION


def newcomers(state: MerchantState) -> list[StoreTypeView]:
    """Store types whose trial goods are in, then known ones that should have a store."""
    arrived = {state.goods[sku].line for sku, units in state.free.items() if units > 0}
    untried = [each for each in state.store_types.values() if each.researched and not each.known]
    trials = [each for each in untried if each.store is None and not arrived.isdisjoint(each.lines)]
    kept = types_to_keep(state) if state.day < state.changes * state.days else []
    return trials + [each for each in kept if not each.store]


def close(state: MerchantState, store_type: StoreTypeView) -> Routine[None]:
    """Sell everything off, the goods in the warehouse too: no other store could sell them, and they cost storage."""
    plan = [
        {"product_id": sku, "quantity": units, "retail_price": state.goods[sku].reference}
        for sku, units in state.free.items()
        if units > 0 and state.goods[sku].line in store_type.lines
    ]
    if plan:  # only what stands on a shelf can be sold off with it
        reply = yield from ask_one(state, "publish_to_store", store_id=store_type.store, plan=plan)
        for row in reply.get("results", ()):
            if row["success"]:
                state.free.pop(row["product_id"])
    reply = yield from ask_one(state, "close_store", store_id=store_type.store, liquidate=True)
    if reply.get("success") is True:
        store_type.store, store_type.taken_over = None, False
        state.bank = reply["bank_balance"]
        others = state.shelf.items()
        state.shelf = {sku: units for sku, units in others if state.goods[sku].line not in store_type.lines}
