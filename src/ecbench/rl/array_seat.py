"""One seat of the numeric environment: what its slots stand for, and its day by an action.

A day is one step: what the action asks for, in a fixed order and as far as it fits into the working day, then the wait
for the morning and the looks there.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecbench.rl.array_layout import AT_GOODS, AT_SHOP, AT_STORE, AT_SUPPLIER, AT_TRADE, ArraySizes
from ecbench.rl.seat_transport import MINUTES, Answers, SeatTransport, TradeOverview
from ecbench.rules import SPEEDS, Rules
from ecbench.suppliers.grammar import BargainAction

Floats = NDArray[np.float64]
LEAST_BID = 0.01  # yuan
SHELF, PRICE, FREE, COMING = (AT_GOODS[name] for name in ("shelf", "price", "free", "coming"))
QUOTE, PAID, RIVAL = (AT_GOODS[name] for name in ("quote", "paid", "rival"))
AGE, REPUTATION, DISCOUNT = (AT_STORE[name] for name in ("age", "reputation", "discount"))
UNSHIPPED, WALLET, PROMOTION_AGE = (AT_SHOP[name] for name in ("unshipped", "wallet", "promotion_age"))
LETTERS, ORDERS, CLOSED = (AT_SUPPLIER[name] for name in ("letters", "orders", "closed"))
FIRST_QUOTE, LAST_QUOTE = (AT_SUPPLIER[name] for name in ("first_quote", "last_quote"))


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


class StoreListing(NamedTuple):
    """What to do on one store's shelf."""

    publish: list[tuple[int, int, float]]  # slot, units and price
    reprice: list[tuple[int, float]]  # slot and price


