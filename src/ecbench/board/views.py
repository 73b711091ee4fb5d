"""What is to be seen of a year at one of its turns: plain values, as an agent could know them.

What no agent can know (floors, labels, moods, demand curves) is in `truth` alone.
"""

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from ecbench.board.film import YearFilm
from ecbench.episode import Episode
from ecbench.market.books import Books, Store
from ecbench.market.ledger import CHANNELS
from ecbench.market.marketplace import Account
from ecbench.seat import cut, fault_of
from ecbench.suppliers.sessions import Pair
from ecbench.tools.catalog import TOOL_BY_NAME
from ecbench.tools.news import told

AGES = (30, 60, 90)  # days: how the warehouse is grouped
FIRST_ROWS = 12  # of a list in a reply that is too long to be sent
LONGEST_TEXT = 20_000  # characters of one reply or letter that a page is sent; the rest is one request away


@dataclass(frozen=True, slots=True)
class Money:
    """The three pots, and what moved by which channel since yesterday's opening."""

    bank: float
    wallet: float
    escrow: float
    total: float
    moved: dict[str, float]


@dataclass(frozen=True, slots=True)
class ShelfRow:
    sku: str
    title: str
    category: str
    units: int
    price: float
    reference: float
    sold_yesterday: int
    sold: int  # to date
    returned: int


@dataclass(frozen=True, slots=True)
class StoreView:
    id: str
    name: str
    type: str
    opened: str
    is_open: bool
    reputation: float
    shipped: int
    promotion: str | None
    discount: float
    shelf: list[ShelfRow]


@dataclass(frozen=True, slots=True)
class StockRow:
    """A SKU in the warehouse and on shelves: units by age of their lot."""

    sku: str
    title: str
    category: str
    reference: float
    free: int
    held: int
    cost: float
    ages: list[int]  # units up to 30, 60, 90 days, and older


@dataclass(frozen=True, slots=True)
class ComingRow:
    number: int
    supplier: str
    sku: str
    title: str
    units: int
    unit_price: float
    placed: str
    arrives: str


@dataclass(frozen=True, slots=True)
class ShipmentRow:
    """What was sold and waits to be sent."""

    number: int
    store: str
    sku: str
    title: str
    units: int
    sold_on: str
    days_left: int  # until it is cancelled


@dataclass(frozen=True, slots=True)
class Card:
    """One call and what came back."""

    tool: str
    minutes: int
    arguments: Any
    reply: str
    ok: bool
    cut: bool  # there is more of it than a page is sent at once


@dataclass(frozen=True, slots=True)
class TurnView:
    number: int
    text: str
    reasoning: str
    cards: list[Card]
    evicted: int  # tokens that left the model's context before it


@dataclass(frozen=True, slots=True)
class Position:
    """Everything at once, after so many turns."""

    turn: int
    turns: int
    day: int
    date: str
    time: str
    minutes_left: int
    ending: str | None
    money: Money
    stores: list[StoreView]
    stock: list[StockRow]
    coming: list[ComingRow]
    shipments: list[ShipmentRow]
    returns: int  # units on their way back
    events: list[str]
    promotions: list[str]
    news: list[Any]
    memory: dict[str, str]
    suppliers: int  # written to so far
    last: TurnView | None


def position(film: YearFilm, turn: int) -> Position:
    year = film.at(turn)
    account, books = year.account, year.account.books
    market, calendar, rules = account.market, account.economy.calendar, account.rules
    return Position(
        turn=turn,
        turns=film.length,
        day=year.day,
        date=market.today,
        time=f"{year.now:%H:%M}",
        minutes_left=max(0, account.economy.closing_minute - account.minute),
        ending=year.ending,
        money=_money(books),
        stores=[_store(store) for store in books.stores.values()],
        stock=_stock(account),
        coming=_coming(account),
        shipments=_shipments(account),
        returns=sum(back.quantity for coming in books.returns.values() for back in coming),
        events=[event.name for event in calendar.events_on(market.date)],
        promotions=[promotion.name for promotion in calendar.announced_on(market.date, rules.announce_days)],
        news=told(account.news) if account.news else [],
        memory=dict(books.memory),
        suppliers=len(year.desk.exchanges),
        last=turn_view(film, turn) if turn else None,
    )


def _money(books: Books) -> Money:
    purse = books.purse
    before = books.days[-2].flows if len(books.days) > 1 else (0.0,) * len(CHANNELS)
    moved = {name: round(purse.totals[name] - past, 2) for name, past in zip(CHANNELS, before, strict=True)}
    return Money(purse.bank, purse.wallet, purse.escrow, purse.total, {name: by for name, by in moved.items() if by})


def _store(store: Store) -> StoreView:
    sold = {goods.product.sku: goods.quantity for goods in store.sold_yesterday.values()}
    shelf = [
        ShelfRow(
            sku,
            listing.stock.product.title,
            listing.category,
            listing.quantity,
            round(listing.price, 2),
            listing.stock.product.reference_price,
            sold.get(sku, 0),
            listing.stock.sold,
            listing.stock.returned,
        )
        for sku, listing in store.shelf.items()
    ]
    enrolled = store.enrolment
    return StoreView(
        store.id,
        store.name,
        store.type.name,
        store.opened.isoformat(),
        store.is_open,
        round(store.reputation, 4),
        store.shipped,
        enrolled.promotion.name if enrolled else None,
        enrolled.discount if enrolled else 0.0,
        shelf,
    )


def _stock(account: Account) -> list[StockRow]:
    today = account.market.date.toordinal()
    rows = []
    for sku, stock in account.books.stock.items():
        held = sum(lot.quantity for lot in stock.lots)
        if held:
            ages = [0] * (len(AGES) + 1)
            for lot in stock.lots:
                ages[sum(today - lot.day > age for age in AGES)] += lot.quantity
            product = stock.product
            cost, reference = round(stock.cost, 2), product.reference_price
            rows.append(StockRow(sku, product.title, product.category, reference, stock.free, held, cost, ages))
    return sorted(rows, key=lambda row: -row.held * row.cost)


