"""Buying: find what the shelves lack, order it from the suppliers that sell it best, and check what they deliver."""

from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from ecbench.market.calendar import WEEK
from ecbench.players.merchants.protocol import Reply, Routine
from ecbench.players.merchants.steady.haggling import (
    CLOSING_LETTERS,
    MESSAGE_MINUTES,
    PlannedOrder,
    haggle,
    usable_sources,
)
from ecbench.players.merchants.steady.planning import (
    COMMISSION,
    HURDLES,
    LEAD_DAYS,
    SCARCE,
    cover_days,
    returned_share,
    sells_whole_orders,
    tried_lines,
    types_to_keep,
)
from ecbench.players.merchants.steady.state import (
    LineGoods,
    MerchantState,
    ShelfLine,
    Source,
    Talk,
    ask,
    ask_one,
    begin,
    send_posted,
)
from ecbench.sums import ordered_sum

SHORTAGE = 0.6  # of a line's target stock that must be missing before a supplier is bothered
STARVED = 0.2  # of the target stock, below which the next order cannot wait
LAST_ORDERS = 14  # days left: later goods would not be sold and shipped in time
SMALL_ORDER = 4_000.0  # to a supplier that has not delivered yet
UNPROVEN_SHARE, CHECKED_SHARE = 0.05, 0.6  # of the bank, at once, to suppliers that are not yet proven
PROVEN_ORDERS = 4
RESERVE, RESERVE_DAYS = 2_000.0, 6  # kept in the bank: an amount, and as many days of freight and operations
REST = 0.25  # of the worth of a need: as much that a supplier cannot deliver is worth a letter to the next one
MOST_MORE = 2.5  # times what is needed, to fill the order of a supplier that takes few
PLENTY = 0.15  # the hurdle below which money is plenty
LEAST_BUDGET = 500.0  # below which no letter is worth its half hour
ROUNDS, DEAR_ROUNDS = 2, 3  # of patience
WHOLE_ROUNDS = 6  # before all that a supplier has left is ordered at once
DEAR = 0.6  # cost over reference from which another round of bargaining pays
BLAME_SHARE = 0.5  # of a product's deliveries: enough to answer for its returns
ALARM_SALES = 15
RETURN_DAYS = 8  # after which most of what comes back has come
EARLY_RETURNS = 0.4  # share of it that comes sooner
NATURAL_RATE = "natural_baseline_return_rate"  # the share that comes back of sound goods at a fair price


class Need(NamedTuple):
    line: ShelfLine
    wants: dict[str, int]
    cost: float
    value: float  # what the missing units would earn for each yuan


def restock_needs(state: MerchantState) -> list[Need]:
    found: list[Need] = []
    cover, today = cover_days(state), state.day
    pause, days = cover / 2, min(LEAD_DAYS + cover, state.days_left - LEAD_DAYS)
    for store_type in types_to_keep(state):
        if store_type.store:
            for line in tried_lines(store_type):
                rest = today - line.ordered_on  # suppliers limit the number of orders: large ones are better
                due = rest >= pause or sells_whole_orders(line)
                if line.listings and rest > 0:
                    found += missing_units(state, line, days, 1 - SHORTAGE if due else STARVED)
    return sorted(found, key=lambda need: -need.value)


def missing_units(state: MerchantState, line: ShelfLine, days: float, enough: float) -> list[Need]:
    """What the planned listings lack for a given number of days, or nothing if they hold more of it than is enough."""
    target = line.daily * days + 0.7
    carried = line.goods[: line.listings]
    asked = ordered_sum([target * item.reference for item in carried])
    held, wants = 0.0, {}
    for sku, _, reference, _ in carried:
        have = state.shelf.get(sku, 0) + state.free.get(sku, 0) + state.coming.get(sku, 0)
        held += min(have, target) * reference
        if held > enough * asked:
            return []  # the dearest goods come first, so this is often seen early
        if round(target - have) > 0:
            wants[sku] = round(target - have)
    margin = line.ratio * (1 - COMMISSION - line.returns) - line.cost * (1 - line.returns)
    return [Need(line, wants, goods_cost(state, line, wants), margin / max(0.05, line.cost))] if wants else []


def restock(state: MerchantState) -> Routine[None]:
    """The best use of money first, while money and daylight last."""
    if state.days_left <= LAST_ORDERS:
        return
    queue = restock_needs(state)
    if not queue:
        return
    yield from send_posted(state, "ship_orders")  # their freight is paid from the bank
    buying = Buying(RESERVE + RESERVE_DAYS * (state.freight + daily_charges(state)))
    while queue or buying.deals:
        while queue and may_begin(state, queue[0], buying):
            begin(state, fill_need(state, queue.pop(0), buying))
        if buying.deals:
            yield from ask(state)


