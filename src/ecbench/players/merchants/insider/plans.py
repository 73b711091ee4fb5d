"""The insider's plans: which stores to run, what to list at which price, and what goods and money are worth.

The price of cash rations money: what a yuan spent on goods has to bring beyond itself. The price asked for goods of a
category is where the wants of the rest of the year meet what its sellers can still deliver.
"""

import datetime as dt
from math import inf
from statistics import fmean
from typing import NamedTuple

import numpy as np

from ecbench.episode import Episode
from ecbench.market.best_shelf import Assortment, Column, assortment, best_shelf
from ecbench.market.books import Store
from ecbench.market.demand import NO_OFFER, Offer
from ecbench.market.storefronts import standing
from ecbench.players.merchants.insider.floor_orders import left_in_year, orders_left, sellers_of
from ecbench.sums import ordered_sum
from ecbench.world.model import StoreType

LOWEST_RATIO, HIGHEST_RATIO, RATIOS = 0.6, 60.0, 72  # prices over reference that are tried
SHELF_DAYS = 8  # a unit waits in the warehouse
NEAR, FAR, SEASON = (0, 5), (6, 17), (6, 66)  # days ahead that prices, orders and the choice of stores are for
LEAD_DAYS = 6
# Days beyond the lead time that stock should last: while money lies idle, while all of it works, while there is little.
IDLE_COVER, COVER, SCARCE_COVER = 18.0, 9.0, 3.0
SCARCE = 0.6  # the price of cash from which money is little
CLEARANCE_DAYS = 3  # left when stock should be sold
CLOSING_DAYS = 12  # days left, in which nothing is ordered and what is there is sold
CASH_DAYS, ESCROW_SHARE = 8, 0.6  # until sales of today are paid out; of what is held, what returns leave
FIRST_CASH_PRICE, CASH_PRICE_STEP, CASH_PRICE_TRIALS = 3.0, 1.5, 5
SUPPLY_STEPS, FIRST_SUPPLY_STEP, SUPPLY_STEP_SHARE = 6, 0.25, 0.6  # over reference; each over the one before
SCARCE_MONEY = 2.0  # power of 1 + price of cash by which a premium is divided: sales of today are worth more then
NEW_REPUTATION, SETTLED_REPUTATION = 0.38, 0.85  # expected of a store that is not open: with little money, with plenty
BETTER, WORTH_A_MOVE, LAST_MOVE = 1.3, 500.0, 60  # what another store type must promise; days left
LEAST_RESERVE, RESERVE_DAYS = 1_000.0, 2  # yuan, and days of costs
FIRST_RESERVE = 5_000.0  # before any income, beside fees for listings
NOT_FOR_SALE = 1e6  # over reference: of goods that nobody sells any more
DEARER_FEE, CHEAPER_FEE, ROOM = 1.25, 0.9, 0.8  # how the claim on a listing moves where listings are limited
LIMIT_STEPS = 12  # of that claim at once


class ShelfPlan(NamedTuple):
    """What a store should list: the price over reference of each product, and units a day; 0 if it is not listed."""

    earned: float  # a day, by the margins that it was made with, before operating cost
    ratio: Column
    units: Column
    kept: Column  # of the units, those that do not come back


