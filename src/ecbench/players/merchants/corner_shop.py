"""A plain way to keep shop: four stores, the dearest goods of each category, one price, restocked by what sells.

How goods are bought is left to the merchant, so that two ways of buying can be compared with all else equal.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ecbench.players.merchants.protocol import Call, Play, Reply, Routine, call
from ecbench.players.merchants.replies import Row, count, mapping, number, one_each, rows, text, texts

STORES = 4
LAST_HOUR = 15  # no bargaining is begun that the evening could cut short
LAST_ORDERS = 20  # days before the end
RESERVE = 6_000.0
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
    stores: int = STORES
    reserve: float = RESERVE  # yuan that are not spent on goods
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


@dataclass(slots=True)
class Shop:
    """What the shopkeeper knows."""

    habits: Habits = PLAIN
    bank: float = 0.0
    day: int = 0
    articles: dict[str, Article] = field(default_factory=dict)
    suppliers: dict[str, list[str]] = field(default_factory=dict)  # addresses by category
    stores: list[str] = field(default_factory=list)
    errands: list[str] = field(default_factory=list)  # categories to restock
    hour: int = 8
    over: bool = False
    news: list[Row] = field(default_factory=list)  # of all mornings
    opening_bank: float = 0.0

    @property
    def restock_every(self) -> int:
        """Days between two rounds: a shop of many categories takes longer to go round them."""
        return max(self.habits.restock_every, round(len(self.suppliers) / self.habits.restocked_a_day))

    def reference(self, sku: str) -> float:
        return self.articles[sku].reference


Buy = Callable[[Shop, str, dict[str, int]], Routine[bool]]
"""Buy these quantities from this address; false if this supplier is of no use."""

Errand = Callable[[Shop], Routine[None]]


def keep_shop(
    days: int,
    buy: Buy,
    habits: Habits = PLAIN,
    each_morning: Errand | None = None,
    each_evening: Errand | None = None,
) -> Play:
    """Play a year; `each_morning` comes after the customers are served, `each_evening` before the day ends."""
    shop = Shop(habits)
    yield from open_stores(shop)
    while not shop.over:
        yield from serve(shop)
        if each_morning is not None:
            yield from each_morning(shop)
        if shop.day % shop.restock_every == 0:
            shop.errands = list(shop.suppliers)
        while shop.errands and shop.hour < LAST_HOUR and shop.day < days - LAST_ORDERS:
            yield from restock(shop, shop.errands.pop(0), buy)
        if each_evening is not None:
            yield from each_evening(shop)
        reply = yield from do(shop, call("wait_for_next_day"))
        shop.day = int(number(reply, "day", shop.day + 1))


def do(shop: Shop, one: Call) -> Routine[Reply]:
    [reply] = yield from do_all(shop, [one])
    return reply


def do_all(shop: Shop, calls: list[Call]) -> Routine[list[Reply]]:
    """Calls that need not wait for one another's replies, in one turn: turns are limited too."""
    answers = one_each((yield calls), calls)
    for reply in answers:
        shop.bank = number(reply, "bank_balance", number(reply, "remaining_balance", shop.bank))
        clock = text(reply, "current_time")[11:13]
        shop.hour = int(clock) if clock.isdecimal() else shop.hour
        shop.over = shop.over or "the year is over" in text(reply, "error")
        shop.news += [item for day in rows(reply, "system_notifications") for item in rows(day, "news")]
    return answers


def open_stores(shop: Shop) -> Routine[None]:
    """The store types that cost least to run, which are the easiest to live from; open stores of any type are kept."""
    balance = yield from do(shop, call("check_balance"))
    shop.day = count(balance, "day")
    shop.opening_bank = shop.bank
    overview = yield from do(shop, call("market_search"))
    kept = (yield from take_over(shop)) if shop.day > 0 else set()
    cheapest = sorted(rows(overview, "store_types"), key=lambda row: number(row, "daily_ops_cost"))
    others = [row for row in cheapest if text(row, "store_type") not in kept]
    for row in others[: max(0, shop.habits.stores - len(kept))]:
        kind, name = text(row, "store_type"), text(row, "store_name")
        opened = yield from do(shop, call("open_store", store_type=kind, store_name=f"{name} Corner"))
        store = text(opened, "store_id")
        if store:
            shop.stores.append(store)
            yield from choose_goods(shop, kind, store)


