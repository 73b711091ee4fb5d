"""What wants doing on a day, in the order of the money at stake: only what the player can know."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ecbench.board.snapshots import SeatSnapshots
from ecbench.board.views.state_view import Position, StoreView
from ecbench.market.marketplace import Account
from ecbench.tools.stores import SUSPICION_RATIO, SUSPICION_SALES

RUNS_DRY_DAYS = 5  # of stock at the latest rate of sales; less than a delivery takes


@dataclass(frozen=True, slots=True)
class AgendaItem:
    """Something to do. `calls` carry it out at once; `screen` is where one looks closer."""

    kind: str
    title: str
    stake: float  # yuan
    meaning: str  # of the stake
    action: str  # what the button says
    screen: str
    detail: str = ""
    urgent: bool = False
    cost: float = 0.0  # yuan, paid at once
    calls: list[dict[str, Any]] = field(default_factory=list)


def agenda(snapshots: SeatSnapshots, turn: int, position: Position) -> list[AgendaItem]:
    """Urgent tasks first, then by the money at stake."""
    if position.ending is not None:
        return []
    account = snapshots.at(turn).account
    tasks = [
        *_debts(account),
        *_no_store(account, position),
        *_shipments(account),
        *_withdrawal(position),
        *_unlisted(position),
        *_dry_shelves(position),
        *_returns(account),
        *_bargains(snapshots, turn),
        *_news(position),
    ]
    return sorted(tasks, key=lambda task: (not task.urgent, -task.stake))


def _debts(account: Account) -> Iterator[AgendaItem]:
    books, limit = account.books, account.rules.unpaid_limit
    if books.purse.bank < 0:
        detail = f"{books.unpaid_days} mornings in a row so far; {limit} end the business."
        yield AgendaItem(
            "debt", "The bank is overdrawn", -books.purse.bank, "missing", "Look at the money", "money", detail, True
        )


def _no_store(account: Account, position: Position) -> Iterator[AgendaItem]:
    rules = account.rules
    if not account.books.trading:
        left = rules.idle_grace_days - position.day
        detail = f"Without a store each day costs ¥{rules.idle_charge:,.0f}" + (
            f" from day {rules.idle_grace_days + 1} on." if left >= 0 else "."
        )
        yield AgendaItem("no store", "Open a store", rules.idle_charge, "a day", "Look at the market", "market", detail)


def _shipments(account: Account) -> Iterator[AgendaItem]:
    """Orders by the days that are left until they are cancelled."""
    orders: dict[int, list[tuple[int, float, float]]] = defaultdict(list)
    rules, today = account.rules, account.market.date
    for sales in account.books.pending:
        left = rules.ship_deadline_days - (today - sales.sold_on).days
        for goods in sales.goods.values():
            freight = rules.freight_cost[goods.product.size] * goods.quantity
            orders[left].append((goods.quantity, goods.quantity * goods.unit_price, freight))
    for left, rows in sorted(orders.items()):
        units, revenue, freight = (sum(column) for column in zip(*rows, strict=True))
        when = "today is the last day" if left <= 0 else f"{left} {'day' if left == 1 else 'days'} left"
        yield AgendaItem(
            "shipments",
            f"Ship {_count(len(rows), 'order')}: {when}",
            revenue,
            "of sales",
            "Ship all (standard)",
            "stores",
            f"{_count(int(units), 'unit')}. An order that is not shipped in time is cancelled, and reputation falls.",
            urgent=left <= 0,
            cost=freight,
            calls=[{"name": "ship_orders", "arguments": {"action": "ship", "speed": "standard"}}],
        )


def _withdrawal(position: Position) -> Iterator[AgendaItem]:
    if position.money.wallet > 0:
        call = {"name": "withdraw", "arguments": {}}
        detail = "Costs and orders are paid from the bank."
        yield AgendaItem(
            "wallet",
            "Move the wallet to the bank",
            position.money.wallet,
            "idle",
            "Withdraw",
            "money",
            detail,
            calls=[call],
        )


def _unlisted(position: Position) -> Iterator[AgendaItem]:
    rows = [row for row in position.stock if row.free]
    if rows:
        units = sum(row.free for row in rows)
        worth = sum(row.free * row.reference for row in rows)
        title = f"Put {_count(units, 'unit')} of {_count(len(rows), 'product')} on a shelf"
        yield AgendaItem(
            "unlisted", title, worth, "at reference", "List goods", "warehouse", "Only listed goods are sold."
        )


def _dry_shelves(position: Position) -> Iterator[AgendaItem]:
    for store in position.stores:
        rows = [row for row in store.shelf if store.is_open and row.sold_yesterday * RUNS_DRY_DAYS > row.units]
        if rows:
            lost = sum(row.sold_yesterday * row.price for row in rows)
            title = f"{store.name}: {_count(len(rows), 'shelf', 'shelves')} will be empty within {RUNS_DRY_DAYS} days"
            detail = "At yesterday's sales. A delivery takes some days."
            yield AgendaItem("dry", title, lost, "of sales a day", "Reorder", "suppliers", detail)


def _returns(account: Account) -> Iterator[AgendaItem]:
    """Goods that come back as often as `trace_return_sources` would warn of."""
    for stock in account.books.stock.values():
        rate = stock.returned / (stock.sold or 1)
        if stock.sold >= SUSPICION_SALES and rate >= SUSPICION_RATIO * stock.product.return_rate:
            lost = stock.returned * stock.product.reference_price
            title = f"{stock.product.title}: {stock.returned} of {stock.sold} came back"
            yield AgendaItem(
                "returns", title, lost, "returned", "Look at suppliers", "suppliers", "Goods may be defective."
            )


def _bargains(snapshots: SeatSnapshots, turn: int) -> Iterator[AgendaItem]:
    pairs = snapshots.at(turn).desk.book.pairs.values()
    waiting = [pair for pair in pairs if pair.status == "active" and pair.kernel.supplier_prices]
    if waiting:
        names = sorted({pair.supplier.name for pair in waiting})
        title = f"{_count(len(waiting), 'quote')} of {_count(len(names), 'supplier')} wait for your answer"
        worth = sum(pair.product.reference_price - pair.kernel.supplier_prices[-1] for pair in waiting)
        yield AgendaItem("letters", title, max(0.0, worth), "below reference, a unit each", "Answer", "suppliers")


def _news(position: Position) -> Iterator[AgendaItem]:
    for day in position.news:
        for item in day["news"]:
            yield AgendaItem("news", item["content"], 0.0, "", "", "")
    for name in position.promotions:
        joined = [store.name for store in position.stores if store.promotion == name]
        if open_stores(position) and len(joined) < len(open_stores(position)):
            detail = f"Joined by {', '.join(joined)}." if joined else "A joined store sells more, at its discount."
            yield AgendaItem("promotion", f"Promotion announced: {name}", 0.0, "", "Join", "stores", detail)


def open_stores(position: Position) -> list[StoreView]:
    return [store for store in position.stores if store.is_open]


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
