"""A plain way to keep shop: four stores, the dearest goods of each category, one price, restocked by what sells."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ecbench.players.merchants.protocol import Call, Play, Reply, Routine, call, is_over, news_in
from ecbench.players.merchants.supplier_letters import Clause, acceptances, clause, letter, quotes_in
from ecbench.suppliers.catalog import price_list_in

LAST_HOUR = 15  # no bargaining is begun that the evening could cut short
LAST_ORDERS = 20  # days before the end
INQUIRY = "Hello, we run a store of your kind of goods. Please send us your catalog with your opening quotes."
DEAREST = 0.9  # quotes that are paid, over the reference price: dearer goods bring less than they cost to sell
NOTHING: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class Habits:
    """The numbers that a shopkeeper goes by."""

    price: float = 1.05  # over reference
    goods: int = 3  # of each category, the dearest
    restock_every: int = 6  # days, at least
    restocked_a_day: float = 1.7  # categories: letters take time and turns
    spare_days: float = 8  # of stock beyond the next restocking
    first_pace: float = 4 / 14  # units a day, before anything has sold
    stores: int = 4
    reserve: float = 6_000.0  # yuan that are not spent on goods
    was: float = 0.0  # over reference: a price that is shown crossed out beside each; 0: none
    ship_every: int = 1  # days


PLAIN = Habits()


@dataclass(slots=True)
class Article:
    """Goods that are carried, or left over from the merchant before."""

    sku: str
    category: str
    reference: float
    store: str
    shelf: int = 0
    coming: int = 0
    sold: int = 0
    listed: int = 0  # days with something on the shelf
    carried: bool = True  # bought again when it runs out


class CornerShop:
    """A shopkeeper and what it knows of its shop. How it buys is left to its kinds."""

    habits = PLAIN

    def __init__(self, days: int = 365) -> None:
        self.days = days

    def begin(self) -> None:
        """Nothing is known yet."""
        self.bank = self.opening_bank = 0.0
        self.day = 0
        self.hour = 8
        self.over = False
        self.articles: dict[str, Article] = {}
        self.suppliers: dict[str, list[str]] = {}  # addresses by category
        self.stores: list[str] = []
        self.errands: list[str] = []  # categories to restock
        self.news: list[Reply] = []  # of all mornings

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        self.begin()
        yield from self.open_stores()
        while not self.over:
            yield from self.serve()
            yield from self.each_morning()
            if self.day % self.restock_every == 0:
                self.errands = list(self.suppliers)
            while self.errands and self.hour < LAST_HOUR and self.day < self.days - LAST_ORDERS:
                yield from self.restock(self.errands.pop(0))
            yield from self.each_evening()
            reply = yield from self.do(call("wait_for_next_day"))
            self.day = reply.get("day", self.day + 1)

    def buy(self, address: str, wants: dict[str, int]) -> Routine[bool]:
        """Buy these quantities from this address; false if this supplier is of no use."""
        raise NotImplementedError

    def each_morning(self) -> Routine[None]:
        """After the customers are served."""
        yield from ()

    def each_evening(self) -> Routine[None]:
        """Before the day ends."""
        yield from ()

    @property
    def restock_every(self) -> int:
        """Days between two rounds: a shop of many categories takes longer to go round them."""
        return max(self.habits.restock_every, round(len(self.suppliers) / self.habits.restocked_a_day))

    def reference(self, sku: str) -> float:
        return self.articles[sku].reference

    def do(self, one: Call) -> Routine[Reply]:
        [reply] = yield from self.do_all([one])
        return reply

    def do_all(self, calls: list[Call]) -> Routine[list[Reply]]:
        """Calls that need not wait for one another's replies, in one turn: turns are limited too."""
        replies = yield calls
        for reply in replies:
            for name in ("remaining_balance", "bank_balance"):
                self.bank = reply.get(name, self.bank)
            if "current_time" in reply:
                self.hour = int(reply["current_time"][11:13])
            self.over = self.over or is_over(reply)
            self.news += news_in(reply)
        return replies

    def write(self, address: str, clauses: list[Clause]) -> Routine[tuple[Reply, set[str]]]:
        """Send a letter to a supplier; return its answer and the SKUs that were bought."""
        reply = yield from self.do(call("chatbox", uid=address, content=letter(clauses)))
        return reply, self.file_orders(address, reply)

    def file_orders(self, _address: str, reply: Reply) -> set[str]:
        """The SKUs that were bought; they are on their way."""
        placed = reply.get("orders_placed", ())
        for row in placed:
            self.articles[row["sku_id"]].coming += row["quantity"]
        return {row["sku_id"] for row in placed}

    def open_stores(self) -> Routine[None]:
        """The store types that cost least to run, which are the easiest to live from; open stores are kept."""
        balance = yield from self.do(call("check_balance"))
        self.day, self.opening_bank = balance["day"], self.bank
        overview = yield from self.do(call("market_search"))
        kept = (yield from self.take_over()) if self.day > 0 else set()
        cheapest = sorted(overview["store_types"], key=lambda row: row["daily_ops_cost"])
        others = [row for row in cheapest if row["store_type"] not in kept]
        for row in others[: max(0, self.habits.stores - len(kept))]:
            kind, name = row["store_type"], f"{row['store_name']} Corner"
            opened = yield from self.do(call("open_store", store_type=kind, store_name=name))
            if opened["success"]:
                yield from self.choose_goods(kind, opened["store_id"])

    def take_over(self) -> Routine[set[str]]:
        """Take over the stores that are open, and return their types; closing one would give up its reputation."""
        status = yield from self.do(call("check_store_status"))
        warehouse = yield from self.do(call("check_warehouse"))
        found = [row for row in status["stores"] if row["is_open"]]
        for row in found:
            detail = yield from self.do(call("check_store_status", store_id=row["store_id"]))
            leftovers = dict.fromkeys(warehouse["items"], 0)
            leftovers |= {line["product_id"]: line["quantity"] for line in detail["products"]}
            yield from self.choose_goods(row["store_type"], row["store_id"], leftovers)
        return {row["store_type"] for row in found}

    def choose_goods(self, kind: str, store: str, leftovers: Mapping[str, int] = NOTHING) -> Routine[None]:
        """The dearest of each category are carried; leftovers, with their units on the shelf, are sold with them."""
        self.stores.append(store)
        catalog = yield from self.do(call("list_products", store_type=kind))
        found = yield from self.do(call("supplier_search", store_type=kind))
        shelves: dict[str, list[Article]] = {}
        for row in catalog.get("results", ()):  # none where a transport cuts long replies
            article = Article(row["product_id"], row["category"], row["reference_price"], store)
            shelves.setdefault(article.category, []).append(article)
        for shelf in shelves.values():
            for index, article in enumerate(sorted(shelf, key=lambda a: -a.reference)):
                article.carried = index < self.habits.goods
                article.shelf = leftovers.get(article.sku, 0)
                if article.carried or article.sku in leftovers:
                    self.articles[article.sku] = article
        for row in found.get("results", ()):
            for category in row["categories_served"]:
                self.suppliers.setdefault(category, []).append(row["supplier_email"])

    def serve(self) -> Routine[None]:
        """Ship what sold, fetch the money, put the warehouse on the shelves."""
        pending = yield from self.do(call("ship_orders", action="list"))
        sold = pending.get("pending_shipments", ()) if self.day % self.habits.ship_every == 0 else ()
        for row in sold:
            article = self.articles.get(row["product_id"])
            if article is not None:
                article.sold += row["quantity"]
                article.shelf = max(0, article.shelf - row["quantity"])
        shipping = [call("ship_orders", action="ship")] if sold else []
        *_, warehouse = yield from self.do_all([*shipping, call("withdraw"), call("check_warehouse")])
        publishing = [call("publish_to_store", store_id=store, plan=plan) for store, plan in self.shelved(warehouse)]
        if publishing:
            for reply in (yield from self.do_all(publishing)):
                for row in [row for row in reply.get("results", ()) if row["success"]]:
                    article = self.articles[row["product_id"]]
                    article.shelf += row["quantity_stocked"]
                    article.coming = max(0, article.coming - row["quantity_stocked"])
        for article in self.articles.values():
            article.listed += article.shelf > 0

    def shelved(self, warehouse: Reply) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """What of the warehouse goes on the shelf of each store."""
        free, price, was = warehouse.get("items", {}), self.habits.price, self.habits.was
        for store in self.stores:
            plan = [
                {"product_id": a.sku, "quantity": free[a.sku]["quantity"], "retail_price": price * a.reference}
                | ({"was": was * a.reference} if was else {})
                for a in self.articles.values()
                if a.store == store and a.sku in free
            ]
            if plan:
                yield store, plan

    def restock(self, category: str) -> Routine[None]:
        """As much as sells until the next time and a week beyond; something of everything at first."""
        wants = {}
        cover = self.restock_every + self.habits.spare_days
        budget = (self.bank - self.habits.reserve) / len(self.suppliers)
        for article in self.articles.values():
            if article.category == category and article.carried:
                pace = article.sold / article.listed if article.listed else self.habits.first_pace
                missing = round(pace * cover) + 1 - article.shelf - article.coming
                affordable = int(budget / self.habits.goods / max(1.0, article.reference))
                if min(missing, affordable) > 0:
                    wants[article.sku] = min(missing, affordable)
        addresses = self.suppliers[category]
        if wants and addresses and not (yield from self.buy(addresses[0], wants)):
            addresses.pop(0)


class FirstQuote(CornerShop):
    """Offers the opening quotes of the price list, and passes over goods that are quoted at almost its own price."""

    def begin(self) -> None:
        super().begin()
        self.price_lists: dict[str, dict[str, float]] = {}  # by address and SKU

    def buy(self, address: str, wants: dict[str, int]) -> Routine[bool]:
        """Offer what the price list asks, and accept the supplier's answer where it is not a yes."""
        if address not in self.price_lists:
            reply = yield from self.do(call("chatbox", uid=address, content=INQUIRY))
            listed, _ = price_list_in(reply.get("supplier_reply", ""))
            self.price_lists[address] = {line.sku: line.quote for line in listed}
        asked = self.price_lists[address]
        offers = [
            clause("offer", sku, asked[sku], units)
            for sku, units in wants.items()
            if sku in asked and asked[sku] <= DEAREST * self.reference(sku)
        ]
        if not offers:
            return False
        reply, bought = yield from self.write(address, offers)
        if taken := acceptances(quotes_in(reply), wants):
            bought |= (yield from self.write(address, taken))[1]
        return bool(bought)