def take_over(shop: Shop) -> Routine[set[str]]:
    """Take over the stores that are open already, and return their types.

    None is closed: that would give up its reputation and nine tenths of what its shelf has cost.
    """
    status = yield from do(shop, call("check_store_status"))
    warehouse = yield from do(shop, call("check_warehouse"))
    kept = set()
    for row in rows(status, "stores"):
        kind, store = text(row, "store_type"), text(row, "store_id")
        if store and row.get("is_open") is True:
            kept.add(kind)
            shop.stores.append(store)
            detail = yield from do(shop, call("check_store_status", store_id=store))
            leftovers = dict.fromkeys(mapping(warehouse, "items"), 0)
            leftovers |= {text(line, "product_id"): count(line, "quantity") for line in rows(detail, "products")}
            yield from choose_goods(shop, kind, store, leftovers)
    return kept


def choose_goods(shop: Shop, kind: str, store: str, leftovers: Mapping[str, int] = NOTHING) -> Routine[None]:
    """The dearest of each category are carried; leftovers, with their units on the shelf, are sold along with them."""
    catalog = yield from do(shop, call("list_products", store_type=kind))
    found = yield from do(shop, call("supplier_search", store_type=kind))
    shelves: dict[str, list[Article]] = {}
    for row in rows(catalog, "results"):
        article = Article(text(row, "product_id"), text(row, "category"), number(row, "reference_price"), store)
        shelves.setdefault(article.category, []).append(article)
    for shelf in shelves.values():
        for index, article in enumerate(sorted(shelf, key=lambda a: -a.reference)):
            article.carried = index < shop.habits.goods
            article.shelf = leftovers.get(article.sku, 0)
            if article.carried or article.sku in leftovers:
                shop.articles[article.sku] = article
    for row in rows(found, "results"):
        for category in texts(row, "categories_served"):
            shop.suppliers.setdefault(category, []).append(text(row, "supplier_email"))


def serve(shop: Shop) -> Routine[None]:
    """Ship what sold, fetch the money, put the warehouse on the shelves."""
    pending = yield from do(shop, call("ship_orders", action="list"))
    sold = rows(pending, "pending_shipments") if shop.day % shop.habits.ship_every == 0 else []
    for row in sold:
        article = shop.articles.get(text(row, "product_id"))
        if article is not None:
            article.sold += count(row, "quantity")
            article.shelf = max(0, article.shelf - count(row, "quantity"))
    shipping = [call("ship_orders", action="ship")] if sold else []
    *_, warehouse = yield from do_all(shop, [*shipping, call("withdraw"), call("check_warehouse")])
    price, was = shop.habits.price, shop.habits.was
    free = {sku: item for sku, item in mapping(warehouse, "items").items() if isinstance(item, dict)}
    publishing = []
    for store in shop.stores:
        plan = [
            {"product_id": a.sku, "quantity": count(free[a.sku], "quantity"), "retail_price": price * a.reference}
            | ({"was": was * a.reference} if was else {})
            for a in shop.articles.values()
            if a.store == store and a.sku in free
        ]
        if plan:
            publishing.append(call("publish_to_store", store_id=store, plan=plan))
    if publishing:
        for reply in (yield from do_all(shop, publishing)):
            note_shelf(shop, reply)
    for article in shop.articles.values():
        article.listed += article.shelf > 0


def note_shelf(shop: Shop, reply: Reply) -> None:
    for row in rows(reply, "results"):
        article = shop.articles.get(text(row, "product_id"))
        if article is not None:
            units = count(row, "quantity_stocked")
            article.shelf += units
            article.coming = max(0, article.coming - units)


def restock(shop: Shop, category: str, buy: Buy) -> Routine[None]:
    """As much as sells until the next time and a week beyond; something of everything at first."""
    wants = {}
    cover = shop.restock_every + shop.habits.spare_days
    budget = (shop.bank - shop.habits.reserve) / len(shop.suppliers)
    for article in shop.articles.values():
        if article.category == category and article.carried:
            pace = article.sold / article.listed if article.listed else shop.habits.first_pace
            missing = round(pace * cover) + 1 - article.shelf - article.coming
            affordable = int(budget / shop.habits.goods / max(1.0, article.reference))
            if min(missing, affordable) > 0:
                wants[article.sku] = min(missing, affordable)
    addresses = shop.suppliers[category]
    if wants and addresses:
        useful = yield from buy(shop, addresses[0], wants)
        if not useful:
            addresses.pop(0)


def file_orders(shop: Shop, reply: Reply) -> set[str]:
    """The SKUs that were bought; they are on their way."""
    bought = set()
    for row in rows(reply, "orders_placed"):
        article = shop.articles.get(text(row, "sku_id"))
        if article is not None:
            article.coming += count(row, "quantity")
            bought.add(article.sku)
    return bought
