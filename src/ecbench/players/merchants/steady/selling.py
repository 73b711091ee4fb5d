"""Selling: yesterday's sales teach demand, orders are shipped, and shelves are filled at list prices.

While a promotion runs, list prices rise by the discount, or the discount is small if it counts from the lowest price of
the weeks before. An announcement names no dates: joining again each morning shows whether it runs today.
"""

import datetime as dt
from typing import NamedTuple

import numpy as np

from ecbench.players.merchants.protocol import Reply, Routine, call
from ecbench.players.merchants.steady.estimates import LineDay, answers
from ecbench.players.merchants.steady.state import LineGoods, MerchantState, StoreTypeView, ask, ask_one, post
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


def discount(rules: Rules) -> float:
    """What a store on offer takes off; more than this brings no more traffic, or costs more than it brings."""
    return SMALL_DISCOUNT if rules.promotion_memory_days else rules.full_boost_discount


def announced(content: str) -> str | None:
    """The name in 'The NAME is open to merchants: ...'."""
    head, found, _ = content.partition(" is open to merchants")
    return head.removeprefix("The ") if found else None


def enrol_in_promotions(state: MerchantState) -> Routine[None]:
    """Enrol every known store in the first promotion of the list, and read whether it runs today."""
    state.offer_traffic, state.on_offer = 1.0, set()
    names = [announced(item["content"]) for item in state.news if item["type"] == "promotion"]
    state.promotions += [name for name in dict.fromkeys(names) if name and name not in state.promotions]
    # A store type on trial stays out: what it sold on offer would say little about ordinary days.
    stores = [store_type.store for store_type in state.open_types if store_type.store and store_type.known]
    if not state.promotions or not stores:
        return
    name, rate = state.promotions[0], discount(state.rules)
    joined = state.enrolled.setdefault(name, set())
    asked = [store for store in stores if store not in joined] or stores[:1]
    replies = yield from ask(
        state, *(call("join_promotion", store_id=s, event_name=name, discount_rate=rate) for s in asked)
    )
    joined |= {store for store, reply in zip(asked, replies, strict=True) if reply.get("success") is True}
    if any(reply.get("success") is not True for reply in replies):
        state.promotions.remove(name)
    running = next((reply for reply in replies if reply.get("active_now") is True), None)
    if running is not None:
        state.offer_traffic = running["max_demand_multiplier"]
        state.on_offer = joined & set(stores)


def list_ratio(state: MerchantState, store_type: StoreTypeView, item: LineGoods) -> float:
    """The list price over the reference price; raised by what a running promotion takes off."""
    if not store_type.known:
        return LADDER[item.rank % len(LADDER)]
    raised = store_type.store in state.on_offer and not state.rules.promotion_memory_days
    mark_up = 1 / (1 - discount(state.rules)) if raised else 1.0
    return round(store_type.lines[item.line].ratio * SPREAD[item.rank % len(SPREAD)] * mark_up, 3)


def reprice(state: MerchantState) -> None:
    for store_type in state.open_types:
        rank = {name: index for index, name in enumerate(store_type.lines)}
        listed = [state.goods[sku] for sku, units in state.shelf.items() if units > 0 and state.goods[sku].line in rank]
        changes = []
        for item in sorted(listed, key=lambda item: rank[item.line]):
            ratio = list_ratio(state, store_type, item)
            if state.ratios.get(item.sku) != ratio:
                state.ratios[item.sku] = ratio
                changes.append({"product_id": item.sku, "price": round(ratio * item.reference, 2)})
        if changes:
            post(state, call("set_prices", store_id=store_type.store, prices=changes))


def handle_sales(state: MerchantState) -> Routine[None]:
    """Read the orders and the stores, learn from them, ship, and withdraw the revenue."""
    pending, stores, balance = yield from ask(
        state, call("ship_orders", action="list"), call("check_store_status"), call("withdraw")
    )
    orders = [
        SoldOrder(row["shipment_id"], row["product_id"], row["quantity"], row["unit_price"])
        for row in pending.get("pending_shipments", ())
    ]
    sold: dict[str, int] = {}
    for order, sku, units, _ in orders:
        if order > state.last_shipment:
            sold[sku] = sold.get(sku, 0) + units
    state.last_shipment = max([state.last_shipment, *(order.number for order in orders)])
    if state.days_in > 0:  # else the merchant before sold these, off a shelf that was counted afterwards
        for store_type in state.open_types:
            # A new store type teaches something every day, a settled one now and then. Promotions sharpen the response
            # to prices, which would mislead.
            due = store_type.sold_days < SETTLED or state.day % LATER_LESSONS == 0
            if due and store_type.store not in state.on_offer:
                learn(state, store_type, sold)
        for sku, units in sold.items():
            left = state.shelf.pop(sku, 0) - units
            if left > 0:
                state.shelf[sku] = left
    reputations = {row["store_id"]: row["reputation"] for row in stores.get("stores", ())}
    for store_type in state.open_types:
        store_type.reputation = reputations.get(store_type.store) or store_type.reputation
    state.bank = balance.get("bank_balance", state.bank)
    ship(state, orders)


class SoldOrder(NamedTuple):
    """Units of a SKU that customers of a day bought, still to be sent."""

    number: int
    sku: str
    units: int
    price: float