@dataclass(slots=True)
class Buying:
    """The orders of one day."""

    reserve: float  # that stays in the bank
    asked: dict[str, list[Source]] = field(default_factory=dict)  # by line, who was written to
    deals: list[PlannedOrder] = field(default_factory=list)  # that are under way

    def budget(self, state: MerchantState) -> float:
        """What the orders that are under way leave."""
        spent = ordered_sum(goods_cost(state, deal.line, deal.wants) for deal in self.deals)
        return state.bank - self.reserve - state.idle_money - spent


def may_begin(state: MerchantState, need: Need, buying: Buying) -> bool:
    """An order may take all the money, so it waits for what those before it have cost; unless its supplier and theirs
    have said how much they deliver, and the day has time for all their letters."""
    if not buying.deals:
        return True
    source = pick_source(state, need.line, buying.asked.get(need.line.name, []))
    sources = [source, *(deal.source for deal in buying.deals)]
    if any(each is not None and each.supply is None for each in sources):
        return False
    letters = sum(deal.letters for deal in buying.deals) + rounds_of(need.line) + CLOSING_LETTERS
    return state.has_time_for((letters + 1) * MESSAGE_MINUTES)


def fill_need(state: MerchantState, need: Need | None, buying: Buying) -> Talk:
    """Order from one supplier after the other, while money and daylight last."""
    while need is not None:
        budget = buying.budget(state)
        line, before = need.line, buying.asked.setdefault(need.line.name, [])
        source = pick_source(state, line, before)
        if source is None or budget < LEAST_BUDGET or not state.has_time_for(2 * MESSAGE_MINUTES):
            return
        before.append(source)
        deal, coming = plan_order(state, need, source, budget), state.coming.copy()
        if deal.wants:
            line.ordered_on = state.day
            buying.deals.append(deal)
            yield from haggle(state, deal)
            buying.deals.remove(deal)
        need = None if source.supply is None else rest_of(state, need, coming)


def plan_order(state: MerchantState, need: Need, source: Source, budget: float) -> PlannedOrder:
    """What to order of a need from a supplier: large orders of one that takes few, small ones before it is proven."""
    line, wants, cost = need.line, need.wants, need.cost
    left, hurdle = supply_left(state, source), HURDLES[state.hurdle]
    more = 1.0 if left is None or hurdle >= PLENTY else min(MOST_MORE, left / sum(wants.values()))
    if more > 1.0:
        wants, cost = {sku: round(units * more) for sku, units in wants.items()}, more * cost
    limit = max(SMALL_ORDER, state.bank * UNPROVEN_SHARE)
    if source.checked:
        limit = state.bank * (1.0 if source.orders >= PROVEN_ORDERS else CHECKED_SHARE)
    limit = min(budget, limit)
    if cost > limit:
        wants = cut_to_budget(state, line, wants, limit / cost, limit)
    if left is not None and sum(wants.values()) > left:
        wants = dearest_units(state, wants, left)
    whole = source.order_limit > 0 and source.supply is not None and hurdle < SCARCE
    return PlannedOrder(line, source, wants, WHOLE_ROUNDS if whole else rounds_of(line), whole)


def rounds_of(line: ShelfLine) -> int:
    return DEAR_ROUNDS if line.cost > DEAR else ROUNDS


def goods_cost(state: MerchantState, line: ShelfLine, wants: dict[str, int]) -> float:
    return ordered_sum(state.goods[sku].reference * line.cost * units for sku, units in wants.items())


def rest_of(state: MerchantState, need: Need, coming: dict[str, int]) -> Need | None:
    """What one supplier could not deliver this week; None if that is little. `coming` was on its way before."""
    wants = {sku: units - state.coming.get(sku, 0) + coming.get(sku, 0) for sku, units in need.wants.items()}
    wants = {sku: units for sku, units in wants.items() if units > 0}
    cost = goods_cost(state, need.line, wants)
    return need._replace(wants=wants, cost=cost) if cost > REST * need.cost else None


def daily_charges(state: MerchantState) -> float:
    """What the stores and their listings cost a day, with what is on its way to them."""
    stores = ordered_sum(store_type.daily_cost for store_type in state.open_types)
    if not state.rules.listing_fee:
        return stores
    held = {sku for goods in (state.shelf, state.free, state.coming) for sku, units in goods.items() if units > 0}
    return stores + state.rules.listing_fee * len(held)


def supply_left(state: MerchantState, source: Source) -> int | None:
    """The units that a supplier still delivers this week; None: any number."""
    week = state.day // WEEK
    if source.week != week:
        source.week, source.taken = week, 0
    return None if source.supply is None else source.supply - source.taken


def dearest_units(state: MerchantState, wants: dict[str, int], left: int) -> dict[str, int]:
    """As many units of the dearest goods as a supplier still delivers: they gain most from a low floor."""
    kept = {}
    for sku in sorted(wants, key=lambda sku: -state.goods[sku].reference):
        units = min(wants[sku], left)
        left -= units
        if units:
            kept[sku] = units
    return kept


