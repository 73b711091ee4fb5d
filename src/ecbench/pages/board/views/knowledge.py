"""What the replies to an agent's calls have shown it: store types, goods, suppliers, price lists and news."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar

from ecbench.episode import Episode
from ecbench.market.journal import Journal
from ecbench.suppliers.catalog import price_list_in
from ecbench.tools.outcome import Outcome

Kind = Literal["store_type", "category", "product", "supplier", "ask"]


class Finding(NamedTuple):
    """What a reply changed of one row: its new fields, and the day on which it was looked up."""

    kind: Kind
    key: str
    row: dict[str, Any]
    turn: int
    day: int


class Notice(NamedTuple):
    """One notification that a reply carried: of a morning, or a reminder of the balance."""

    turn: int
    day: int
    type: str
    content: str


Noted = TypeVar("Noted", Finding, Notice)


class Knowledge:
    """The findings of one seat, in the order of its turns."""

    def __init__(self) -> None:
        self._findings: list[Finding] = []
        self._rows: dict[tuple[Kind, str], dict[str, Any]] = {}
        self._notices: list[Notice] = []

    def learn(self, turn: int, outcomes: Sequence[Outcome]) -> None:
        """Note what the replies to a turn contained."""
        for outcome in outcomes:
            read = _READERS.get(str(outcome.call.get("name")))
            if read is not None and not outcome.failed:
                found = read(outcome.reply, outcome.call.get("arguments"))
                self._findings += [self._change(turn, outcome.day, *row) for row in found]
            if any(name in outcome.text for name in NOTICES):
                self._notices += _notices(turn, outcome.day, outcome.reply)

    def _change(self, turn: int, day: int, kind: Kind, key: str, row: dict[str, Any]) -> Finding:
        known = self._rows.setdefault((kind, key), {})
        new = {name: value for name, value in row.items() if name not in known or known[name] != value}
        known.update(new)
        return Finding(kind, key, new, turn, day)

    def between(self, since: int, until: int) -> list[Finding]:
        """What turns `since` + 1 to `until` changed, in their order."""
        return _between(self._findings, since, until)

    def notices(self, since: int, until: int) -> list[Notice]:
        """The notifications that the replies to turns `since` + 1 to `until` carried, in their order."""
        return _between(self._notices, since, until)


PRODUCT = ("title", "category", "size", "reference_price")
STATES = {"Offer": "asks", "Reject": "walked away", "Accept": "agreed"}  # by the decision of a supplier
MEMBERSHIP = "membership"  # a letter with this word asks for a fee, or speaks of one


def _between(noted: list[Noted], since: int, until: int) -> list[Noted]:
    first, last = (bisect_right(noted, turn, key=lambda each: each.turn) for turn in (since, until))
    return noted[first:last]


NOTICES = ("system_notifications", "balance_reminder")


def _notices(turn: int, day: int, reply: Any) -> Iterator[Notice]:
    if not isinstance(reply, dict):
        return
    for morning in reply.get(NOTICES[0], ()):
        for item in morning["news"]:
            yield Notice(turn, morning["day"], item["type"], item["content"])
    if reminder := reply.get(NOTICES[1]):
        yield Notice(turn, day, "balance", reminder)


Row = tuple[Kind, str, dict[str, Any]]


def _market(reply: Any, _given: Any) -> Iterator[Row]:
    if reply.get("view") == "store_detail":
        yield "store_type", reply["store_type"], _without_time(reply)
        for row in reply["subcategories"]:
            yield "category", row["category"], {**row, "store_type": reply["store_type"]}
    for row in reply.get("store_types", ()):
        yield "store_type", row["store_type"], row
    if detail := reply.get("detail"):
        yield "category", detail["category"], detail


def _products(reply: Any, _given: Any) -> Iterator[Row]:
    for row in reply.get("results", ()):
        yield "product", row["product_id"], {name: row[name] for name in PRODUCT if name in row}


def _suppliers(reply: Any, _given: Any) -> Iterator[Row]:
    for row in reply.get("results", ()):
        yield "supplier", row["supplier_email"], row


def _letters(reply: Any, given: Any) -> Iterator[Row]:
    """Price lists and decisions; of a letter to several suppliers each answer names its sender."""
    for answer in reply.get("responses", [reply]):
        sender = answer.get("uid") or (given.get("uid") if isinstance(given, dict) else None)
        text = str(answer.get("supplier_reply", ""))
        if sender and MEMBERSHIP in text.lower():
            yield "supplier", str(sender), {"fee": True}
        for line in price_list_in(text)[0]:
            yield "product", line.sku, {"title": line.title, "size": line.size, "reference_price": line.reference}
            quoted = {"reference": line.reference, "quote": line.quote}
            yield "ask", f"{sender} {line.sku}", {**quoted, "price": line.quote, "state": "opening quote"}
        for decided in answer.get("negotiation_responses", ()):
            yield "ask", f"{sender} {decided['sku_id']}", _decision(decided)


def _decision(decided: dict[str, Any]) -> dict[str, Any]:
    """What a supplier asks now, and whether the bargain failed: an agreed price may end without an order."""
    placed, problem = decided.get("order_placed"), decided.get("order_error") or ""
    state = "ordered" if placed else problem or STATES.get(decided["decision"], "not decided")
    priced = {} if decided.get("price") is None else {"price": round(decided["price"], 2), "state": state}
    return {**priced, "failed": not placed and decided["decision"] != "Offer", "problem": problem}


def _without_time(reply: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in reply.items() if name not in ("view", "current_time")}


_READERS = {"market_search": _market, "list_products": _products, "supplier_search": _suppliers, "chatbox": _letters}


@dataclass(frozen=True, slots=True)
class PriceDay:
    """One day of a SKU on a shelf."""

    day: int
    price: float  # as customers paid it, after a promotion's discount; of a day without sales as it was listed
    units: int


@dataclass(slots=True)
class SalesHistory:
    """Noted while a year is replayed: the books forget what a day sold the morning after."""

    journal: Journal = field(default_factory=Journal)
    # By store and SKU, then by day: price and units.
    _days: dict[tuple[str, str], dict[int, tuple[float, int]]] = field(default_factory=lambda: defaultdict(dict))
    reputations: dict[int, dict[str, float]] = field(default_factory=dict)  # by morning and store

    def attend(self, year: Episode) -> None:
        year.account.journal = self.journal

    def note(self, year: Episode, since: int) -> None:
        """After a turn at the table that began on day `since`: its prices hold for every day it went through."""
        if year.day == since:
            return
        self.reputations[year.day] = {
            store.id: round(store.reputation, 3) for store in year.account.books.stores.values()
        }
        for store in year.account.books.trading:
            for sku, listing in store.shelf.items():
                if listing.quantity or store.sold_yesterday.goods:
                    self._days[store.id, sku] |= dict.fromkeys(range(since, year.day), (listing.price, 0))
        for sale in self.journal.sales:
            sold = sale.goods.unit_price, sale.goods.quantity
            self._days[sale.store, sale.goods.product.sku][sale.day] = sold
        self.journal = Journal()
        self.attend(year)

    def of(self, store: str, today: int) -> dict[str, list[PriceDay]]:
        """By SKU that a store has listed: its days before today, oldest first."""
        return {
            sku: [PriceDay(day, round(price, 2), units) for day, (price, units) in sorted(days.items()) if day < today]
            for (where, sku), days in self._days.items()
            if where == store
        }