def _coming(account: Account) -> list[ComingRow]:
    market = account.market
    return [
        ComingRow(
            order.number,
            order.supplier,
            order.product.sku,
            order.product.title,
            order.quantity,
            round(order.unit_price, 2),
            market.moment(order.placed).isoformat(timespec="minutes"),
            market.moment(order.arrives).isoformat(timespec="minutes"),
        )
        for day in sorted(account.books.in_transit)
        for order in account.books.in_transit[day]
        if order.product is not None
    ]


def _shipments(account: Account) -> list[ShipmentRow]:
    last_day = account.market.date - timedelta(days=account.rules.ship_deadline_days)
    return [
        ShipmentRow(
            number,
            sales.store,
            goods.product.sku,
            goods.product.title,
            goods.quantity,
            sales.sold_on.isoformat(),
            (sales.sold_on - last_day).days,
        )
        for sales in account.books.pending
        for number, goods in sales.goods.items()
    ]


def turn_view(film: YearFilm, number: int) -> TurnView:
    """What the agent thought, said and called in a turn (counted from 1), and what came back."""
    turn = film.turn(number)
    cards = [_card(call, reply) for call, reply in zip(turn.calls, turn.replies, strict=True)]
    evicted = sum(eviction["freed"] for eviction in turn.evictions)
    text, reasoning = (cut(str(turn.said.get(name, "")), LONGEST_TEXT) for name in ("text", "reasoning"))
    return TurnView(number, text, reasoning, cards, evicted)


def _card(call: dict[str, Any], reply: str) -> Card:
    given = call.get("arguments")
    long_call = len(str(given)) > LONGEST_TEXT
    shown = cut(str(given), LONGEST_TEXT) if long_call else given
    is_cut = long_call or len(reply) > LONGEST_TEXT
    told = reply if len(reply) <= LONGEST_TEXT else json.dumps(_abridged(json.loads(reply)), ensure_ascii=False)
    return Card(_name(call), _minutes(call), shown, told[:LONGEST_TEXT], fault_of(reply) is None, is_cut)


def _abridged(value: Any) -> Any:
    """A reply with the first rows of its lists, and how many are left out."""
    if isinstance(value, dict):
        return {name: _abridged(part) for name, part in value.items()}
    if isinstance(value, list) and len(value) > FIRST_ROWS:
        rows = [_abridged(part) for part in value[:FIRST_ROWS]]
        return [*rows, {"left_out": len(value) - FIRST_ROWS}]
    return cut(value, LONGEST_TEXT // FIRST_ROWS) if isinstance(value, str) else value


def _name(call: dict[str, Any]) -> str:
    return str(call.get("name"))[:60]


def _minutes(call: dict[str, Any]) -> int:
    name = call.get("name")
    tool = TOOL_BY_NAME.get(name) if isinstance(name, str) else None
    return tool.minutes if tool else 0


@dataclass(frozen=True, slots=True)
class Ladder:
    """One bargain: the offers of both sides in turn, and how it ended."""

    sku: str
    title: str
    reference: float
    opened: int  # day
    closed: int | None
    quotes: list[float]
    offers: list[float]
    outcome: str  # open, deal, or who walked away
    price: float | None


@dataclass(frozen=True, slots=True)
class LetterView:
    sender: str  # "agent", or the supplier's name
    date: str
    minute: int
    text: str


@dataclass(frozen=True, slots=True)
class Chat:
    """What was written to one supplier and what it wrote, oldest first, and the bargains with it."""

    name: str
    email: str
    category: str
    letters: list[LetterView]
    ladders: list[Ladder]
    orders: int
    member: bool


def chats(year: Episode) -> list[dict[str, Any]]:
    """The suppliers in the order of their latest letter, newest first."""
    found = []
    for name, exchanges in year.desk.exchanges.items():
        last = exchanges[-1]
        deals = year.desk.orders.get(name, 0)
        found.append({"name": name, "letters": 2 * len(exchanges), "orders": deals, "day": last.day.isoformat()})
    return sorted(found, key=lambda row: row["day"], reverse=True)


def chat(year: Episode, name: str) -> Chat | None:
    exchanges = year.desk.exchanges.get(name)
    if exchanges is None:
        return None
    supplier = next(supplier for supplier in year.world.suppliers if supplier.name == name)
    letters = [
        LetterView(letter.sender, letter.day.isoformat(), letter.minute, cut(letter.content, LONGEST_TEXT))
        for exchange in exchanges
        for letter in exchange.letters
    ]
    book = year.desk.book
    pairs = [pair for pair in book.filed if pair.supplier.name == name]
    pairs += [pair for (who, _), pair in book.pairs.items() if who == name and not pair.concluded]
    return Chat(
        name,
        supplier.email,
        supplier.category,
        letters,
        [_ladder(pair) for pair in pairs],
        year.desk.orders.get(name, 0),
        name in year.desk.members,
    )


def _ladder(pair: Pair) -> Ladder:
    outcome = {"completed": "deal", "awaiting": "deal", "rejected": pair.closed_by, "active": "open"}[pair.status]
    return Ladder(
        pair.product.sku,
        pair.product.title,
        pair.product.reference_price,
        pair.day_opened,
        pair.day_concluded if pair.concluded else None,
        [round(price, 2) for price in pair.kernel.supplier_prices],
        [round(price, 2) for price in pair.kernel.agent_prices],
        outcome,
        round(pair.agreed, 2) if pair.agreed is not None and pair.status == "completed" else None,
    )