def pick_source(state: MerchantState, line: ShelfLine, asked: list[Source]) -> Source | None:
    """An unproven supplier that still owes a delivery has to deliver first, if there is another one."""
    fresh = [source for source in usable_sources(line) if source not in asked]
    candidates = [source for source in fresh if supply_left(state, source) != 0]
    settled = [source for source in candidates if source.checked or not any(source.owed.values())]
    return next(iter(settled + candidates), None)


def cut_to_budget(
    state: MerchantState, line: ShelfLine, wants: dict[str, int], share: float, limit: float
) -> dict[str, int]:
    """A share of everything, or single units of the dearest goods if that is nothing."""
    scaled = {sku: int(units * share) for sku, units in wants.items() if int(units * share) > 0}
    if scaled:
        return scaled
    kept, spent = {}, 0.0
    for sku in wants:
        spent += state.goods[sku].reference * line.cost
        if spent > limit:
            break
        kept[sku] = 1
    return kept


def check_deliveries(state: MerchantState) -> Routine[None]:
    """Drop suppliers that deliver short or defective goods; learn how much of each line comes back by nature."""
    reply = yield from ask_one(state, "trace_return_sources")
    traced = [(state.goods[row["product_id"]], row) for row in reply.get("products", ())]
    sources = {source.name: source for line in state.lines.values() for source in line.sources}
    records = compare_with_orders(state, traced, sources)
    rates: dict[str, list[float]] = {}
    for item, row in traced:
        rates.setdefault(item.line, []).append(row[NATURAL_RATE])
    for name, found in rates.items():
        state.lines[name].returns = ordered_sum(found) / len(found)
    for name, record in records.items():
        sources[name].dropped |= record.is_alarming()
    state.coming = {}
    for source in sources.values():
        for sku, quantities in source.owed.items():
            if quantities:
                state.coming[sku] = state.coming.get(sku, 0) + sum(quantities)


def compare_with_orders(
    state: MerchantState, traced: list[tuple[LineGoods, Reply]], sources: dict[str, Source]
) -> dict[str, "Record"]:
    """What came in against what was ordered; and by supplier, what came back against what its goods sold."""
    records: dict[str, Record] = {}
    settled, noted = settled_sales(state), dict[str, float]()
    for item, row in traced:
        sold, counted = row["units_sold"], settled.get(item.sku, 0.0)
        if sold > counted:  # units sold lately count in part: what comes back of them has yet to come
            counted += EARLY_RETURNS * (sold - counted)
        for part in row["supplier_sources"]:
            source, delivered = sources.get(part["supplier"]), part["units_delivered"]
            if source is None:
                continue
            if delivered > source.received.get(item.sku, 0):
                _receive(source, item.sku, delivered)
            if part["share"] >= BLAME_SHARE and not source.dropped:
                noted[item.sku] = sold
                record = records.setdefault(source.name, Record())
                record.sold += counted
                record.returned += row["units_returned"]
                ratio = state.lines[item.line].ratio
                record.expected += counted * returned_share(row[NATURAL_RATE], ratio, state.rules)
    state.recent_sales.append((state.day, noted))
    return records


@dataclass(slots=True)
class Record:
    """Sales of the products that mostly came from one supplier, and the returns that sound goods would have had."""

    sold: float = 0.0
    returned: float = 0.0
    expected: float = 0.0

    def is_alarming(self) -> bool:
        """Defective goods come back at least twice as often; price and freight alone stay below that."""
        return self.sold >= ALARM_SALES and self.returned > 1.6 * self.expected + 2 * sqrt(self.expected + 1)


def settled_sales(state: MerchantState) -> dict[str, float]:
    """What had sold of each SKU when most of what comes back today was sold: by the last trace before that."""
    while state.recent_sales and state.recent_sales[0][0] <= state.day - RETURN_DAYS:
        state.settled_sales |= state.recent_sales.pop(0)[1]
    return state.settled_sales


def _receive(source: Source, sku: str, delivered: int) -> None:
    """More has come from it than before."""
    arrived = delivered - source.received.get(sku, 0)
    source.received[sku] = delivered
    owed = source.owed.get(sku, [])
    if arrived > sum(owed):
        owed.clear()  # an order of the merchant before is among it, so it says nothing about ours
        return
    paid_off = subset_of(owed, arrived)
    if paid_off is None:
        source.dropped = True
        owed.clear()
        return
    source.checked = True
    for quantity in paid_off:
        owed.remove(quantity)


def subset_of(owed: list[int], arrived: int) -> tuple[int, ...] | None:
    """The orders that make up a delivery; None if no set of whole orders does, which means it came short."""
    for length in range(1, len(owed) + 1):
        for orders in combinations(owed[:8], length):
            if sum(orders) == arrived:
                return orders
    return None
