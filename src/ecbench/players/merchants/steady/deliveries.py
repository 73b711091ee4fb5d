"""Deliveries: compare them with the orders, and move the warehouse onto the shelves."""

from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import sqrt

from ecbench.players.merchants.protocol import Reply, Routine, call
from ecbench.players.merchants.replies import count, mapping, number, rows, share, text
from ecbench.players.merchants.steady.list_prices import Promotions, list_ratios
from ecbench.players.merchants.steady.merchant_state import (
    LineGoods,
    MerchantState,
    Source,
    StoreTypeView,
    ask_one,
    post,
)
from ecbench.players.merchants.steady.planning import FAST, MOST_RETURNS, return_factor
from ecbench.sums import ordered_sum

BLAME_SHARE = 0.5  # of a product's deliveries: enough to answer for its returns
ALARM_SALES = 15
RETURN_DAYS = 8  # after which most of what comes back has come
EARLY_RETURNS = 0.4  # share of it that comes sooner
LIKELY_DELIVERY = 0.5  # of what is on its way
PUBLISH_MINUTES = 20
NATURAL_RATE = "natural_baseline_return_rate"  # the share that comes back of sound goods at a fair price


def stock_shelves(state: MerchantState, promotions: Promotions) -> Routine[None]:
    """Everything in the warehouse that an open store may sell goes on its shelf."""
    reply = yield from ask_one(state, "check_warehouse")
    items = {
        sku: item for sku, item in mapping(reply, "items").items() if isinstance(item, dict) and sku in state.goods
    }
    state.free = {sku: count(item, "quantity") for sku, item in items.items()}
    for sku, units in state.free.items():
        # Returns come back in ones and twos; a larger lot is a delivery. The trace settles it for good.
        if units >= LIKELY_DELIVERY * state.coming.get(sku, 0):
            state.coming.pop(sku, None)
    publish(state, promotions)


def publish(state: MerchantState, promotions: Promotions) -> None:
    """What is known to lie in the warehouse goes to the stores that may sell it."""
    for store_type in state.open_types:
        plan = _listing(state, store_type, promotions)
        if plan and state.has_time_for(PUBLISH_MINUTES):
            post(state, call("publish_to_store", store_id=store_type.store, plan=plan), partial(read_published, state))


def read_published(state: MerchantState, reply: Reply) -> None:
    for row in rows(reply, "results"):
        sku = text(row, "product_id")
        if row.get("success") is True and sku in state.free:
            state.shelf[sku] = state.shelf.get(sku, 0) + state.free.pop(sku)


def _listing(state: MerchantState, store_type: StoreTypeView, promotions: Promotions) -> list[dict[str, object]]:
    """What lies in the warehouse of a store type's goods, with its prices."""
    items = [item for sku in state.free if (item := state.goods[sku]).line in store_type.lines]
    plan: list[dict[str, object]] = []
    for item, ratio in zip(items, list_ratios(store_type, items, promotions, state.rules), strict=True):
        state.ratios[item.sku] = ratio
        price = round(ratio * item.reference, 2)
        plan.append({"product_id": item.sku, "quantity": state.free[item.sku], "retail_price": price})
    return plan


def check_deliveries(state: MerchantState) -> Routine[None]:
    """Drop suppliers that deliver short or defective goods; learn how much of each line comes back by nature."""
    reply = yield from ask_one(state, "trace_return_sources")
    traced = [
        (state.goods[sku], row) for row in rows(reply, "products") if (sku := text(row, "product_id")) in state.goods
    ]
    sources = {source.name: source for line in state.lines.values() for source in line.sources}
    records = compare_with_orders(state, traced, sources)
    rates: dict[str, list[float]] = {}
    for item, row in traced:
        rates.setdefault(item.line, []).append(share(row, NATURAL_RATE))
    for name, found in rates.items():
        state.lines[name].returns = ordered_sum(found) / len(found)
    for name, record in records.items():
        sources[name].dropped |= record.is_alarming() and not sources[name].trusted
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
    factors = {name: return_factor(line.ratio, state.rules) for name, line in state.lines.items()}
    for item, row in traced:
        sold, counted = number(row, "units_sold"), settled.get(item.sku, 0.0)
        if sold > counted:  # units sold lately count in part: what comes back of them has yet to come
            counted += EARLY_RETURNS * (sold - counted)
        for part in rows(row, "supplier_sources"):
            source, delivered = sources.get(text(part, "supplier")), count(part, "units_delivered")
            if source is None:
                continue
            if delivered > source.received.get(item.sku, 0):
                _receive(source, item.sku, delivered)
            if number(part, "share") >= BLAME_SHARE and not source.dropped:
                noted[item.sku] = sold
                record = records.setdefault(source.name, Record())
                record.sold += counted
                record.returned += number(row, "units_returned")
                record.expected += counted * min(MOST_RETURNS, share(row, NATURAL_RATE) * FAST * factors[item.line])
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
        source.dropped = not source.trusted
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
