"""Yesterday's sales: read the orders, learn demand from them, ship them and withdraw the money."""

import datetime as dt
from functools import partial
from typing import NamedTuple

import numpy as np

from ecbench.players.merchants.protocol import Reply, Routine, call
from ecbench.players.merchants.replies import count, number, rows, share, text
from ecbench.players.merchants.steady.estimates import LineDay, LineListings, answers, believed_listings
from ecbench.players.merchants.steady.list_prices import Promotions
from ecbench.players.merchants.steady.merchant_state import MerchantState, ShelfLine, StoreTypeView, ask, post
from ecbench.rules import DEFAULT_RULES

SETTLED = 40  # days of sales after which a store type is well known
LATER_LESSONS = 4
ACQUAINTED = 4  # days of sales after which the demand estimate is of use
ONE_DAY = dt.timedelta(days=1)


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


class Orders(NamedTuple):
    """What customers bought and what is still to be sent, one entry a SKU and day; by column, as there are many."""

    numbers: list[int]
    skus: list[str]
    units: list[int]
    prices: list[float]


def read_orders(pending: Reply) -> Orders:
    found = rows(pending, "pending_shipments")
    return Orders(
        [count(row, "shipment_id") for row in found],
        [text(row, "product_id") for row in found],
        [count(row, "quantity") for row in found],
        [number(row, "unit_price") for row in found],
    )


def learns_today(state: MerchantState, store_type: StoreTypeView, promotions: Promotions) -> bool:
    """A new store type teaches something every day, a settled one now and then, one that is certain nothing."""
    if store_type.certain or state.days_in <= 0 or promotions.covers(store_type):
        return False  # promotions sharpen the response to prices, which would mislead
    return store_type.sold_days < SETTLED or state.day % LATER_LESSONS == 0


def yesterdays_sales(state: MerchantState, orders: Orders) -> dict[str, int]:
    sold: dict[str, int] = {}
    seen = state.last_shipment
    for order, sku, units in zip(orders.numbers, orders.skus, orders.units, strict=True):
        if order > seen:
            sold[sku] = sold.get(sku, 0) + units
    state.last_shipment = max([seen, *orders.numbers])
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
    """Of each of these lines, by name, if it had anything on a shelf."""
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


def ship(state: MerchantState, orders: Orders) -> None:
    """Fast if a return would cost more than the freight, standard for the rest."""
    by_speed: dict[str, list[int]] = {"fast": [], "standard": []}
    limits = {name: fast_from(line) for name, line in state.lines.items()}
    for order, sku, price in zip(orders.numbers, orders.skus, orders.prices, strict=True):
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
