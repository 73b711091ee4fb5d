"""How a numeric seat reaches its year. `DirectDoor` calls the functions behind the tools, without any text.

`TextualDoor` (`textual_door.py`) sends the calls themselves and reads the replies. Both charge the same minutes for the
same calls and show the same figures, so a policy plays the same year through either.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ecbench.decimals import money, ratio
from ecbench.market.books import Listing, Stock
from ecbench.market.ledger import withdraw
from ecbench.market.marketplace import lowest_rival_prices
from ecbench.market.news import PromotionAnnounced
from ecbench.market.settlement import begin_tomorrow, end_day
from ecbench.market.shipping import ship, take_pending
from ecbench.market.stock import list_units, reprice
from ecbench.players.merchants.corner_shop import letter
from ecbench.players.merchants.protocol import Call, call
from ecbench.sums import ordered_sum
from ecbench.suppliers.conversation import answer_message
from ecbench.suppliers.grammar import BargainAction, ReadMessage
from ecbench.suppliers.voices.voice import Scene
from ecbench.tools.arguments import Arguments
from ecbench.tools.catalog import TOOL_BY_NAME, WAIT
from ecbench.tools.office import Office, Refused, Reply

MINUTES = {name: tool.minutes for name, tool in TOOL_BY_NAME.items()}
LOOKS = ("check_balance", "check_warehouse", "trace_return_sources")  # every morning, with each store's status


class MorningLooks(NamedTuple):
    """What the morning's looks show: money, stores, and columns of goods by slot."""

    money: tuple[float, float, float, float]  # bank, wallet, escrow, unshipped
    stores: list[tuple[float, float]]  # reputation and discount of each open store
    listed: Sequence[int]  # slots
    units: Sequence[int]
    prices: Sequence[float]
    held: Sequence[int]  # slots
    free: Sequence[int]
    delivered: Sequence[int]
    returned: Sequence[int]
    rivals: dict[int, float]  # lowest price of another seat, by slot


class OpenedTrade(NamedTuple):
    """What opening a store and two searches show."""

    store: str
    goods: dict[str, list[tuple[str, float]]]  # SKU and reference price, by category
    suppliers: dict[str, list[str]]  # addresses, by category


class Answers(NamedTuple):
    """What a supplier answered."""

    quotes: dict[str, float]  # by SKU, of the offers that it countered
    bought: list[tuple[str, int, float]]  # SKU, units and agreed price of each order that was placed
    closed: bool = False


class TradeOverview(NamedTuple):
    """What the market overview shows of a trade."""

    kind: str
    daily_cost: float
    seasons: tuple[float, ...]  # by month
    categories: tuple[str, ...]


class Door(Protocol):
    """A year as one seat reaches it. Each method is a call or two, and the caller checks that they fit into the day."""

    slots: dict[str, int]  # by SKU; kept by the seat

    @property
    def minute(self) -> int: ...
    @property
    def day(self) -> int: ...
    @property
    def over(self) -> bool: ...
    def overview(self) -> list[TradeOverview]: ...
    def look(self, stores: Sequence[str]) -> MorningLooks: ...
    def ship(self, speed: str) -> None: ...
    def withdraw(self) -> None: ...
    def open(self, kind: str) -> OpenedTrade | None: ...
    def forget_slots(self) -> None:
        """The seat has changed `slots`."""
        ...

    def publish(self, store: str, plan: list[tuple[str, int, float]]) -> None: ...
    def set_prices(self, store: str, prices: list[tuple[str, float]]) -> None: ...
    def join(self, store: str, promotion: str, discount: float) -> None: ...
    def close(self, store: str) -> None: ...
    def write(self, address: str, actions: list[BargainAction]) -> Answers: ...
    def wait(self) -> None: ...
    def announced(self) -> str | None:
        """The last promotion that the last morning announced."""
        ...


class SilentVoice:
    """Writes nothing. A voice never changes what a kernel decided, and the seat's letters agree to no fee."""

    name = "silent"

    def reply(self, _scene: Scene) -> str:
        return ""

    def hears_membership(self, _scene: Scene) -> bool:
        return False


SILENT = SilentVoice()


