"""One seat of the numeric environment: what its slots stand for, and its day by an action.

A day is one step: what the action asks for, in a fixed order and as far as it fits into the working day, then the wait
for the morning and the looks there.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecbench.decimals import money, ratio
from ecbench.market.books import Store
from ecbench.market.journal import PromotionAnnounced
from ecbench.market.marketplace import lowest_rival_prices
from ecbench.rl.array_layout import AT_GOODS, AT_SHOP, AT_STORE, AT_STORE_TYPE, AT_SUPPLIER, ArraySizes
from ecbench.rl.seat_transport import MINUTES, SeatTransport
from ecbench.rules import SPEEDS
from ecbench.sums import ordered_sum
from ecbench.suppliers.grammar import BargainAction

Floats = NDArray[np.float64]
LEAST_BID = 0.01  # yuan
LOOKS = ("check_balance", "check_warehouse", "trace_return_sources")  # every morning, with each store's status
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
    open: int  # number of a store type; 0: none
    close: int  # number of a store; 0: none
    discounts: list[float]  # by store
    listing: dict[int, StoreListing]  # by store
    deals: list[DealPlan]  # most urgent first


class Rows(NamedTuple):
    """One seat's part of the arrays: of the observation, and of what the environment remembers."""

    shop: Floats
    store_types: Floats
    stores: Floats
    suppliers: Floats
    goods: Floats  # by slot
    evening: Floats  # units on the shelf when the day ended, by slot
    delivered: Floats  # units to date, by slot
    returned: Floats  # units to date, by slot
    ordered_on: Floats  # day of the last order, by slot


