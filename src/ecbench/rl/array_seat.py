"""One seat of the numeric environment: what its slots stand for, and its day by an action.

A day is one step: what the action asks for, in a fixed order and as far as it fits into the working day, then the wait
for the morning and the looks there.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecbench.rl.array_layout import GOODS, SHOP, STORES, SUPPLIERS, TRADES, ArrayField, ArraySizes
from ecbench.rl.seat_door import MINUTES, Answers, Door, TradeOverview
from ecbench.rules import SPEEDS, Rules
from ecbench.suppliers.grammar import BargainAction

Floats = NDArray[np.float64]
LEAST_BID = 0.01  # yuan


def places(block: tuple[ArrayField, ...]) -> dict[str, int]:
    """Where each field of a block stands."""
    return {field.name: place for place, field in enumerate(block)}


AT_SHOP, AT_TRADE, AT_STORE, AT_SUPPLIER, AT_GOODS = map(places, (SHOP, TRADES, STORES, SUPPLIERS, GOODS))
SHELF, PRICE, FREE, COMING = (AT_GOODS[name] for name in ("shelf", "price", "free", "coming"))
QUOTE, PAID, RIVAL = (AT_GOODS[name] for name in ("quote", "paid", "rival"))


class DealPlan(NamedTuple):
    """One category to buy in: whom to write to, and how to bargain."""

    store: int  # slot
    category: int  # slot
    supplier: int  # slot
    wants: list[tuple[int, int]]  # slot and units
    bid: float
    step: float
    rounds: int
    fair: float


class DayPlan(NamedTuple):
    """What an action asks of one seat's day."""

    ship: int  # number of a speed; 0: none
    withdraw: bool
    open: int  # number of a trade; 0: none
    close: int  # number of a store; 0: none
    discounts: list[float]  # by store
    listing: list[tuple[int, int, float]]  # slot, free units to list, price
    deals: list[DealPlan]  # most urgent first


class Rows(NamedTuple):
    """One seat's part of the arrays: of the observation, and of what the environment remembers."""

    shop: Floats
    trades: Floats
    stores: Floats
    suppliers: Floats
    goods: Floats  # by slot
    evening: Floats  # units on the shelf when the day ended, by slot
    delivered: Floats  # units to date, by slot
    returned: Floats  # units to date, by slot
    ordered_on: Floats  # day of the last order, by slot


