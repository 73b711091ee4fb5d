"""Selling: yesterday's sales teach demand, orders are shipped, and shelves are filled at list prices.

A store type on trial has a ladder of prices, later the plan's price with a little spread. An enrolled store's price is
cut and its traffic multiplied while a promotion runs. Customers answer the discounted price, so list prices are raised
by as much as the discount takes off and the traffic comes on top. Where a discount counts from the lowest price of the
weeks before, raising prices brings nothing: prices stay, and the discount is small. An announcement names no dates:
joining again each morning shows whether it runs today.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from ecbench.players.merchants.protocol import Reply, Routine, call
from ecbench.players.merchants.replies import count, mapping, number, rows, share, text
from ecbench.players.merchants.steady.estimates import LineDay, LineListings, answers, believed_listings
from ecbench.players.merchants.steady.state import (
    LineGoods,
    MerchantState,
    ShelfLine,
    StoreTypeView,
    ask,
    ask_one,
    post,
)
from ecbench.rules import DEFAULT_RULES, Rules

LADDER = (1.0, 1.0, 1.15, 1.35, 1.7, 2.4, 4.0)
SPREAD = (1.0, 0.95, 1.06)  # neighbours on the shelf differ a little, so that every day teaches something
SMALL_DISCOUNT = 0.1
SETTLED = 40  # days of sales after which a store type is well known
LATER_LESSONS = 4
ACQUAINTED = 4  # days of sales after which the demand estimate is of use
ONE_DAY = dt.timedelta(days=1)
LIKELY_DELIVERY = 0.5  # of what is on its way
PUBLISH_MINUTES = 20


@dataclass(slots=True)
class Promotions:
    watched: list[str] = field(default_factory=list)
    enrolled: dict[str, set[str]] = field(default_factory=dict)  # promotion: store ids
    traffic: float = 1.0  # multiplied by this in the stores on offer
    stores: set[str] = field(default_factory=set)  # on offer now

    def covers(self, store_type: StoreTypeView) -> bool:
        return store_type.store in self.stores


def discount(rules: Rules) -> float:
    """What a store on offer takes off; more than this brings no more traffic, or costs more than it brings."""
    return SMALL_DISCOUNT if rules.promotion_memory_days else rules.full_boost_discount


def announced(content: str) -> str | None:
    """The name in 'The NAME is open to merchants: ...'."""
    head, found, _ = content.partition(" is open to merchants")
    return head.removeprefix("The ") if found else None


def enrol_in_promotions(state: MerchantState, promotions: Promotions) -> Routine[None]:
    """Enrol every known store in the first promotion of the list, and read whether it runs today."""
    promotions.traffic, promotions.stores = 1.0, set()
    for kind, content in state.news:
        name = announced(content) if kind == "promotion" else None
        if name is not None and name not in promotions.watched:
            promotions.watched.append(name)
    if not promotions.watched or not any(store_type.known for store_type in state.open_types):
        return
    name = promotions.watched[0]
    # A store type on trial stays out: what it sold on offer would say little about ordinary days.
    stores = [store_type.store for store_type in state.open_types if store_type.store and store_type.known]
    joined = promotions.enrolled.setdefault(name, set())
    asked = [store for store in stores if store not in joined] or stores[:1]
    rate = discount(state.rules)
    replies = yield from ask(
        state, *(call("join_promotion", store_id=s, event_name=name, discount_rate=rate) for s in asked)
    )
    joined |= {store for store, reply in zip(asked, replies, strict=True) if reply.get("success") is True}
    if any(reply.get("success") is not True for reply in replies):
        promotions.watched.remove(name)
    running = next((reply for reply in replies if reply.get("active_now") is True), None)
    if running is not None:
        promotions.traffic = max(1.0, number(running, "max_demand_multiplier"))
        promotions.stores = joined & set(stores)


def list_ratios(
    store_type: StoreTypeView, items: Sequence[LineGoods], promotions: Promotions, rules: Rules
) -> list[float]:
    """List prices over reference prices; raised by what a running promotion takes off."""
    if not store_type.known:
        return [LADDER[item.rank % len(LADDER)] for item in items]
    raised = promotions.covers(store_type) and not rules.promotion_memory_days
    mark_up = 1 / (1 - discount(rules)) if raised else 1.0
    spread = {name: spread_around(line.ratio, mark_up) for name, line in store_type.lines.items()}
    return [spread[item.line][item.rank % len(SPREAD)] for item in items]


@lru_cache(maxsize=256)
def spread_around(ratio: float, mark_up: float) -> list[float]:
    return [round(ratio * part * mark_up, 3) for part in SPREAD]


def reprice(state: MerchantState, promotions: Promotions) -> None:
    listed = state.on_shelf()
    for store_type in state.open_types:
        items = [item for name in store_type.lines for item in listed.get(name, ())]
        changes = []
        for item, ratio in zip(items, list_ratios(store_type, items, promotions, state.rules), strict=True):
            if state.ratios.get(item.sku) != ratio:
                state.ratios[item.sku] = ratio
                changes.append({"product_id": item.sku, "price": round(ratio * item.reference, 2)})
        if changes:
            post(state, call("set_prices", store_id=store_type.store, prices=changes))


def handle_sales(state: MerchantState, promotions: Promotions) -> Routine[None]:
    """Read the orders and the stores, learn from them, ship, and withdraw the revenue."""
    pending, stores, balance = yield from ask(
        state, call("ship_orders", action="list"), call("check_store_status"), call("withdraw")
    )
    orders = read_orders(pending)
    sold = yesterdays_sales(state, orders)
    if state.days_in == 0:
        sold = {}  # the merchant before sold these, off a shelf that was counted afterwards
    learning = [store_type for store_type in state.open_types if learns_today(state, store_type, promotions)]
    tried = [line for store_type in learning for line in store_type.lines.values() if line.tried]
    shelves = yesterdays_shelves(state, tried, sold) if tried else {}
    for store_type in learning:
        learn(state, store_type, shelves)
    for sku, units in sold.items():
        left = state.shelf.pop(sku, 0) - units
        if left > 0:
            state.shelf[sku] = left
    by_store = {text(row, "store_id"): row for row in rows(stores, "stores")}
    for store_type in state.open_types:
        row = by_store.get(store_type.store or "", {})
        store_type.reputation = share(row, "reputation", store_type.reputation) or store_type.reputation
    state.bank = number(balance, "bank_balance", state.bank)
    ship(state, orders)


class SoldOrder(NamedTuple):
    """Units of a SKU that customers of a day bought, still to be sent."""

    number: int
    sku: str
    units: int
    price: float


def read_orders(pending: Reply) -> list[SoldOrder]:
    return [
        SoldOrder(count(row, "shipment_id"), text(row, "product_id"), count(row, "quantity"), number(row, "unit_price"))
        for row in rows(pending, "pending_shipments")
    ]


def learns_today(state: MerchantState, store_type: StoreTypeView, promotions: Promotions) -> bool:
    """A new store type teaches something every day, a settled one now and then, one that is certain nothing."""
    if store_type.certain or state.days_in <= 0 or promotions.covers(store_type):
        return False  # promotions sharpen the response to prices, which would mislead
    return store_type.sold_days < SETTLED or state.day % LATER_LESSONS == 0


def yesterdays_sales(state: MerchantState, orders: list[SoldOrder]) -> dict[str, int]:
    sold: dict[str, int] = {}
    seen = state.last_shipment
    for order, sku, units, _ in orders:
        if order > seen:
            sold[sku] = sold.get(sku, 0) + units
            state.last_shipment = max(order, state.last_shipment)
    return sold


class Priced(NamedTuple):
    """Yesterday's listings of one line at one price."""

    ratio: float
    listings: int
    stock: float  # units per listing
    sold: int
    left_over: int  # listings that did not sell out
    left_over_sold: int


