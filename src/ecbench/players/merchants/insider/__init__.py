"""The privileged merchant: it reads hidden state. Its scores are for comparison; it is not an upper bound.

It solves for the best shelf of each store instead of learning it, and bids a floor as often as it will be turned down.
It never buys from suppliers whose goods are defective or that sell to members only. It does not look at the draws by
which demand is rounded and goods come back: by those a player could exceed the upper bound.
"""

from typing import Any, NamedTuple

import numpy as np

from ecbench.episode import Episode
from ecbench.market.best_shelf import Column
from ecbench.market.books import SoldGoods, Store
from ecbench.market.calendar import is_running
from ecbench.market.demand import NO_OFFER, offer_on
from ecbench.players.merchants.insider.floor_orders import (
    FloorOrder,
    Seller,
    left_in_week,
    letter_to,
    orders_left,
)
from ecbench.players.merchants.insider.plans import CLEARANCE_DAYS, NEAR, InsiderPlans, in_order
from ecbench.players.merchants.protocol import Play, Routine, call
from ecbench.rules import SPEEDS
from ecbench.sums import ordered_sum
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Product, Promotion

PLAN_EVERY, RANK_EVERY = 4, 8  # days
LETTER, PUBLISH, PRICES, OPEN, CLOSE, JOIN = 30, 20, 10, 60, 30, 10  # minutes
SAFETY_STOCK = 1.5  # units of every SKU beyond what the days ahead need
SAME_PRICE = 0.004  # a smaller change is not worth a call
SHORTAGE = 0.3  # of the target stock that must be missing before a seller is written to
SHORT_GOODS = 0.02  # what is asked above the cheapest cost, over reference, from which goods are short


class MissingUnits(NamedTuple):
    """Units of the products of a category that are missing, and what they and the target stock are worth."""

    category: str
    products: tuple[Product, ...]
    lacking: Column
    worth: float  # at reference prices
    target: float


