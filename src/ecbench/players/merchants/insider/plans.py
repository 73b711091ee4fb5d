"""The insider's plans: which stores to run, what to list at which price, and what goods and money are worth.

Two prices ration what is short. The price of cash is what a yuan spent on goods has to bring beyond itself, so that all
that is planned can be paid. The price that is asked for goods of a category is where the wants of the rest of the year
meet what its sellers can still deliver.
"""

import datetime as dt
from math import exp, inf
from statistics import fmean

import numpy as np

from ecbench.episode import Episode
from ecbench.market.books import Store
from ecbench.market.demand import NO_OFFER, Offer
from ecbench.market.price_columns import Column
from ecbench.players.merchants.insider.floor_orders import left_in_year, orders_left, sellers_of
from ecbench.players.merchants.insider.shelf_optimum import ShelfPlan, StoreOutlook, margins, outlook_of
from ecbench.sums import ordered_sum

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
BETTER, WORTH_A_MOVE, LAST_MOVE = 1.3, 500.0, 60  # what another trade must promise; days left
LEAST_RESERVE, RESERVE_DAYS = 1_000.0, 2  # yuan, and days of costs
FIRST_RESERVE = 5_000.0  # before any income, beside fees for listings
NOT_FOR_SALE = 1e6  # over reference: of goods that nobody sells any more
DEARER_FEE, CHEAPER_FEE, ROOM = 1.25, 0.9, 0.8  # how the claim on a listing moves where listings are limited