def learn(state: MerchantState, store_type: StoreTypeView, sold: dict[str, int]) -> None:
    """From what yesterday's shelves sold of each line that was on them."""
    yesterday = state.date - ONE_DAY
    boost = store_type.reputation * store_type.season[yesterday.month - 1]
    boost *= DEFAULT_RULES.weekend_factor if yesterday.weekday() >= 5 else 1.0
    shelves: dict[str, Listed] = {line.name: {} for line in store_type.lines.values() if line.tried}
    for sku, stock in state.shelf.items():
        prices = shelves.get(state.goods[sku].line)
        if prices is not None and stock > 0:
            prices.setdefault(state.ratios[sku], []).append((stock, sold.get(sku, 0)))
    listed = {name: prices for name, prices in shelves.items() if prices}
    if listed:
        units = sum(units for prices in listed.values() for group in prices.values() for _, units in group)
        days = [learn_prices(store_type, name, prices, boost, units) for name, prices in listed.items()]
        store_type.demand.learn(days, boost)
        store_type.sold_days += 1
        store_type.sold_units += units


Listed = dict[float, list[tuple[int, int]]]
"""The listings of a line by their price over reference: of each its stock, and how much of it sold."""


def learn_prices(store_type: StoreTypeView, name: str, prices: Listed, boost: float, store_sold: int) -> LineDay:
    """From how sales split over prices; and, once the demand estimate is of use, from how many there were. Returns what
    the demand estimate learns from: yesterday's listings at the responses believed in, and the doubt in them."""
    line = store_type.lines[name]
    belief, sold = line.belief, sum([units for group in prices.values() for _, units in group])
    left_over = {ratio: [units for stock, units in group if units < stock] for ratio, group in prices.items()}
    belief.learn([(ratio, len(units), sum(units)) for ratio, units in left_over.items() if units])
    line.proven = max([line.proven, *[ratio for ratio, group in prices.items() if any(units for _, units in group)]])
    guesses = answers(belief.shapes, tuple(prices))
    listings = np.array([[len(group)] for group in prices.values()])
    stock = np.array([[sum([stock for stock, _ in group]) / len(group)] for group in prices.values()])
    day = LineDay(line.market, guesses, listings, stock, sold)
    drawn = day.drawn()
    if store_type.sold_days >= ACQUAINTED:
        belief.learn_total(sold, store_type.demand.expects(day, boost, store_sold))
    mean = max(1e-9, float(belief.weights @ drawn))
    doubt = float(belief.weights @ (drawn - mean) ** 2) / mean**2
    believed = np.array([[float(belief.weights @ guess)] for guess in guesses])
    return day._replace(responses=believed, doubt=doubt)


def ship(state: MerchantState, orders: list[SoldOrder]) -> None:
    """Fast, which prevents a quarter of the returns, if a return, which loses the margin of a sale and some standing,
    would cost more than the freight; standard for the rest."""
    by_speed: dict[str, list[int]] = {"fast": [], "standard": []}
    prevented, dearer = 1 - DEFAULT_RULES.speed_return_factor["fast"], DEFAULT_RULES.freight_factor["fast"] - 1
    for order, sku, _, price in orders:
        line = state.lines[state.goods[sku].line] if sku in state.goods else None
        fast = line is not None and prevented * line.returns * 0.5 * price > dearer * line.freight
        by_speed["fast" if fast else "standard"].append(order)

    def read(reply: Reply) -> None:
        state.bank = reply.get("bank_balance", state.bank)
        state.escrow = reply.get("pending_settlement", state.escrow)
        state.freight = reply.get("total_shipping_cost", state.freight)

    for speed, numbers in by_speed.items():
        if numbers:
            post(state, call("ship_orders", action="ship", shipment_ids=numbers, speed=speed), read)


def stock_shelves(state: MerchantState) -> Routine[None]:
    """Everything in the warehouse that an open store may sell goes on its shelf."""
    reply = yield from ask_one(state, "check_warehouse")
    state.free = {sku: item["quantity"] for sku, item in reply.get("items", {}).items()}
    for sku, units in state.free.items():
        # Returns come back in ones and twos; a larger lot is a delivery. The trace decides it.
        if units >= LIKELY_DELIVERY * state.coming.get(sku, 0):
            state.coming.pop(sku, None)
    publish(state)


def publish(state: MerchantState) -> None:
    """What is known to lie in the warehouse goes to the stores that may sell it."""

    def read(reply: Reply) -> None:
        for sku in _successful(reply):
            state.shelf[sku] = state.shelf.get(sku, 0) + state.free.pop(sku)

    chosen = choose_listings(state) if state.rules.most_listings else None
    for store_type in state.open_types:
        plan: list[dict[str, object]] = []
        for item in [item for sku in state.free if (item := state.goods[sku]).line in store_type.lines]:
            ratio = state.ratios[item.sku] = list_ratio(state, store_type, item)
            if chosen is None or item.sku in chosen:
                price = round(ratio * item.reference, 2)
                plan.append({"product_id": item.sku, "quantity": state.free[item.sku], "retail_price": price})
        if plan and state.has_time_for(PUBLISH_MINUTES):
            post(state, call("publish_to_store", store_id=store_type.store, plan=plan), read)


def choose_listings(state: MerchantState) -> set[str]:
    """The goods that may be listed where listings are limited: trials and planned goods first, then the dearest. Other
    goods on a shelf go back to the warehouse if these need their listings."""

    def read(reply: Reply) -> None:
        for sku in _successful(reply):
            state.free[sku] = state.free.get(sku, 0) + state.shelf.pop(sku, 0)

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
        for store in dict.fromkeys(store for *_, store in wanted):  # a set's order differs from process to process
            off = [sku for *_, sku, at in wanted if at == store and sku in listed - chosen]
            items = [{"product_id": sku, "quantity": state.shelf[sku]} for sku in off]
            if items and state.has_time_for(PUBLISH_MINUTES):
                post(state, call("return_to_warehouse", store_id=store, items=items), read)
    return chosen


def _successful(reply: Reply) -> list[str]:
    return [row["product_id"] for row in reply.get("results", ()) if row["success"]]