class InsiderMerchant:
    """Plays with the market's hidden parameters open before it."""

    def __init__(self, days: int = 365) -> None:
        self.days = days

    def play_knowing(self, episode: Episode, _schemas: list[dict[str, Any]]) -> Play:
        self.episode, self.plans = episode, InsiderPlans(episode, self.days)
        self.promotion: Promotion | None = None
        self.prices: dict[str, dict[str, float]] = {}  # list prices by store type and SKU
        while not episode.done:
            yield from self.one_day()

    def one_day(self) -> Routine[None]:
        """Ship, open stores, join promotions, fill and price shelves, and order goods as planned."""
        plans, books, today = self.plans, self.episode.account.books, self.episode.day
        yield from self._ship()
        if books.purse.wallet > 0.0:
            plans.paid_out = True
            yield [call("withdraw")]
        if not plans.wanted or today % RANK_EVERY == 0:
            plans.rank_stores()
        planned = today % PLAN_EVERY == 0 or set(plans.orders) != set(plans.wanted)
        if planned:
            plans.plan_orders()
        yield from self._open_stores()
        if (yield from self._join_promotions()) or planned:
            self.prices.clear()
        yield from self._fill_shelves()
        if not plans.closing:
            yield from self._restock()
        if self.episode.day == today and not self.episode.done:
            yield [call("wait_for_next_day")]

    def _has_time(self, minutes: int) -> bool:
        return self.episode.account.minute + minutes < self.plans.economy.closing_minute

    def _ship(self) -> Routine[None]:
        by_speed: dict[str, list[int]] = {speed: [] for speed in SPEEDS}
        for sales in self.episode.account.books.pending:
            for number, goods in enumerate(sales.goods, sales.first):
                by_speed[self._best_speed(goods)].append(number)
        before = len(self.episode.account.books.sent)
        for speed, numbers in by_speed.items():
            if numbers:
                yield [call("ship_orders", action="ship", shipment_ids=numbers, speed=speed)]
        self.plans.freight = ordered_sum(parcel.freight for parcel in self.episode.account.books.sent[before:])

    def _best_speed(self, goods: SoldGoods) -> str:
        """That loses least by freight and by returns, each of which costs the price and gives the unit back."""
        rules, category = self.plans.rules, goods.product.category
        lost = max(0.0, goods.unit_price - goods.product.reference_price * min(1.0, self.plans.cheapest(category)))
        freight = rules.freight_cost[goods.product.size]
        costs = {
            speed: freight * rules.freight_factor[speed]
            + lost * min(rules.return_cap, goods.rates.capped * rules.speed_return_factor[speed])
            for speed in SPEEDS
        }
        return min(costs, key=lambda speed: costs[speed])

    def _open_stores(self) -> Routine[None]:
        """Open a store once its goods have arrived, and close one that is not needed any more."""
        books, plans = self.episode.account.books, self.plans
        for name in plans.wanted:
            store_type = plans.world.store_type_by_id[name]
            free = {stock.product.category for stock in books.stock.values() if stock.free > 0}
            if plans.open_store(name) or not self._has_time(OPEN + CLOSE) or free.isdisjoint(store_type.categories):
                continue
            if len(books.trading) >= plans.rules.max_stores:
                unwanted = [store for store in books.trading if store.type.id not in plans.wanted]
                emptiest = min(
                    unwanted, key=lambda each: ordered_sum(x.quantity * x.price for x in each.shelf.values())
                )
                yield [call("close_store", store_id=emptiest.id, liquidate=True)]
            yield [call("open_store", store_type=name, store_name=f"{store_type.name} House")]

    def _join_promotions(self) -> Routine[bool]:
        """Where list prices are free, a promotion brings customers for nothing. True if one begins or ends today."""
        rules, date = self.plans.rules, self.episode.account.market.date
        if rules.promotion_memory_days:
            return False
        running = [each for each in self.plans.world.promotions if is_running(each, date)]
        best = max(running, key=lambda each: each.max_demand, default=None)
        for store in self.episode.account.books.trading:
            joined = None if store.enrolment is None else store.enrolment.promotion
            if best not in (None, joined) and self._has_time(JOIN):
                rate = rules.full_boost_discount
                yield [call("join_promotion", store_id=store.id, event_name=best.name, discount_rate=rate)]
        before, self.promotion = self.promotion, best
        return before is not best

    def _fill_shelves(self) -> Routine[None]:
        books = self.episode.account.books
        for store in books.trading:
            repriced = store.type.id not in self.prices
            if repriced:
                self.prices[store.type.id] = self._list_prices(store)
            prices = self.prices[store.type.id]
            free = {sku: stock.free for sku, stock in books.stock.items() if stock.free > 0 and sku in prices}
            entries = [{"product_id": sku, "quantity": n, "retail_price": prices[sku]} for sku, n in free.items()]
            if entries and self._has_time(PUBLISH):
                yield [call("publish_to_store", store_id=store.id, plan=entries)]
            changes = [
                {"product_id": sku, "price": prices[sku]}
                for sku, each in store.shelf.items()
                if repriced and each.quantity and abs(each.price / prices[sku] - 1.0) > SAME_PRICE
            ]
            if changes and self._has_time(PRICES):
                yield [call("set_prices", store_id=store.id, prices=changes)]

    def _list_prices(self, store: Store) -> dict[str, float]:
        """List prices by SKU, raised by what a running promotion takes off."""
        offer, enrolment = NO_OFFER, store.enrolment
        if enrolment is not None:
            date = self.episode.account.market.date
            offer = offer_on(enrolment.promotion, enrolment.discount, date, self.plans.rules)
        span = NEAR if offer is NO_OFFER else (0, 1)
        plan = self.plans.shelf(store.type.id, span, self.plans.cash_price, store.reputation, offer)
        ratios = zip(
            self.plans.goods[store.type.id].products, (plan.ratio / (1.0 - offer.discount)).tolist(), strict=True
        )
        return {product.sku: round(ratio * product.reference_price, 2) for product, ratio in ratios}

    def _restock(self) -> Routine[None]:
        """One seller of every category in each letter, while something is missing and the day lasts."""
        written: set[str] = set()  # names of sellers
        while self._has_time(LETTER):
            orders = self._next_orders(written)
            if not orders:
                return
            yield [letter_to(self.episode, orders)]
            written |= {order.supplier.name for order in orders}

    def _next_orders(self, written: set[str]) -> list[FloorOrder]:
        budget, orders = self.episode.account.books.purse.bank - self.plans.reserve(), []
        for need in self._needs():
            seller = self._seller(need.category, written)
            if seller is not None and self._is_due(need):
                order, spent = self._affordable(need, seller, budget)
                if order.units:
                    budget -= spent
                    orders.append(order)
        return orders

    def _needs(self) -> list[MissingUnits]:
        """The emptiest category first."""
        held, days, found = self.plans.held(), self.plans.stock_days(self.plans.cash_price), []
        for store_type, plan in self.plans.orders.items():
            goods = self.plans.goods[store_type]
            have, longest = in_order(goods, held), max(0.0, self.plans.days_left - CLEARANCE_DAYS)
            for category, start, count in zip(goods.categories, goods.starts, goods.counts, strict=True):
                rows = slice(start, start + count)
                lasting = min(days + self._days_between_orders(category.name), longest)
                target = lasting * plan.kept[rows] + SAFETY_STOCK * (plan.units[rows] > 0.0)
                lacking, reference = np.maximum(0.0, target - have[rows]), goods.reference[rows]
                if lacking.any():
                    worth, full = float(lacking @ reference), float(target @ reference)
                    found.append(MissingUnits(category.name, goods.products[rows], lacking, worth, full))
        return sorted(found, key=lambda need: -need.worth / need.target)

    def _days_between_orders(self, category: str) -> float:
        """Days between orders with which sellers, who close after a number of orders, last until the year's end."""
        if self.plans.rules.weekly_supply:
            return 0.0
        left = sum(orders_left(self.episode, each.supplier) for each in self.plans.sellers[category])
        return self.plans.days_left / max(1, left)

    def _seller(self, category: str, written: set[str]) -> Seller | None:
        """The cheapest that has something left this week, if it is worth what it costs."""
        limit = max(self.plans.asked[category], self.plans.cheapest(category)) + SHORT_GOODS
        for each in self.plans.sellers[category]:
            takes_orders = each.supplier.name not in written and orders_left(self.episode, each.supplier) > 0
            if takes_orders and left_in_week(self.episode, each.supplier) > 0:
                return each if each.cost <= limit else None
        return None

    def _is_due(self, need: MissingUnits) -> bool:
        """Whether enough is missing for an order."""
        between = self._days_between_orders(need.category)
        whole = between / (between + self.plans.stock_days(self.plans.cash_price))
        return need.worth >= max(SHORTAGE, whole) * need.target

    def _affordable(self, need: MissingUnits, seller: Seller, budget: float) -> tuple[FloorOrder, float]:
        """Whole units of what the seller has, dearest goods first, and what they cost; fractions are passed on to the
        next SKU."""
        left, asked = left_in_week(self.episode, seller.supplier), float(need.lacking.sum()) / seller.delivered
        units = need.lacking / seller.delivered * min(1.0, left / max(1.0, asked))
        wants: dict[str, int] = {}
        spent = rest = 0.0
        for product, number in zip(need.products, units.tolist(), strict=True):
            rest += number
            price = terms_of(self.plans.economy, seller.supplier, product).reservation
            count = min(int(rest), int((budget - spent) / price))
            if count > 0:
                rest -= count
                spent += count * price + 0.01  # at most, of rounding
                wants[product.sku] = count
        return FloorOrder(seller.supplier, wants), spent
