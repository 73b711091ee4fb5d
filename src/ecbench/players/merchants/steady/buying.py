"""Buying: find what the shelves lack, order it from the suppliers that sell it best, and check what they deliver."""

from dataclasses import dataclass, field
from itertools import accumulate, combinations
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
                # Each order may be all that a supplier has left for the week, so there is no need to save them up.
                due = rest >= pause or any(each.order_limit and each.supply is not None for each in line.sources)
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


def goods_cost(state: MerchantState, line: ShelfLine, wants: dict[str, int]) -> float:
    return ordered_sum(state.goods[sku].reference * line.cost * units for sku, units in wants.items())


def restock(state: MerchantState) -> Routine[None]:
    """The best use of money first, while money and daylight last."""
    queue = restock_needs(state) if state.days_left > LAST_ORDERS else []
    if not queue:
        return
    yield from send_posted(state, "ship_orders")  # their freight is paid from the bank
    charges = ordered_sum(store_type.daily_cost for store_type in state.open_types)
    if state.rules.listing_fee:
        held = {sku for goods in (state.shelf, state.free, state.coming) for sku, units in goods.items() if units > 0}
        charges += state.rules.listing_fee * len(held)
    buying = Buying(state, RESERVE + RESERVE_DAYS * (state.freight + charges))
    while queue or buying.deals:
        while queue and buying.may_begin(queue[0]):
            begin(state, buying.fill(queue.pop(0)))
        if buying.deals:
            yield from ask(state)


@dataclass(slots=True)
class Buying:
    """The orders of one day."""

    state: MerchantState
    reserve: float  # that stays in the bank
    asked: dict[str, list[Source]] = field(default_factory=dict)  # by line, who was written to
    deals: list[PlannedOrder] = field(default_factory=list)  # that are under way

    def may_begin(self, need: Need) -> bool:
        """An order may take all the money, so it waits for what those before it have cost; unless its supplier and
        theirs have said how much they deliver, and the day has time for all their letters."""
        if not self.deals:
            return True
        sources = [self.pick_source(need.line), *(deal.source for deal in self.deals)]
        if any(each is not None and each.supply is None for each in sources):
            return False
        letters = sum(deal.letters for deal in self.deals) + rounds_of(need.line) + CLOSING_LETTERS
        return self.state.has_time_for((letters + 1) * MESSAGE_MINUTES)

    def pick_source(self, line: ShelfLine) -> Source | None:
        """An unproven supplier that still owes a delivery has to deliver first, if there is another one."""
        fresh = [source for source in usable_sources(line) if source not in self.asked.get(line.name, ())]
        candidates = [source for source in fresh if supply_left(self.state, source) != 0]
        settled = [source for source in candidates if source.checked or not any(source.owed.values())]
        return next(iter(settled + candidates), None)

    def fill(self, need: Need) -> Talk:
        """Order from one supplier after the other, while money and daylight last and much is missing."""
        state, line, wants, cost = self.state, need.line, need.wants, need.cost
        while True:
            spent = ordered_sum(goods_cost(state, deal.line, deal.wants) for deal in self.deals)
            budget, source = state.bank - self.reserve - state.idle_money - spent, self.pick_source(line)
            if source is None or budget < LEAST_BUDGET or not state.has_time_for(2 * MESSAGE_MINUTES):
                return
            self.asked.setdefault(line.name, []).append(source)
            deal, before = plan_order(state, need._replace(wants=wants, cost=cost), source, budget), state.coming.copy()
            if deal.wants:
                line.ordered_on = state.day
                self.deals.append(deal)
                yield from haggle(state, deal)
                self.deals.remove(deal)
            left = {sku: units - state.coming.get(sku, 0) + before.get(sku, 0) for sku, units in wants.items()}
            wants, asked = {sku: units for sku, units in left.items() if units > 0}, cost
            cost = goods_cost(state, line, wants)
            if source.supply is None or cost <= REST * asked:
                return


def plan_order(state: MerchantState, need: Need, source: Source, budget: float) -> PlannedOrder:
    """What to order of a need from a supplier: large orders of one that takes few, small ones before it is proven."""
    line, wants, cost, _ = need
    left, hurdle = supply_left(state, source), HURDLES[state.hurdle]
    more = 1.0 if left is None or hurdle >= PLENTY else min(MOST_MORE, left / sum(wants.values()))
    if more > 1.0:
        wants, cost = {sku: round(units * more) for sku, units in wants.items()}, more * cost
    limit = max(SMALL_ORDER, state.bank * UNPROVEN_SHARE)
    if source.checked:
        limit = state.bank * (1.0 if source.orders >= PROVEN_ORDERS else CHECKED_SHARE)
    limit = min(budget, limit)
    if cost > limit:  # a share of everything, or single units of the dearest goods if that is nothing
        costs = accumulate(state.goods[sku].reference * line.cost for sku in wants)
        shares = {sku: count for sku, units in wants.items() if (count := int(units * (limit / cost))) > 0}
        wants = shares or {sku: 1 for sku, spent in zip(wants, costs, strict=True) if spent <= limit}
    if left is not None and sum(wants.values()) > left:  # the dearest goods gain most from a low floor
        dearest, wants = sorted(wants.items(), key=lambda want: -state.goods[want[0]].reference), {}
        for sku, units in dearest:
            if count := min(units, left):
                wants[sku], left = count, left - count
    whole = source.order_limit > 0 and source.supply is not None and hurdle < SCARCE
    return PlannedOrder(line, source, wants, WHOLE_ROUNDS if whole else rounds_of(line), whole)


def rounds_of(line: ShelfLine) -> int:
    return DEAR_ROUNDS if line.cost > DEAR else ROUNDS


def supply_left(state: MerchantState, source: Source) -> int | None:
    """The units that a supplier still delivers this week; None: any number."""
    week = state.day // WEEK
    if source.week != week:
        source.week, source.taken = week, 0
    return None if source.supply is None else source.supply - source.taken


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
    # What had sold of each SKU when most of what comes back today was sold: by the last trace before that.
    while state.recent_sales and state.recent_sales[0][0] <= state.day - RETURN_DAYS:
        state.settled_sales |= state.recent_sales.pop(0)[1]
    records, noted = dict[str, Record](), dict[str, float]()
    for item, row in traced:
        sold, counted = row["units_sold"], state.settled_sales.get(item.sku, 0.0)
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


def _receive(source: Source, sku: str, delivered: int) -> None:
    """More has come from it than before."""
    arrived, owed = delivered - source.received.get(sku, 0), source.owed.get(sku, [])
    source.received[sku] = delivered
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
    sets = (orders for length in range(1, len(owed) + 1) for orders in combinations(owed[:8], length))
    return next((orders for orders in sets if sum(orders) == arrived), None)