class DirectDoor:
    """Acts on an office by the functions behind the tools. With `log` it keeps the calls that its acts amount to."""

    __slots__ = ("_listings", "_log", "_office", "_promotion", "_stocks", "slots")

    def __init__(self, office: Office, *, log: bool = False) -> None:
        self._office = office
        self.slots: dict[str, int] = {}
        self._log: list[tuple[str, object]] | None = [] if log else None
        self._listings: tuple[list[Listing], list[int]] | None = None
        self._stocks: tuple[int, list[Stock], list[int]] = (0, [], [])
        self._promotion: str | None = None

    @property
    def minute(self) -> int:
        return self._office.account.minute

    @property
    def day(self) -> int:
        return self._office.account.market.day

    @property
    def over(self) -> bool:
        return self._office.account.ending is not None

    def calls(self) -> list[Call]:
        """The tool calls that have the same effects, in order."""
        if self._log is None:
            raise ValueError("these years keep no log of their calls: ask for one with log=True")
        return [as_call(name, given) for name, given in self._log]

    def _charge(self, name: str, given: object) -> None:
        """Log a call and spend its minutes."""
        self._office.account.minute += MINUTES[name]
        if self._log is not None:
            self._log.append((name, given))

    def _run(self, name: str, arguments: Arguments) -> Reply | None:
        """Run a tool as it is, for what happens seldom; None if it refuses."""
        self._charge(name, arguments)
        try:
            return TOOL_BY_NAME[name].run(self._office, arguments)
        except Refused:
            return None

    def overview(self) -> list[TradeOverview]:
        self._charge("market_search", {})
        account = self._office.account
        return [
            TradeOverview(
                kind.id,
                account.rules.operating_cost[kind.tier],
                tuple(round(100 * month) / 100 for month in kind.seasonality),
                kind.categories,
            )
            for kind in account.world.store_types
        ]

    def look(self, stores: Sequence[str]) -> MorningLooks:
        for name in LOOKS:
            self._charge(name, {})
        for store in stores:
            self._charge("check_store_status", {"store_id": store})
        account = self._office.account
        books, purse, slots = account.books, account.books.purse, self.slots
        opened = [books.stores[store] for store in stores]
        if self._listings is None:
            shelves = [row for store in opened for row in store.shelf.items()]
            self._listings = [listing for _, listing in shelves], [slots[sku] for sku, _ in shelves]
        if self._stocks[0] != len(books.stock):
            known = [(stock, slots[sku]) for sku, stock in books.stock.items() if sku in slots]
            self._stocks = len(books.stock), [stock for stock, _ in known], [slot for _, slot in known]
        (listings, listed), (_, stocks, held) = self._listings, self._stocks
        pending = [goods.net for sales in books.pending for goods in sales.goods]
        rivals = lowest_rival_prices(account.market.demand.charges, account.seat)
        return MorningLooks(
            (money(purse.bank), money(purse.wallet), money(purse.escrow), money(ordered_sum(pending))),
            [(ratio(store.reputation), store.enrolment.discount if store.enrolment else 0.0) for store in opened],
            listed,
            [listing.quantity for listing in listings],
            [listing.price for listing in listings],
            held,
            [stock.free for stock in stocks],
            [stock.delivered for stock in stocks],
            [stock.returned for stock in stocks],
            {slots[sku]: money(rivals[sku]) for sku in rivals if sku in slots},
        )

    def ship(self, speed: str) -> None:
        self._charge("ship_orders", {"action": "ship", "speed": speed})
        account = self._office.account
        ship(account, take_pending(account.books), speed)

    def withdraw(self) -> None:
        self._charge("withdraw", {})
        purse = self._office.account.books.purse
        withdraw(purse, purse.wallet)

    def open(self, kind: str) -> OpenedTrade | None:
        opened = self._run("open_store", {"store_type": kind, "store_name": kind})
        if opened is None:
            return None
        self._charge("list_products", {"store_type": kind})
        found = self._run("supplier_search", {"store_type": kind})
        assert found is not None  # a search refuses nothing
        world = self._office.account.world
        categories = world.store_type_by_id[kind].categories
        suppliers: dict[str, list[str]] = {}
        for row in found["results"]:  # type: ignore[attr-defined]
            suppliers.setdefault(row["categories_served"][0], []).append(row["supplier_email"])
        goods = {name: [(p.sku, p.reference_price) for p in world.products_by_category[name]] for name in categories}
        return OpenedTrade(str(opened["store_id"]), goods, suppliers)

    def forget_slots(self) -> None:
        self._listings, self._stocks = None, (-1, [], [])

    def publish(self, store: str, plan: list[tuple[str, int, float]]) -> None:
        self._charge("publish_to_store", (store, plan))
        books = self._office.account.books
        shop = books.stores[store]
        before = len(shop.shelf)
        for sku, units, price in plan:
            list_units(shop, books.stock[sku], units, price)
        if len(shop.shelf) != before:
            self._listings = None

    def set_prices(self, store: str, prices: list[tuple[str, float]]) -> None:
        self._charge("set_prices", (store, prices))
        shelf = self._office.account.books.stores[store].shelf
        for sku, price in prices:
            reprice(shelf[sku], price)

    def join(self, store: str, promotion: str, discount: float) -> None:
        self._run("join_promotion", {"store_id": store, "event_name": promotion, "discount_rate": discount})

    def close(self, store: str) -> None:
        self._run("close_store", {"store_id": store, "liquidate": True})

    def write(self, address: str, actions: list[BargainAction]) -> Answers:
        self._charge("chatbox", (address, actions))
        office = self._office
        supplier = office.account.world.supplier_by_email[address.lower()]
        message = ReadMessage(tuple(actions), "")
        response = answer_message(office.desk, office.account, SILENT, supplier, "", message)
        return Answers(
            {answer.sku: answer.price for answer in response.answers if answer.verdict == "Offer" and answer.price},
            [(o.sku, o.quantity, o.agreed_price) for o in response.orders if o.refusal is None and o.agreed_price],
            response.closed,
        )

    def wait(self) -> None:
        """With several seats the morning comes once the last of them waits."""
        self._charge(WAIT, {})
        end_day(self._office.account)
        begin_tomorrow(self._office.account.market)

    def announced(self) -> str | None:
        account, promotion = self._office.account, None
        for day in account.news:
            for news in day.items:
                if isinstance(news, PromotionAnnounced):
                    promotion = news.promotion.name
        account.news.clear()
        return promotion


def as_call(name: str, given: object) -> Call:
    """A logged act as the call of a tool."""
    if isinstance(given, dict):
        return {"name": name, "arguments": given}
    assert isinstance(given, tuple)
    if name == "publish_to_store":
        store, plan = given
        items = [{"product_id": sku, "quantity": units, "retail_price": price} for sku, units, price in plan]
        return call(name, store_id=store, plan=items)
    if name == "set_prices":
        store, prices = given
        return call(name, store_id=store, prices=[{"product_id": sku, "price": price} for sku, price in prices])
    address, actions = given
    return call(name, uid=address, content=letter(_as_entry(action) for action in actions))


def _as_entry(action: BargainAction) -> dict[str, object]:
    kind, sku, price, quantity = action
    return {"action": kind, "sku_id": sku, "price": price, "quantity": quantity}