class DayPlan(NamedTuple):
    """What an action asks of one seat's day."""

    ship: int  # number of a speed; 0: none
    withdraw: bool
    open: int  # number of a trade; 0: none
    close: int  # number of a store; 0: none
    discounts: list[float]  # by store
    listing: dict[int, StoreListing]  # by store
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

    __slots__ = (
        *(
            "_addresses",
            "_closing",
            "_days",
            "_goods",
            "_joined",
            "_month",
        ),
        *("_promotion", "_rivals", "_rows", "_setup_fee", "_sizes", "_start", "_stores", "_trades", "transport"),
    )

    def __init__(
        self, transport: SeatTransport, rows: Rows, sizes: ArraySizes, rules: Rules, start: date, days: int
    ) -> None:
        self.transport = transport
        self._rows = rows
        self._sizes = sizes
        self._start, self._days = start, days
        self._closing = 60 * rules.closing_hour
        self._setup_fee = rules.setup_fee
        self._stores = [""] * rules.max_stores  # ids, by slot
        self._joined = [""] * rules.max_stores  # the last promotion that was tried, by slot
        self._goods: list[tuple[str, float]] = [("", 0.0)] * len(rows.goods)  # SKU and reference price, by slot
        self._addresses: dict[tuple[int, int], list[str]] = {}  # of suppliers, by store and category
        self._trades: list[TradeOverview] = []
        self._promotion = ""  # the one announced last
        self._month = 0
        self._rivals = False  # whether the last look showed any

    def begin(self) -> None:
        """The first morning: an overview of the market, then the looks of every morning."""
        for row in self._rows:
            row[...] = 0
        self._rows.shop[PROMOTION_AGE] = -1
        self._rows.ordered_on[...] = -1e9
        self._trades = self.transport.overview()[: self._sizes.trades]
        for place, trade in enumerate(self._trades):
            row = self._rows.trades[place]
            row[AT_TRADE["daily_cost"]], row[AT_TRADE["categories"]] = trade.daily_cost, len(trade.categories)
        self.look()

    def look(self) -> None:
        """Write what the morning's looks show; after the last morning there are none."""
        if self.transport.over:
            return
        transport, rows, day = self.transport, self._rows, self.transport.day
        announced, age = transport.announced(), float(rows.shop[PROMOTION_AGE])
        if announced is not None:
            self._promotion, age = announced, 0.0
        elif age >= 0:
            age += 1
        open_slots = [slot for slot, store in enumerate(self._stores) if store]
        looks = transport.look([self._stores[slot] for slot in open_slots])
        today = self._start + timedelta(days=day)
        rows.shop[:] = (day, self._days - day, today.weekday(), today.month, transport.minute, *looks.money, age)
        if open_slots:
            rows.stores[open_slots, AGE] += 1
            rows.stores[open_slots, REPUTATION : DISCOUNT + 1] = looks.stores
        if today.month != self._month:
            self._turn_month(today.month)
        listed, held = np.array(looks.listed, np.intp), np.array(looks.held, np.intp)
        rows.goods[listed, SHELF] = looks.units
        rows.goods[listed, PRICE] = looks.prices
        rows.goods[held, FREE] = looks.free
        rows.delivered[held] = looks.delivered
        rows.returned[held] = looks.returned
        if looks.rivals or self._rivals:
            rows.goods[:, RIVAL] = 0
            for slot, price in looks.rivals.items():
                rows.goods[slot, RIVAL] = price
            self._rivals = bool(looks.rivals)

    def _turn_month(self, month: int) -> None:
        self._month = month
        for place, trade in enumerate(self._trades):
            row = self._rows.trades[place]
            row[AT_TRADE["season"]], row[AT_TRADE["next_season"]] = trade.seasons[month - 1], trade.seasons[month % 12]

    def day(self, plan: DayPlan) -> Iterator[None]:
        """Play a day, with a pause after every turn: another seat may be earlier on the clock."""
        transport, shop = self.transport, self._rows.shop
        if plan.ship and shop[UNSHIPPED] > 0 and self._fits("ship_orders"):
            transport.run("ship_orders", action="ship", speed=SPEEDS[plan.ship - 1])
        if plan.withdraw and shop[WALLET] > 0 and self._fits("withdraw"):
            transport.run("withdraw")
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
        transport.wait()

    def _fits(self, name: str, times: int = 1) -> bool:
        """Whether a call, or so many of its kind, ends before the working day does."""
        return self.transport.minute + times * MINUTES[name] < self._closing

    def _open(self, number: int) -> None:
        """Open a store in the first slot without one, and look for its goods and suppliers."""
        minutes = sum(MINUTES[name] for name in ("open_store", "list_products", "supplier_search"))
        if "" not in self._stores or self.transport.minute + minutes >= self._closing:
            return
        if self._rows.trades[number - 1, AT_TRADE["open"]] or self._rows.shop[AT_SHOP["bank"]] < self._setup_fee:
            return
        overview = self._trades[number - 1]
        trade = self.transport.open(overview.kind)
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
                self.transport.slots[sku] = at
                self._goods[at] = sku, reference
                rows.goods[at, AT_GOODS["reference"]] = reference

    def _list(self, listing: dict[int, StoreListing]) -> None:
        """List free units store by store, and change the prices of goods without any."""
        rows, goods = self._rows, self._goods
        for store, (publish, prices) in listing.items():
            if publish and self._fits("publish_to_store"):
                units_of = [
                    {"product_id": goods[slot][0], "quantity": units, "retail_price": price}
                    for slot, units, price in publish
                ]
                self.transport.run("publish_to_store", store_id=self._stores[store], plan=units_of)
                slots = [slot for slot, _, _ in publish]
                rows.evening[slots] += [units for _, units, _ in publish]
                rows.goods[slots, FREE] = 0
            if prices and self._fits("set_prices"):
                prices_of = [{"product_id": goods[slot][0], "price": price} for slot, price in prices]
                self.transport.run("set_prices", store_id=self._stores[store], prices=prices_of)

    def _join(self, discounts: list[float]) -> None:
        """Each store tries each promotion once."""
        for slot, discount in enumerate(discounts):
            store, new = self._stores[slot], self._joined[slot] != self._promotion
            if discount > 0 and store and new and self._fits("join_promotion"):
                self._joined[slot] = self._promotion
                named = {"store_id": store, "event_name": self._promotion}
                self.transport.run("join_promotion", **named, discount_rate=round(discount, 2))

    def _close(self, slot: int) -> None:
        """Close a store, sell off its shelf and empty its slot."""
        if not self._stores[slot] or not self._fits("close_store"):
            return
        self.transport.run("close_store", store_id=self._stores[slot], liquidate=True)
        rows, sizes = self._rows, self._sizes
        rows.trades[int(rows.stores[slot, AT_STORE["trade"]]) - 1, AT_TRADE["open"]] = 0
        rows.stores[slot] = 0
        rows.suppliers[slot] = 0
        width = sizes.categories * sizes.goods
        mine = slice(slot * width, (slot + 1) * width)
        for sku, _ in self._goods[mine]:
            self.transport.slots.pop(sku, None)
        self._goods[mine] = [("", 0.0)] * width
        for row in (rows.goods, rows.evening, rows.delivered, rows.returned):
            row[mine] = 0
        self._stores[slot] = self._joined[slot] = ""

    def _bargain(self, deal: DealPlan) -> Iterator[None]:
        """Make offers round by round, then accept the quotes that are fair."""
        addresses = self._addresses.get((deal.store, deal.category), [])
        row, goods = self._rows.suppliers[deal.store, deal.category, deal.supplier], self._goods
        if deal.supplier >= len(addresses) or row[CLOSED] or not self._fits("chatbox", deal.rounds + 1):
            return
        address, wants, quotes = addresses[deal.supplier], deal.wants, dict[int, float]()
        for number in range(deal.rounds):
            share = deal.bid + number * deal.step
            offers = []
            for slot, units in wants:
                sku, reference = goods[slot]
                offers.append(BargainAction("offer", sku, max(LEAST_BID, round(share * reference, 2)), units))
            quotes = self._write(address, row, offers, first=number == 0)
            yield
            wants = [want for want in wants if want[0] in quotes]
            if not wants:
                return
        fair = [
            BargainAction("accept", goods[slot][0], round(quotes[slot], 4), units)
            for slot, units in wants
            if quotes[slot] <= deal.fair * goods[slot][1]
        ]
        if fair:
            self._write(address, row, fair, first=False)
            yield

    def _write(self, address: str, row: Floats, actions: list[BargainAction], *, first: bool) -> dict[int, float]:
        """Send a letter and note what came of it; return the quotes by slot."""
        answers = self.transport.write(address, actions)
        slots = self.transport.slots
        row[LETTERS] += 1
        if answers.closed:
            row[CLOSED] = 1
        quotes = {slots[sku]: quote for sku, quote in answers.quotes.items()}
        if quotes:
            ratios = [quote / self._goods[slot][1] for slot, quote in quotes.items()]
            self._rows.goods[list(quotes), QUOTE] = ratios
            row[LAST_QUOTE] = mean = sum(ratios) / len(ratios)
            if first:
                row[FIRST_QUOTE] = mean
        if answers.bought:
            row[ORDERS] += 1
            self._note_orders(answers)
        return quotes

    def _note_orders(self, answers: Answers) -> None:
        for sku, units, price in answers.bought:
            slot = self.transport.slots[sku]
            self._rows.goods[slot, COMING] += units
            self._rows.goods[slot, PAID] = price / self._goods[slot][1]
            self._rows.ordered_on[slot] = self.transport.day
