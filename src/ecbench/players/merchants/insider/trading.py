"""The insider's days: it ships, opens stores, joins promotions, fills and prices shelves, and orders goods."""

from typing import NamedTuple

import numpy as np

from ecbench.episode import Episode
from ecbench.market.best_shelf import Column
from ecbench.market.books import SoldGoods, Store
from ecbench.market.calendar import is_running
from ecbench.market.demand import NO_OFFER, Offer, offer_on
from ecbench.players.merchants.insider.floor_orders import (
    FloorOrder,
    Seller,
    left_in_week,
    letter_to,
    orders_left,
    unit_price,
)
from ecbench.players.merchants.insider.plans import CLEARANCE_DAYS, NEAR, InsiderPlans, in_order
from ecbench.players.merchants.protocol import Routine, call
from ecbench.rules import SPEEDS
from ecbench.sums import ordered_sum
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


class InsiderTrading:
    """Carries plans out, call by call."""

    def __init__(self, episode: Episode, days: int) -> None:
        self.episode = episode
        self.plans = InsiderPlans(episode, days)
        self.promotion: Promotion | None = None
        self.ratios: dict[str, dict[str, float]] = {}  # by store type and SKU: what customers pay over reference

    def one_day(self) -> Routine[None]:
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
            self.ratios.clear()
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
            free = (stock.product.category for stock in books.stock.values() if stock.free > 0)
            if plans.open_store(name) or not self._has_time(OPEN + CLOSE) or not set(free) & set(store_type.categories):
                continue
            if len(books.trading) >= plans.rules.max_stores:
                unwanted = [store for store in books.trading if store.type.id not in plans.wanted]
                if not unwanted:
                    continue
                emptiest = min(
                    unwanted, key=lambda store: ordered_sum(x.quantity * x.price for x in store.shelf.values())
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
        for store in self.episode.account.books.trading if best is not None else ():
            joined = store.enrolment is not None and store.enrolment.promotion is best
            if best is not None and not joined and self._has_time(JOIN):
                rate = rules.full_boost_discount
                yield [call("join_promotion", store_id=store.id, event_name=best.name, discount_rate=rate)]
        before, self.promotion = self.promotion, best
        return before is not best

    def _offer(self, store: Store) -> Offer:
        """The offer of a store tonight."""
        if store.enrolment is None:
            return NO_OFFER
        date = self.episode.account.market.date
        return offer_on(store.enrolment.promotion, store.enrolment.discount, date, self.plans.rules)

    def _fill_shelves(self) -> Routine[None]:
        books = self.episode.account.books
        for store in list(books.trading):
            repriced = store.type.id not in self.ratios
            if repriced:
                self.ratios[store.type.id] = self._list_ratios(store)
            prices = {
                sku: round(ratio * self.plans.world.product_by_sku[sku].reference_price, 2)
                for sku, ratio in self.ratios[store.type.id].items()
            }
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

    def _list_ratios(self, store: Store) -> dict[str, float]:
        """List prices over reference prices, raised by what a running promotion takes off."""
        offer = self._offer(store)
        span = NEAR if offer is NO_OFFER else (0, 1)
        plan = self.plans.shelf(store.type.id, span, self.plans.cash_price, store.reputation, offer)
        ratios = zip(self.plans.goods[store.type.id].products, plan.ratio.tolist(), strict=True)
        return {product.sku: ratio / (1.0 - offer.discount) for product, ratio in ratios}

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
            units = None if seller is None else self._units_to_order(need, seller)
            if seller is not None and units is not None:
                order, spent = self._affordable(need.products, seller, units, budget)
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

    def _units_to_order(self, need: MissingUnits, seller: Seller) -> Column | None:
        """What is missing, as far as the seller has it; None if it is too little for an order."""
        between = self._days_between_orders(need.category)
        whole = between / (between + self.plans.stock_days(self.plans.cash_price))
        if need.worth < max(SHORTAGE, whole) * need.target:
            return None
        left, asked = left_in_week(self.episode, seller.supplier), float(need.lacking.sum()) / seller.delivered
        return need.lacking / seller.delivered * min(1.0, left / max(1.0, asked))

    def _affordable(
        self, products: tuple[Product, ...], seller: Seller, units: Column, budget: float
    ) -> tuple[FloorOrder, float]:
        """Whole units, dearest goods first, and what they cost; fractions are passed on to the next SKU."""
        wants: dict[str, int] = {}
        spent = rest = 0.0
        for product, number in zip(products, units.tolist(), strict=True):
            rest += number
            price = unit_price(self.episode, seller.supplier, product.sku)
            count = min(int(rest), int((budget - spent) / price))
            if count > 0:
                rest -= count
                spent += count * price + 0.01  # at most, of rounding
                wants[product.sku] = count
        return FloorOrder(seller.supplier, wants), spent