def yesterdays_shelves(state: MerchantState, lines: list[ShelfLine], sold: dict[str, int]) -> dict[str, list[Priced]]:
    """Yesterday's shelves of these lines, by name, for each line that had any units listed."""
    found: dict[str, dict[float, list[tuple[int, int]]]] = {line.name: {} for line in lines}
    for sku, stock in state.shelf.items():
        prices = found.get(state.goods[sku].line)
        if prices is not None and stock > 0:
            prices.setdefault(state.ratios[sku], []).append((stock, sold.get(sku, 0)))
    return {name: [priced(ratio, group) for ratio, group in prices.items()] for name, prices in found.items() if prices}


def priced(ratio: float, group: list[tuple[int, int]]) -> Priced:
    """Listings at this price, of each its stock and how much of it sold."""
    left = [units for stock, units in group if units < stock]
    stock = sum([stock for stock, _ in group]) / len(group)
    return Priced(ratio, len(group), stock, sum([units for _, units in group]), len(left), sum(left))


def ship(state: MerchantState, orders: list[SoldOrder]) -> None:
    """Fast if a return would cost more than the freight, standard for the rest."""
    by_speed: dict[str, list[int]] = {"fast": [], "standard": []}
    limits = {name: fast_from(line) for name, line in state.lines.items()}
    for order, sku, _, price in orders:
        item = state.goods.get(sku)
        saved, extra = limits[item.line] if item is not None else (0.0, 0.0)
        by_speed["fast" if saved * price > extra else "standard"].append(order)
    for speed, numbers in by_speed.items():
        if numbers:
            sending = call("ship_orders", action="ship", shipment_ids=numbers, speed=speed)
            post(state, sending, partial(read_shipping, state))


def read_shipping(state: MerchantState, reply: Reply) -> None:
    state.bank = number(reply, "bank_balance", state.bank)
    state.escrow = number(reply, "pending_settlement", state.escrow)
    state.freight = number(reply, "total_shipping_cost", state.freight)


def fast_from(line: ShelfLine) -> tuple[float, float]:
    """What fast freight saves of each yuan of a price, and what it costs more. It prevents a quarter of the returns,
    and a return loses the margin of a sale and some standing."""
    saved = (1 - DEFAULT_RULES.speed_return_factor["fast"]) * line.returns * 0.5
    return saved, (DEFAULT_RULES.freight_factor["fast"] - 1) * line.freight