class InsiderPlans:
    """What the insider knows and intends; it reads the episode and changes nothing in it."""

    def __init__(self, episode: Episode, days: int, most_listings: int | None) -> None:
        self.episode, self.days, self.most_listings = episode, days, most_listings
        self.economy = episode.account.economy
        self.world, self.rules = episode.world, self.economy.rules
        self.outlooks = {each.id: outlook_of(self.economy, each) for each in self.world.store_types}
        self.sellers = {each.name: sellers_of(episode, each.name) for each in self.world.categories}
        self.asked = {name: found[0].cost if found else inf for name, found in self.sellers.items()}
        self.cash_price = FIRST_CASH_PRICE
        self.claim = self.rules.listing_fee  # what a listing has to earn a day
        self.wanted: list[str] = []  # store types
        self.orders: dict[str, ShelfPlan] = {}  # by store type: what should be on sale when goods ordered today arrive
        self.freight = 0.0  # of the last shipping
        self.paid_out = False  # whether any sale has been paid out

    @property
    def days_left(self) -> int:
        return self.days - self.episode.day

    @property
    def closing(self) -> bool:
        return self.days_left <= CLOSING_DAYS

    def open_store(self, kind: str) -> Store | None:
        return next((store for store in self.episode.account.books.trading if store.type.id == kind), None)

    def reputation(self, kind: str) -> float:
        """Of a store when goods that are ordered today are on sale."""
        store, rules = self.open_store(kind), self.rules
        if store is None:
            return NEW_REPUTATION if self.cash_price > SCARCE / 2 else SETTLED_REPUTATION
        sold = (
            ordered_sum(float(line.units.sum()) for line in self.orders[kind].lines.values())
            if kind in self.orders
            else 0.0
        )
        shipped = store.shipped + SCARCE * CASH_DAYS * sold
        goodwill = rules.goodwill_base + rules.goodwill_span / (
            1.0 + exp((rules.goodwill_midpoint - shipped) / rules.goodwill_scale)
        )
        penalty = min(rules.penalty_cap, rules.return_weight * store.recent_returned / max(1.0, store.recent_sold))
        return max(rules.reputation_floor, min(1.0, goodwill - penalty))

    def shelf(
        self, kind: str, span: tuple[int, int], cash_price: float, reputation: float, offer: Offer = NO_OFFER
    ) -> ShelfPlan:
        """The best shelf of a store type on the days ahead from `span[0]` until before `span[1]`."""
        outlook, drift = self.outlooks[kind], self.economy.drift_factor
        first = min(span[0], self.days_left - 1)
        today = self.episode.account.market.date
        dates = [today + dt.timedelta(days=day) for day in range(first, max(first + 1, min(span[1], self.days_left)))]
        visitors = reputation * offer.traffic * fmean(self.economy.traffic[kind][day] for day in dates)
        middle = dates[len(dates) // 2]
        traffic = {line.category.name: visitors * drift(line.category, middle) for line in outlook.lines}
        fee = (1.0 + cash_price) * self.claim  # paid long before sales are paid out, like goods
        return outlook.best_shelf(self.economy, traffic, self._worth(outlook, cash_price), fee, offer.boost)

    def _worth(self, outlook: StoreOutlook, cash_price: float) -> dict[str, Column]:
        names = [line.category.name for line in outlook.lines]
        costs = [self._cost(name, cash_price) for name in names]
        tables = [margins(line, cost, self.rules) for line, cost in zip(outlook.lines, costs, strict=True)]
        return dict(zip(names, tables, strict=True))

    def _cost(self, category: str, cash_price: float) -> float:
        """Of a unit over its reference price."""
        if self.closing:
            return self.asked[category]
        now = self.cheapest(category)
        if now == inf:
            return NOT_FOR_SALE
        premium = max(0.0, self.asked[category] - now)
        return (1.0 + cash_price) * now + premium * float((1.0 + cash_price) ** -SCARCE_MONEY)

    def cheapest(self, category: str) -> float:
        """The cost at the cheapest seller that still takes orders."""
        left = (each.cost for each in self.sellers[category] if orders_left(self.episode, each.supplier) > 0)
        return min(left, default=inf)

    def held(self) -> dict[str, int]:
        """Units in the warehouse, on shelves and on their way."""
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
        stores = ordered_sum(store.operating + self.rules.listing_fee * store.listings for store in books.trading)
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
        reputations = {kind: self.reputation(kind) for kind in self.wanted}

        def shelves(price: float) -> dict[str, ShelfPlan]:
            return {kind: self.shelf(kind, FAR, price, known) for kind, known in reputations.items()}

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
        self._limit_listings()

    def _spending(self, plans: dict[str, ShelfPlan], held: dict[str, int], cash_price: float) -> float:
        """What the plans spend on goods until sales of today are paid out."""
        days, total = self.stock_days(cash_price) + CASH_DAYS, 0.0
        for kind, plan in plans.items():
            for line in self.outlooks[kind].lines:
                kept = plan.lines[line.category.name].kept
                if kept.any():
                    have = np.array([held.get(each.sku, 0) for each in line.products])
                    lacking = np.maximum(0.0, days * kept - have)
                    total += self.cheapest(line.category.name) * float(lacking @ line.reference)
        return total

    def _listings(self) -> int:
        """That are planned."""
        lines = [line for plan in self.orders.values() for line in plan.lines.values()]
        return sum(int((line.units > 0.0).sum()) for line in lines)

    def _limit_listings(self) -> None:
        if self.most_listings is not None:
            listings = self._listings()
            few = listings < ROOM * self.most_listings
            factor = DEARER_FEE if listings > self.most_listings else CHEAPER_FEE if few else 1.0
            self.claim = max(self.rules.listing_fee, max(1.0, self.claim) * factor)

    def _price_supply(self) -> None:
        """Ask more for goods of which the rest of the year wants more than there will be, less for the others."""
        if not self.rules.weekly_supply and not self.closing:
            return
        held, step, days = self.held(), FIRST_SUPPLY_STEP, max(1, self.days_left - (2 if self.closing else LEAD_DAYS))
        lines = {kind: self.outlooks[kind].lines for kind in self.wanted}
        left = {line.category.name: self._still_sold(line.category.name) for kind in lines for line in lines[kind]}
        span = (0 if self.closing else LEAD_DAYS, self.days_left)
        for _ in range(SUPPLY_STEPS):
            for kind in self.wanted:
                store = self.open_store(kind)
                reputation = max(SETTLED_REPUTATION - 0.05, 0.0 if store is None else store.reputation)
                plan = self.shelf(kind, span, 0.0, reputation)
                for line in lines[kind]:
                    name, asked = line.category.name, self.asked[line.category.name]
                    wants = float(plan.lines[name].kept.sum()) * days
                    there = float(sum(held.get(each.sku, 0) for each in line.products))
                    there += ordered_sum(units for cost, units in left[name] if cost <= asked + 1e-9)
                    self.asked[name] = max(self._least_worth(name), asked + (step if wants > there else -step))
            step *= SUPPLY_STEP_SHARE

    def _still_sold(self, category: str) -> list[tuple[float, float]]:
        """By seller what a unit costs, and how many can still be bought and sold in time."""
        if self.closing:
            return []
        days = self.days_left - LEAD_DAYS
        return [(each.cost, left_in_year(self.episode, each, days)) for each in self.sellers[category]]

    def _least_worth(self, category: str) -> float:
        """Of a unit over its reference price: what it costs, or what it brings when the year ends."""
        if self.closing:
            return self.rules.closing_stock_share * self.world.category_by_name[category].floor_ratio
        return min((each.cost for each in self.sellers[category]), default=NOT_FOR_SALE)

    def rank_stores(self) -> None:
        """Choose the best store types at today's price of cash; one that is open has the advantage."""
        if self.wanted and self.days_left < LAST_MOVE:
            return
        values = {}
        for kind in self.outlooks:
            operating = self.rules.operating_cost[self.world.store_type_by_id[kind].tier]
            value = self.shelf(kind, SEASON, self.cash_price, self.reputation(kind)).earned - operating
            values[kind] = value * BETTER + WORTH_A_MOVE if self.open_store(kind) else value
        best = sorted(values, key=lambda kind: -values[kind])[: self.rules.max_stores]
        self.wanted = [kind for kind in best if values[kind] > 0.0]