class ArraySeat:
    """A seat's slots and its days."""

    def __init__(self, transport: SeatTransport, rows: Rows, sizes: ArraySizes) -> None:
        self.transport = transport
        self._rows = rows
        self._sizes = sizes
        world, rules = transport.account.world, transport.account.rules
        self._closing = 60 * rules.closing_hour
        self._store_types = world.store_types[: sizes.store_types]
        self._stores = [""] * rules.max_stores  # ids, by slot
        self._joined = [""] * rules.max_stores  # the last promotion that was tried, by slot
        self._goods: list[tuple[str, float]] = [("", 0.0)] * len(rows.goods)  # SKU and reference price, by slot
        self.slots: dict[str, int] = {}  # by SKU
        self._addresses: dict[tuple[int, int], list[str]] = {}  # of suppliers, by store and category
        self._promotion = ""  # the one announced last
        self._month = 0
        self._rivals = False  # whether the last look showed any

    def begin(self) -> None:
        """The first morning: an overview of the market, then the looks of every morning."""
        for row in self._rows:
            row[...] = 0
        self._rows.shop[PROMOTION_AGE] = -1
        self._rows.ordered_on[...] = -1e9
        self.transport.charge("market_search", {})
        costs = self.transport.account.rules.operating_cost
        for row, store_type in zip(self._rows.store_types, self._store_types, strict=False):
            row[AT_STORE_TYPE["daily_cost"]] = costs[store_type.tier]
            row[AT_STORE_TYPE["categories"]] = len(store_type.categories)
        self.look()

    def look(self) -> None:
        """Write what the morning's looks show; after the last morning there are none."""
        if self.transport.over:
            return
        self._note_news()
        account, rows = self.transport.account, self._rows
        for name in LOOKS:
            self.transport.charge(name, {})
        open_slots = [slot for slot, store in enumerate(self._stores) if store]
        for slot in open_slots:
            self.transport.charge("check_store_status", {"store_id": self._stores[slot]})
        market, books, purse = account.market, account.books, account.books.purse
        day, today = market.day, account.world.start + timedelta(days=market.day)
        pending = ordered_sum([goods.net for sales in books.pending for goods in sales.goods])
        rows.shop[:PROMOTION_AGE] = (
            *(day, market.days - day, today.weekday(), today.month, account.minute),
            *map(money, (purse.bank, purse.wallet, purse.escrow, pending)),
        )
        for slot in open_slots:
            store = books.stores[self._stores[slot]]
            discount = store.enrolment.discount if store.enrolment else 0.0
            rows.stores[slot, AGE] += 1
            rows.stores[slot, REPUTATION : DISCOUNT + 1] = ratio(store.reputation), discount
        if today.month != self._month:
            self._turn_month(today.month)
        self._look_at_goods([books.stores[self._stores[slot]] for slot in open_slots])

    def _note_news(self) -> None:
        """The last promotion that the morning announced."""
        news, shop = self.transport.account.news, self._rows.shop
        found = [item for day in news for item in day.items if isinstance(item, PromotionAnnounced)]
        news.clear()
        if found:
            self._promotion, shop[PROMOTION_AGE] = found[-1].promotion.name, 0
        elif shop[PROMOTION_AGE] >= 0:
            shop[PROMOTION_AGE] += 1

    def _look_at_goods(self, stores: Sequence[Store]) -> None:
        account, goods, slots = self.transport.account, self._rows.goods, self.slots
        listings = [(slots[sku], listing) for store in stores for sku, listing in store.shelf.items()]
        listed = np.array([slot for slot, _ in listings], np.intp)
        goods[listed, SHELF] = [listing.quantity for _, listing in listings]
        goods[listed, PRICE] = [listing.price for _, listing in listings]
        stocks = [(slots[sku], stock) for sku, stock in account.books.stock.items() if sku in slots]
        held = np.array([slot for slot, _ in stocks], np.intp)
        goods[held, FREE] = [stock.free for _, stock in stocks]
        self._rows.delivered[held] = [stock.delivered for _, stock in stocks]
        self._rows.returned[held] = [stock.returned for _, stock in stocks]
        rivals = lowest_rival_prices(account.market.demand.charges, account.seat)
        if rivals or self._rivals:
            goods[:, RIVAL] = 0
            for sku in rivals:
                if sku in slots:
                    goods[slots[sku], RIVAL] = money(rivals[sku])
            self._rivals = bool(rivals)

    def _turn_month(self, month: int) -> None:
        self._month = month
        for row, store_type in zip(self._rows.store_types, self._store_types, strict=False):
            indices = [round(100 * index) / 100 for index in store_type.seasonality]  # as market_search shows them
            row[AT_STORE_TYPE["season"]], row[AT_STORE_TYPE["next_season"]] = indices[month - 1], indices[month % 12]

    def day(self, plan: DayPlan) -> Iterator[None]:
        """Play a day, with a pause after every turn: another seat may be earlier on the clock."""
        transport, shop = self.transport, self._rows.shop
        if plan.ship and shop[UNSHIPPED] > 0 and self._fits("ship_orders"):
            transport.run("ship_orders", action="ship", speed=SPEEDS[plan.ship - 1])
        if plan.withdraw and shop[WALLET] > 0 and self._fits("withdraw"):
            transport.run("withdraw")
        if 0 < plan.open <= len(self._store_types):
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
        """Whether a call, or this number of its kind, ends before the working day does."""
        return self.transport.account.minute + times * MINUTES[name] < self._closing

    def _open(self, number: int) -> None:
        """Open a store in the first slot without one, and look for its goods and suppliers."""
        minutes = sum(MINUTES[name] for name in ("open_store", "list_products", "supplier_search"))
        account, rows, store_type = self.transport.account, self._rows, self._store_types[number - 1]
        if "" not in self._stores or account.minute + minutes >= self._closing:
            return
        if rows.store_types[number - 1, AT_STORE_TYPE["open"]] or rows.shop[AT_SHOP["bank"]] < account.rules.setup_fee:
            return
        opened = self.transport.run("open_store", store_type=store_type.id, store_name=store_type.id)
        if opened is None:
            return
        self.transport.charge("list_products", {"store_type": store_type.id})
        searched = self.transport.run("supplier_search", store_type=store_type.id)
        assert searched is not None  # a search refuses nothing
        suppliers: dict[str, list[str]] = {}
        for row in searched["results"]:  # type: ignore[attr-defined]
            suppliers.setdefault(row["categories_served"][0], []).append(row["supplier_email"])
        slot, sizes = self._stores.index(""), self._sizes
        self._stores[slot] = str(opened["store_id"])
        rows.stores[slot, AT_STORE["store_type"]] = number
        rows.store_types[number - 1, AT_STORE_TYPE["open"]] = 1
        for index, category in enumerate(store_type.categories[: sizes.categories]):
            addresses = suppliers.get(category, [])[: sizes.suppliers]
            self._addresses[slot, index] = addresses
            rows.suppliers[slot, index, : len(addresses), AT_SUPPLIER["known"]] = 1
            products = account.world.products_by_category[category]
            dearest = sorted(products, key=lambda product: -product.reference_price)[: sizes.goods]
            for at, product in enumerate(dearest, (slot * sizes.categories + index) * sizes.goods):
                self.slots[product.sku] = at
                self._goods[at] = product.sku, product.reference_price
                rows.goods[at, AT_GOODS["reference"]] = product.reference_price

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
        rows.store_types[int(rows.stores[slot, AT_STORE["store_type"]]) - 1, AT_STORE_TYPE["open"]] = 0
        rows.stores[slot] = 0
        rows.suppliers[slot] = 0
        width = sizes.categories * sizes.goods
        mine = slice(slot * width, (slot + 1) * width)
        for sku, _ in self._goods[mine]:
            self.slots.pop(sku, None)
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
        slots = self.slots
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
        row[ORDERS] += bool(answers.bought)
        for sku, units, price in answers.bought:
            slot = self.slots[sku]
            self._rows.goods[slot, COMING] += units
            self._rows.goods[slot, PAID] = price / self._goods[slot][1]
            self._rows.ordered_on[slot] = self.transport.account.market.day
        return quotes
