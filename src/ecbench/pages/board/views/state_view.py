"""What is to be seen of a year at one of its turns: plain values, as an agent could know them.

What no agent can know (floors, labels, moods, demand curves) is in `hidden_values` alone. When an order will arrive and
what customers will send back is drawn long before the agent learns of it, and is not shown either.
"""

from dataclasses import dataclass
from datetime import timedelta

from ecbench.market.books import Store
from ecbench.market.marketplace import Account
from ecbench.pages.board.snapshots import Moment
from ecbench.pages.board.views.knowledge import Notice
from ecbench.pages.board.views.timeline import news_of_calendar
from ecbench.pages.board.views.turn_view import TurnView, turn_view

AGES = (30, 60, 90)  # days: how the warehouse is grouped


@dataclass(frozen=True, slots=True)
class Money:
    bank: float
    wallet: float
    escrow: float
    total: float


@dataclass(frozen=True, slots=True)
class ShelfRow:
    sku: str
    units: int
    price: float
    sold_yesterday: int
    sold: int  # to date


@dataclass(frozen=True, slots=True)
class StoreView:
    id: str
    name: str
    store_type: str  # as tools name it
    opened: str
    is_open: bool
    reputation: float
    reputation_before: float | None  # on the morning before; None if it was not open then
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
    store_type: str  # that sells it
    size: str
    reference: float
    free: int
    held: int
    cost: float
    storage: float  # a day, at the age of its lots
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


@dataclass(frozen=True, slots=True)
class ShipmentRow:
    """What was sold and waits to be sent."""

    number: int
    store: str
    sku: str
    title: str
    units: int
    revenue: float  # before commission
    freight: float  # by standard speed
    sold_on: str
    days_left: int  # until it is cancelled


@dataclass(frozen=True, slots=True)
class Position:
    """Everything at once, after a given number of turns."""

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
    promotions: list[str]  # that run or soon will; by news: of those that were in the news
    news: list[Notice]  # that the replies carried since the day before was closed
    memory: dict[str, str]
    last: TurnView | None


def position(moment: Moment) -> Position:
    """The shop at a moment."""
    year, account = moment.year, moment.account
    books, market = account.books, account.market
    reputations = moment.history.reputations.get(year.day - 1, {})
    return Position(
        turn=moment.turn,
        turns=moment.years.length,
        day=year.day,
        date=market.today,
        time=f"{year.now:%H:%M}",
        minutes_left=max(0, account.economy.closing_minute - account.minute),
        ending=year.ending,
        money=Money(books.purse.bank, books.purse.wallet, books.purse.escrow, books.purse.total),
        stores=[_store(store, reputations.get(store.id)) for store in books.stores.values()],
        stock=_stock(account),
        coming=_coming(account),
        shipments=_shipments(account),
        promotions=_promotions(account, moment.by_news),
        news=_news(moment),
        memory=dict(books.memory),
        last=turn_view(moment.years, moment.turn) if moment.turn else None,
    )


def _news(moment: Moment) -> list[Notice]:
    """The notices of a turn; if it ran through several mornings, those of all of them."""
    if not moment.turn:
        return []
    before = moment.years.last_turn_of(moment.years.states[moment.turn - 1].day - 1)
    return moment.knowledge.notices(before, moment.turn)


def _promotions(account: Account, by_news: bool) -> list[str]:
    """That run or soon will; by news: of those that were in the news."""
    announced = account.economy.calendar.announced_on(account.market.date, account.rules.announce_days)
    posted = {span.name for span in news_of_calendar(account)} if by_news else set()
    return [promotion.name for promotion in announced if not by_news or promotion.name in posted]


def _store(store: Store, reputation_before: float | None) -> StoreView:
    sold = {goods.product.sku: goods.quantity for goods in store.sold_yesterday.goods}
    shelf = [
        ShelfRow(
            sku,
            listing.quantity,
            round(listing.price, 2),
            sold.get(sku, 0),
            listing.stock.sold,
        )
        for sku, listing in store.shelf.items()
    ]
    enrolled = store.enrolment
    return StoreView(
        store.id,
        store.name,
        store.type.id,
        store.opened.isoformat(),
        store.is_open,
        round(store.reputation, 3),
        reputation_before,
        store.shipped,
        enrolled.promotion.name if enrolled else None,
        enrolled.discount if enrolled else 0.0,
        shelf,
    )


def _stock(account: Account) -> list[StockRow]:
    today = account.market.date.toordinal()
    sellers = {category: kind.id for kind in account.economy.world.store_types for category in kind.categories}
    rows = []
    for sku, stock in account.books.stock.items():
        held = sum(lot.quantity for lot in stock.lots)
        if held:
            ages = [0] * (len(AGES) + 1)
            for lot in stock.lots:
                ages[sum(today - lot.day > age for age in AGES)] += lot.quantity
            product = stock.product
            rows.append(
                StockRow(
                    sku,
                    product.title,
                    product.category,
                    sellers[product.category],
                    product.size,
                    product.reference_price,
                    stock.free,
                    held,
                    round(stock.cost, 2),
                    round(sum(lot.charge for lot in stock.lots), 2),
                    ages,
                )
            )
    return sorted(rows, key=lambda row: -row.held * row.cost)


def _coming(account: Account) -> list[ComingRow]:
    market = account.market
    under_way = [order for orders in account.books.in_transit.values() for order in orders]
    return [
        ComingRow(
            order.number,
            order.supplier,
            order.product.sku,
            order.product.title,
            order.quantity,
            round(order.unit_price, 2),
            market.moment(order.placed).date().isoformat(),
        )
        for order in sorted(under_way, key=lambda order: order.number)
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
            round(goods.quantity * goods.unit_price, 2),
            round(goods.quantity * account.rules.freight_cost[goods.product.size], 2),
            sales.sold_on.isoformat(),
            (sales.sold_on - last_day).days,
        )
        for sales in account.books.pending
        for number, goods in enumerate(sales.goods, sales.first)
    ]