class ArraySeat:
    """A seat's slots and its days."""

    __slots__ = ("_addresses", "_closing", "_days", "_goods", "_joined", "_month", "_promotion", "_rows", "_sizes",
                 "_start", "_stores", "_trades", "door")  # fmt: skip

    def __init__(self, door: Door, rows: Rows, sizes: ArraySizes, rules: Rules, start: date, days: int) -> None:
        self.door = door
        self._rows = rows
        self._sizes = sizes
        self._start, self._days = start, days
        self._closing = 60 * rules.closing_hour
        self._stores = [""] * rules.max_stores  # ids, by slot
        self._joined = [""] * rules.max_stores  # the last promotion that was tried, by slot
        self._goods: list[tuple[str, float]] = [("", 0.0)] * len(rows.goods)  # SKU and reference price, by slot
        self._addresses: dict[tuple[int, int], list[str]] = {}  # of suppliers, by store and category
        self._trades: list[TradeOverview] = []
        self._promotion = ""  # the one announced last
        self._month = 0

    def begin(self) -> None:
        """The first morning: an overview of the market, then the looks of every morning."""
        for row in self._rows:
            row[...] = 0
        self._rows.shop[AT_SHOP["promotion_age"]] = -1
        self._rows.ordered_on[...] = -1e9
        self._trades = self.door.overview()[: self._sizes.trades]
        for place, trade in enumerate(self._trades):
            row = self._rows.trades[place]
            row[AT_TRADE["daily_cost"]], row[AT_TRADE["categories"]] = trade.daily_cost, len(trade.categories)
        self.look()

    def look(self) -> None:
        """Write what the morning's looks show; after the last morning there are none."""
        if self.door.over:
            return
        door, rows, day = self.door, self._rows, self.door.day
        announced, age = door.announced(), rows.shop[AT_SHOP["promotion_age"]]
        if announced is not None:
            self._promotion, age = announced, 0.0
        elif age >= 0:
            age += 1
        open_slots = [slot for slot, store in enumerate(self._stores) if store]
        looks = door.look([self._stores[slot] for slot in open_slots])
        today = self._start + timedelta(days=day)
        rows.shop[:] = (day, self._days - day, today.weekday(), today.month, door.minute, *looks.money, age)
        for slot, (reputation, discount) in zip(open_slots, looks.stores, strict=True):
            row = rows.stores[slot]
            row[AT_STORE["age"]] += 1
            row[AT_STORE["reputation"]], row[AT_STORE["discount"]] = reputation, discount
        if today.month != self._month:
            self._turn_month(today.month)
        if looks.listed:
            rows.goods[looks.listed, SHELF] = looks.units
            rows.goods[looks.listed, PRICE] = looks.prices
        if looks.held:
            rows.goods[looks.held, FREE] = looks.free
            rows.delivered[looks.held] = looks.delivered
            rows.returned[looks.held] = looks.returned
        if looks.rivals or rows.goods[:, RIVAL].any():
            rows.goods[:, RIVAL] = 0
            for slot, price in looks.rivals.items():
                rows.goods[slot, RIVAL] = price

    def _turn_month(self, month: int) -> None:
        self._month = month
        for place, trade in enumerate(self._trades):
            row = self._rows.trades[place]
            row[AT_TRADE["season"]], row[AT_TRADE["next_season"]] = trade.seasons[month - 1], trade.seasons[month % 12]

    def day(self, plan: DayPlan) -> Iterator[None]:
        """Play a day, with a pause after every turn: another seat may be earlier on the clock."""
        door, shop = self.door, self._rows.shop
        if plan.ship and shop[AT_SHOP["unshipped"]] > 0 and self._fits("ship_orders"):
            door.ship(SPEEDS[plan.ship - 1])
        if plan.withdraw and shop[AT_SHOP["wallet"]] > 0 and self._fits("withdraw"):
            door.withdraw()
        if 0 < plan.open <= len(self._trades):
            self._open(plan.open)
        if plan.listing:
            self._list(plan.listing)
        if self._promotion:
            self._join(plan.discounts)
        yield
        for deal in plan.deals:
            yield from self._bargain(deal)
        if plan.close:
            self._close(plan.close - 1)
        door.wait()

    def _fits(self, *names: str) -> bool:
        """Whether these calls end before the working day does."""
        return self.door.minute + sum([MINUTES[name] for name in names]) < self._closing

    def _open(self, number: int) -> None:
        """Open a store in the first slot without one, and look for its goods and suppliers."""
        if "" not in self._stores or not self._fits("open_store", "list_products", "supplier_search"):
            return
        overview = self._trades[number - 1]
        trade = self.door.open(overview.kind)
        if trade is None:
            return
        slot, sizes, rows = self._stores.index(""), self._sizes, self._rows
        self._stores[slot] = trade.store
        rows.stores[slot, AT_STORE["trade"]] = number
        rows.trades[number - 1, AT_TRADE["open"]] = 1
        for place, category in enumerate(overview.categories[: sizes.categories]):
            addresses = trade.suppliers.get(category, [])[: sizes.suppliers]
            self._addresses[slot, place] = addresses
            rows.suppliers[slot, place, : len(addresses), AT_SUPPLIER["known"]] = 1
            dearest = sorted(trade.goods[category], key=lambda goods: -goods[1])[: sizes.goods]
            first = (slot * sizes.categories + place) * sizes.goods
            for at, (sku, reference) in enumerate(dearest, first):
                self.door.slots[sku] = at
                self._goods[at] = sku, reference
                rows.goods[at, AT_GOODS["reference"]] = reference
        self.door.forget_slots()

    def _list(self, listing: list[tuple[int, int, float]]) -> None:
        """List free units store by store, and change the prices of goods without any."""
        width = self._sizes.categories * self._sizes.goods
        plans: dict[int, tuple[list[tuple[str, int, float]], list[tuple[str, float]]]] = {}
        for slot, units, price in listing:
            publishing, prices = plans.setdefault(slot // width, ([], []))
            sku = self._goods[slot][0]
            if units:
                publishing.append((sku, units, price))
            else:
                prices.append((sku, price))
        for store, (publishing, prices) in plans.items():
            if publishing and self._fits("publish_to_store"):
                self.door.publish(self._stores[store], publishing)
                for sku, units, _ in publishing:
                    self._rows.evening[self.door.slots[sku]] += units
                    self._rows.goods[self.door.slots[sku], FREE] = 0
            if prices and self._fits("set_prices"):
                self.door.set_prices(self._stores[store], prices)

    def _join(self, discounts: list[float]) -> None:
        """Each store tries each promotion once."""
        for slot, discount in enumerate(discounts):
            store, new = self._stores[slot], self._joined[slot] != self._promotion
            if discount > 0 and store and new and self._fits("join_promotion"):
                self._joined[slot] = self._promotion
                self.door.join(store, self._promotion, round(discount, 2))

    def _close(self, slot: int) -> None:
        """Close a store, sell off its shelf and empty its slot."""
        if not self._stores[slot] or not self._fits("close_store"):
            return
        self.door.close(self._stores[slot])
        rows, sizes = self._rows, self._sizes
        rows.trades[int(rows.stores[slot, AT_STORE["trade"]]) - 1, AT_TRADE["open"]] = 0
        rows.stores[slot] = 0
        rows.suppliers[slot] = 0
        width = sizes.categories * sizes.goods
        mine = slice(slot * width, (slot + 1) * width)
        for sku, _ in self._goods[mine]:
            self.door.slots.pop(sku, None)
        self._goods[mine] = [("", 0.0)] * width
        for row in (rows.goods, rows.evening, rows.delivered, rows.returned):
            row[mine] = 0
        self._stores[slot] = self._joined[slot] = ""
        self.door.forget_slots()

    def _bargain(self, deal: DealPlan) -> Iterator[None]:
        """Make offers round by round, then accept the quotes that are fair."""
        addresses = self._addresses.get((deal.store, deal.category), [])
        row = self._rows.suppliers[deal.store, deal.category, deal.supplier]
        if deal.supplier >= len(addresses) or row[AT_SUPPLIER["closed"]]:
            return
        if not self._fits(*["chatbox"] * (deal.rounds + 1)):
            return
        address, wants, quotes = addresses[deal.supplier], dict(deal.wants), dict[int, float]()
        for number in range(deal.rounds):
            share = deal.bid + number * deal.step
            offers = [self._action("offer", slot, share * self._goods[slot][1], units) for slot, units in wants.items()]
            quotes = self._write(address, row, offers, first=number == 0)
            yield
            wants = {slot: units for slot, units in wants.items() if slot in quotes}
            if not wants:
                return
        fair = [slot for slot in wants if quotes[slot] <= deal.fair * self._goods[slot][1]]
        if fair:
            accepts = [self._action("accept", slot, quotes[slot], wants[slot]) for slot in fair]
            self._write(address, row, accepts, first=False)
            yield

    def _action(self, kind: str, slot: int, price: float, units: int) -> BargainAction:
        sku = self._goods[slot][0]
        if kind == "offer":
            return BargainAction("offer", sku, max(LEAST_BID, round(price, 2)), units)
        return BargainAction("accept", sku, round(price, 4), units)

    def _write(self, address: str, row: Floats, actions: list[BargainAction], *, first: bool) -> dict[int, float]:
        """Send a letter and note what came of it; return the quotes by slot."""
        answers = self.door.write(address, actions)
        goods, slots = self._rows.goods, self.door.slots
        row[AT_SUPPLIER["letters"]] += 1
        if answers.closed:
            row[AT_SUPPLIER["closed"]] = 1
        quotes = {slots[sku]: quote for sku, quote in answers.quotes.items()}
        for slot, quote in quotes.items():
            goods[slot, QUOTE] = quote / self._goods[slot][1]
        if quotes:
            mean = sum([quote / self._goods[slot][1] for slot, quote in quotes.items()]) / len(quotes)
            row[AT_SUPPLIER["last_quote"]] = mean
            if first:
                row[AT_SUPPLIER["first_quote"]] = mean
        self._note_orders(row, answers)
        return quotes

    def _note_orders(self, row: Floats, answers: Answers) -> None:
        for sku, units, price in answers.bought:
            slot = self.door.slots[sku]
            self._rows.goods[slot, COMING] += units
            self._rows.goods[slot, PAID] = price / self._goods[slot][1]
            self._rows.ordered_on[slot] = self.door.day
        if answers.bought:
            row[AT_SUPPLIER["orders"]] += 1