def learn(state: MerchantState, store_type: StoreTypeView, shelves: dict[str, list[Priced]]) -> None:
    """From what yesterday's shelves sold of each line that was on them."""
    yesterday = state.date - ONE_DAY
    boost = store_type.reputation * store_type.season[yesterday.month - 1]
    boost *= DEFAULT_RULES.weekend_factor if yesterday.weekday() >= 5 else 1.0
    lines = [line for line in store_type.lines.values() if line.name in shelves]
    if not lines:
        return
    units = sum(lot.sold for line in lines for lot in shelves[line.name])
    days = [learn_prices(store_type, line, shelves[line.name], boost, units) for line in lines]
    store_type.demand.learn(days, boost)
    store_type.sold_days += 1
    store_type.sold_units += units


def learn_prices(
    store_type: StoreTypeView, line: ShelfLine, shelves: list[Priced], boost: float, store_sold: int
) -> LineDay:
    """From how sales split over prices; and, once the demand estimate is of use, from how many there were.

    Return what the demand estimate learns from: yesterday's listings at the responses believed in, and the doubt
    in them.
    """
    belief, sold = line.belief, sum([lot.sold for lot in shelves])
    belief.learn([(lot.ratio, lot.left_over, lot.left_over_sold) for lot in shelves if lot.left_over])
    line.proven = max([line.proven, *[lot.ratio for lot in shelves if lot.sold]])
    answered = answers(belief.shapes, tuple([lot.ratio for lot in shelves]))
    listings, stock = np.array([[lot.listings] for lot in shelves]), np.array([[lot.stock] for lot in shelves])
    drawn = np.add.reduce(listings * answered)
    if store_type.sold_days >= ACQUAINTED:
        day = LineDay(line.market, LineListings(answered, listings, stock, drawn), sold)
        belief.learn_total(sold, store_type.demand.expects(day, boost, store_sold))
    weights = belief.weights
    mean = max(1e-9, float(weights @ drawn))
    doubt = float(weights @ (drawn - mean) ** 2) / mean**2
    responses = [float(weights @ answer) for answer in answered]
    return LineDay(line.market, believed_listings(responses, listings, stock), sold, doubt)


def stock_shelves(state: MerchantState, promotions: Promotions) -> Routine[None]:
    """Everything in the warehouse that an open store may sell goes on its shelf."""
    reply = yield from ask_one(state, "check_warehouse")
    items = {
        sku: item for sku, item in mapping(reply, "items").items() if isinstance(item, dict) and sku in state.goods
    }
    state.free = {sku: count(item, "quantity") for sku, item in items.items()}
    for sku, units in state.free.items():
        # Returns come back in ones and twos; a larger lot is a delivery. The trace decides it.
        if units >= LIKELY_DELIVERY * state.coming.get(sku, 0):
            state.coming.pop(sku, None)
    publish(state, promotions)


def publish(state: MerchantState, promotions: Promotions) -> None:
    """What is known to lie in the warehouse goes to the stores that may sell it."""
    chosen = choose_listings(state) if state.rules.most_listings else None
    for store_type in state.open_types:
        plan = [row for row in _listing(state, store_type, promotions) if chosen is None or row["product_id"] in chosen]
        if plan and state.has_time_for(PUBLISH_MINUTES):
            post(state, call("publish_to_store", store_id=store_type.store, plan=plan), partial(read_published, state))


def choose_listings(state: MerchantState) -> set[str]:
    """The goods that may be listed where listings are limited: trials and planned goods first, then the dearest.

    Other goods on a shelf go back to the warehouse if these need their listings.
    """
    listed = {sku for sku, units in state.shelf.items() if units > 0}
    wanted: list[tuple[bool, bool, float, str, str]] = []
    for store_type in state.open_types:
        for sku in [sku for sku in {**state.shelf, **state.free} if state.goods[sku].line in store_type.lines]:
            item = state.goods[sku]
            spare = store_type.known and item.rank >= store_type.lines[item.line].listings
            wanted.append((spare, sku not in listed, -item.reference, sku, store_type.store or ""))
    wanted.sort()
    chosen = {sku for *_, sku, _ in wanted[: state.rules.most_listings]}
    if any(sku not in listed for sku in chosen):
        for store in {store for *_, store in wanted}:
            off = [sku for *_, sku, at in wanted if at == store and sku in listed - chosen]
            items = [{"product_id": sku, "quantity": state.shelf[sku]} for sku in off]
            if items and state.has_time_for(PUBLISH_MINUTES):
                post(state, call("return_to_warehouse", store_id=store, items=items), partial(read_returned, state))
    return chosen


def read_returned(state: MerchantState, reply: Reply) -> None:
    for row in rows(reply, "results"):
        sku = text(row, "product_id")
        if row.get("success") is True:
            state.free[sku] = state.free.get(sku, 0) + state.shelf.pop(sku, 0)


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
