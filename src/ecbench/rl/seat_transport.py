"""How a numeric seat plays its year: by the functions behind the tools, without any text.

Every act charges the minutes of the call that it amounts to, and every figure is one that a tool replies with.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ecbench.decimals import money, ratio
from ecbench.market.marketplace import lowest_rival_prices
from ecbench.market.news import PromotionAnnounced
from ecbench.market.settlement import begin_tomorrow, end_day
from ecbench.players.merchants.corner_shop import letter
from ecbench.players.merchants.protocol import Call
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


class SentLetter(NamedTuple):
    """A letter to a supplier. Its text is written only if the calls are asked for."""

    address: str
    actions: list[BargainAction]


class TradeOverview(NamedTuple):
    """What the market overview shows of a trade."""

    kind: str
    daily_cost: float
    seasons: tuple[float, ...]  # by month
    categories: tuple[str, ...]


class SilentVoice:
    """Writes nothing. A voice never changes what a kernel decided, and the seat's letters agree to no fee."""

    name = "silent"

    def reply(self, _scene: Scene) -> str:
        return ""

    def hears_membership(self, _scene: Scene) -> bool:
        return False


SILENT = SilentVoice()


class SeatTransport:
    """The acts of a seat on its office. With `log` it keeps the calls that they amount to."""

    __slots__ = ("_log", "_office", "slots")

    def __init__(self, office: Office, *, log: bool = False) -> None:
        self._office = office
        self.slots: dict[str, int] = {}  # by SKU; kept by the seat
        self._log: list[tuple[str, Arguments | SentLetter]] | None = [] if log else None

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
        return [{"name": name, "arguments": _arguments(given)} for name, given in self._log]

    def _charge(self, name: str, given: Arguments | SentLetter) -> None:
        """Log a call and spend its minutes."""
        self._office.account.minute += MINUTES[name]
        if self._log is not None:
            self._log.append((name, given))

    def run(self, name: str, **arguments: object) -> Reply | None:
        """Run a tool as it is; None if it refuses."""
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
        account, slots = self._office.account, self.slots
        books, purse = account.books, account.books.purse
        opened = [books.stores[store] for store in stores]
        listings = [(slots[sku], listing) for store in opened for sku, listing in store.shelf.items()]
        stocks = [(slots[sku], stock) for sku, stock in books.stock.items() if sku in slots]
        pending = [goods.net for sales in books.pending for goods in sales.goods]
        rivals = lowest_rival_prices(account.market.demand.charges, account.seat)
        return MorningLooks(
            (money(purse.bank), money(purse.wallet), money(purse.escrow), money(ordered_sum(pending))),
            [(ratio(store.reputation), store.enrolment.discount if store.enrolment else 0.0) for store in opened],
            [slot for slot, _ in listings],
            [listing.quantity for _, listing in listings],
            [listing.price for _, listing in listings],
            [slot for slot, _ in stocks],
            [stock.free for _, stock in stocks],
            [stock.delivered for _, stock in stocks],
            [stock.returned for _, stock in stocks],
            {slots[sku]: money(rivals[sku]) for sku in rivals if sku in slots},
        )

    def open(self, kind: str) -> OpenedTrade | None:
        opened = self.run("open_store", store_type=kind, store_name=kind)
        if opened is None:
            return None
        self._charge("list_products", {"store_type": kind})
        found = self.run("supplier_search", store_type=kind)
        assert found is not None  # a search refuses nothing
        world = self._office.account.world
        categories = world.store_type_by_id[kind].categories
        suppliers: dict[str, list[str]] = {}
        for row in found["results"]:  # type: ignore[attr-defined]
            suppliers.setdefault(row["categories_served"][0], []).append(row["supplier_email"])
        goods = {name: [(p.sku, p.reference_price) for p in world.products_by_category[name]] for name in categories}
        return OpenedTrade(str(opened["store_id"]), goods, suppliers)

    def write(self, address: str, actions: list[BargainAction]) -> Answers:
        self._charge("chatbox", SentLetter(address, actions))
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
        """The last promotion that the last morning announced."""
        news = self._office.account.news
        found = [item for day in news for item in day.items if isinstance(item, PromotionAnnounced)]
        news.clear()
        return found[-1].promotion.name if found else None


def _arguments(given: Arguments | SentLetter) -> Arguments:
    """What a logged act gives its tool."""
    if isinstance(given, dict):
        return given
    entries: list[dict[str, object]] = [
        {"action": kind, "sku_id": sku, "price": price, "quantity": units} for kind, sku, price, units in given.actions
    ]
    return {"uid": given.address, "content": letter(entries)}