class InsiderPlans:
    """What the insider knows and intends; it reads the episode and changes nothing in it."""

    def __init__(self, episode: Episode, days: int) -> None:
        self.episode, self.days = episode, days
        self.economy = episode.account.economy
        self.world, self.rules = episode.world, self.economy.rules
        self.goods = {each.id: self._goods(each) for each in self.world.store_types}
        self.sellers = {each.name: sellers_of(episode, each.name) for each in self.world.categories}
        self.asked = {name: found[0].cost if found else inf for name, found in self.sellers.items()}
        self.cash_price = FIRST_CASH_PRICE
        self.claim = self.rules.listing_fee  # what a listing has to earn a day
        self.wanted: list[str] = []  # store types
        self.orders: dict[str, ShelfPlan] = {}  # by store type: what should be on sale when goods ordered today arrive
        self.freight = 0.0  # of the last shipping
        self.paid_out = False  # whether any sale has been paid out

    def _goods(self, store_type: StoreType) -> Assortment:
        """The dearest goods of each category first."""
        shelves = self.world.products_by_category
        by_category = [
            (self.world.category_by_name[name], sorted(shelves[name], key=lambda product: -product.reference_price))
            for name in store_type.categories
        ]
        ratios = np.geomspace(LOWEST_RATIO, min(HIGHEST_RATIO, self.rules.price_ceiling), RATIOS)
        return assortment(store_type, by_category, self.rules, ratios, SHELF_DAYS)

    @property
    def days_left(self) -> int:
        return self.days - self.episode.day

    @property
    def closing(self) -> bool:
        return self.days_left <= CLOSING_DAYS

    def open_store(self, store_type: str) -> Store | None:
        return next((store for store in self.episode.account.books.trading if store.type.id == store_type), None)

    def reputation(self, store_type: str) -> float:
        """The reputation of a store when goods that are ordered today are on sale."""
        store, planned = self.open_store(store_type), self.orders.get(store_type)
        if store is None:
            return NEW_REPUTATION if self.cash_price > SCARCE / 2 else SETTLED_REPUTATION
        sold = 0.0 if planned is None else float(planned.units.sum())
        shipped = store.shipped + SCARCE * CASH_DAYS * sold
        return standing(shipped, store.recent_sold, store.recent_returned, store.recent_cancelled, self.rules)

    def shelf(
        self, store_type: str, span: tuple[int, int], cash_price: float, reputation: float, offer: Offer = NO_OFFER
    ) -> ShelfPlan:
        """The best shelf of a store type on the days ahead from `span[0]` until before `span[1]`."""
        goods, first = self.goods[store_type], min(span[0], self.days_left - 1)
        today = self.episode.account.market.date
        dates = [today + dt.timedelta(days=day) for day in range(first, max(first + 1, min(span[1], self.days_left)))]
        visitors = reputation * offer.traffic * fmean(self.economy.traffic[store_type][day] for day in dates)
        middle = dates[len(dates) // 2]
        traffic = np.array([visitors * self.economy.drift_factor(each, middle) for each in goods.categories])
        fee = (1.0 + cash_price) * self.claim  # paid long before sales are paid out, like goods
        costs = [self._cost(each.name, cash_price) for each in goods.categories]
        earned, columns, units = best_shelf(goods.shelf(costs, offer.boost), traffic, fee)
        return ShelfPlan(earned, goods.ratios[columns], units, units * goods.kept[0][np.arange(len(columns)), columns])

    def _cost(self, category: str, cash_price: float) -> float:
        """The cost of a unit over its reference price."""
        if self.closing:
            return self.asked[category]
        now = self.cheapest(category)
        if now == inf:
            return NOT_FOR_SALE
        premium = max(0.0, self.asked[category] - now)
        return (1.0 + cash_price) * now + premium * float((1.0 + cash_price) ** -SCARCE_MONEY)

    def cheapest(self, category: str) -> float:
        """The cost at the cheapest seller that still takes orders."""
        sellers = self.sellers[category]  # by their cost
        return next((each.cost for each in sellers if orders_left(self.episode, each.supplier) > 0), inf)

    def held(self) -> dict[str, int]:
        """Units in the warehouse, on shelves and on their way, by SKU."""
        books = self.episode.account.books
        found = {sku: stock.physical for sku, stock in books.stock.items()}
        for orders in books.in_transit.values():
            for order in orders:
                if order.product is not None:
                    found[order.product.sku] = found.get(order.product.sku, 0) + order.delivered
        return found

    def stock_days(self, cash_price: float) -> float:
        """How long stock should last, with what is on its way."""
        purse = self.episode.account.books.purse
        cover = COVER - (COVER - SCARCE_COVER) * min(1.0, cash_price / SCARCE)
        if not cash_price and purse.bank > purse.escrow:
            cover = IDLE_COVER
        return max(0.0, min(LEAD_DAYS + cover, self.days_left - CLEARANCE_DAYS))

    def reserve(self) -> float:
        """What is kept in the bank for stores, listings, storage and freight."""
        books = self.episode.account.books
        stores = ordered_sum(store.operating for store in books.trading)
        daily = stores + books.storage_today + self.freight
        if not self.paid_out:
            listings = max(self._listings(), sum(store.listings for store in books.trading))
            return FIRST_RESERVE + (self.rules.escrow_days + 1) * self.rules.listing_fee * listings
        return LEAST_RESERVE + (RESERVE_DAYS + books.unpaid_days) * daily

    def plan_orders(self) -> None:
        """Find the prices of goods and of cash, and the shelves that they lead to."""
        self._price_supply()
        purse, held = self.episode.account.books.purse, self.held()
        money = purse.bank + purse.wallet + ESCROW_SHARE * purse.escrow - self.reserve()
        reputations = {name: self.reputation(name) for name in self.wanted}

        def shelves(price: float) -> dict[str, ShelfPlan]:
            return {name: self.shelf(name, FAR, price, known) for name, known in reputations.items()}

        # Prices on the shelves follow the price of cash, so it moves by steps, and not with the money of single days.
        low = price = max(0.0, self.cash_price / CASH_PRICE_STEP - 0.02)
        high, plans = self.cash_price * CASH_PRICE_STEP + 0.02, shelves(low)
        if self._spending(plans, held, low) > money:
            for _ in range(CASH_PRICE_TRIALS):
                price = (low + high) / 2
                if self._spending(shelves(price), held, price) > money:
                    low = price
                else:
                    high = price
            price, plans = high, shelves(high)
        self.cash_price, self.orders = price, plans
        most = self.rules.most_listings
        for _ in range(LIMIT_STEPS if most else 0):  # more is asked of a listing if too many are planned
            listings = self._listings()
            factor = DEARER_FEE if listings > most else CHEAPER_FEE if listings < ROOM * most else 1.0
            self.claim = max(self.rules.listing_fee, max(1.0, self.claim) * factor)
            if listings <= most:
                break
            self.orders = shelves(price)

    def _spending(self, plans: dict[str, ShelfPlan], held: dict[str, int], cash_price: float) -> float:
        """What the plans spend on goods until sales of today are paid out."""
        days, total = self.stock_days(cash_price) + CASH_DAYS, 0.0
        for name, plan in plans.items():
            goods = self.goods[name]
            lacking = np.maximum(0.0, days * plan.kept - in_order(goods, held)) * (plan.kept > 0.0)
            worth = np.add.reduceat(lacking * goods.reference, goods.starts)
            total += ordered_sum(
                self.cheapest(category.name) * lacked
                for category, lacked in zip(goods.categories, worth.tolist(), strict=True)
                if lacked
            )
        return total

    def _listings(self) -> int:
        """That are planned."""
        return sum(int(np.count_nonzero(plan.units)) for plan in self.orders.values())

    def _price_supply(self) -> None:
        """Ask more for goods of which the rest of the year wants more than there will be, less for the others."""
        if not self.rules.weekly_supply and not self.closing:
            return
        held, step, days = self.held(), FIRST_SUPPLY_STEP, max(1, self.days_left - (2 if self.closing else LEAD_DAYS))
        span = (0 if self.closing else LEAD_DAYS, self.days_left)
        for _ in range(SUPPLY_STEPS):
            for store_type in self.wanted:
                store, goods = self.open_store(store_type), self.goods[store_type]
                reputation = max(SETTLED_REPUTATION - 0.05, 0.0 if store is None else store.reputation)
                plan = self.shelf(store_type, span, 0.0, reputation)
                wants = np.add.reduceat(plan.kept, goods.starts) * days
                have = np.add.reduceat(in_order(goods, held), goods.starts)
                for category, short in zip(goods.categories, (wants - have).tolist(), strict=True):
                    name, asked = category.name, self.asked[category.name]
                    sellers = [each for each in self.sellers[name] if each.cost <= asked + 1e-9]
                    # That can still be bought at this cost and sold in time.
                    there = 0.0 if self.closing else left_in_year(self.episode, sellers, self.days_left - LEAD_DAYS)
                    self.asked[name] = max(self._least_worth(name), asked + (step if short > there else -step))
            step *= SUPPLY_STEP_SHARE

    def _least_worth(self, category: str) -> float:
        """The least worth of a unit over its reference price: what it costs, or what it brings when the year ends."""
        if self.closing:
            return self.rules.closing_stock_share * self.world.category_by_name[category].floor_ratio
        return min((each.cost for each in self.sellers[category]), default=NOT_FOR_SALE)

    def rank_stores(self) -> None:
        """Choose the best store types at today's price of cash; one that is open has the advantage."""
        if self.wanted and self.days_left < LAST_MOVE:
            return
        values = {}
        for store_type in self.world.store_types:
            name, operating = store_type.id, self.rules.operating_cost[store_type.tier]
            value = self.shelf(name, SEASON, self.cash_price, self.reputation(name)).earned - operating
            values[name] = value * BETTER + WORTH_A_MOVE if self.open_store(name) else value
        best = sorted(values, key=lambda name: -values[name])[: self.rules.max_stores]
        self.wanted = [name for name in best if values[name] > 0.0]


def in_order(goods: Assortment, held: dict[str, int]) -> Column:
    """The units that are held of each product."""
    return np.array([held.get(product.sku, 0) for product in goods.products], dtype=float)
