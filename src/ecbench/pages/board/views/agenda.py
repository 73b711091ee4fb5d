"""What wants doing on a day, in the order of the money at stake: only what the player can know."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from ecbench.episode import Episode
from ecbench.formatting import counted
from ecbench.market.marketplace import Account
from ecbench.pages.board.snapshots import Moment
from ecbench.pages.board.views.own_books import is_suspicious
from ecbench.pages.board.views.state_view import Row, position

RUNS_DRY_DAYS = 5  # of stock at the latest rate of sales; less than a delivery takes
LAST_DAYS = 6  # of a year, in which an order may arrive too late to be sold
ANSWER_DAYS = 3  # after a supplier's last letter; older quotes are on the screen of suppliers


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
    goods: list[str] = field(default_factory=list)  # SKUs that the action puts into the basket
    suppliers: list[str] = field(default_factory=list)  # the addresses of those that it names
    store: str = ""  # the id of the one that it names


def agenda(moment: Moment) -> list[AgendaItem]:
    """Urgent tasks first, then by the money at stake."""
    seen, account, days = position(moment), moment.account, moment.years.terms.days
    if seen["ending"] is not None:
        return []
    tasks = [
        *_debts(account),
        *_no_store(account, seen),
        *_shipments(seen),
        *_withdrawal(seen),
        *_unlisted(seen),
        *_last_days(account, seen, days),
        *_dry_shelves(seen, days),
        *_returns(account),
        *_bargains(moment.year),
        *_promotions(seen),
    ]
    return sorted(tasks, key=lambda task: (not task.urgent, -task.stake))


def _debts(account: Account) -> Iterator[AgendaItem]:
    books, limit = account.books, account.rules.unpaid_limit
    if books.purse.bank < 0:
        detail = f"{books.unpaid_days} mornings in a row so far; {limit} end the business."
        yield AgendaItem(
            "debt", "The bank is overdrawn", -books.purse.bank, "missing", "Look at the money", "money", detail, True
        )


def _no_store(account: Account, seen: Row) -> Iterator[AgendaItem]:
    rules = account.rules
    if not account.books.trading:
        left = rules.idle_grace_days - seen["day"]
        detail = f"Without a store each day costs ¥{rules.idle_charge:,.0f}" + (
            f" from day {rules.idle_grace_days + 1} on." if left >= 0 else "."
        )
        yield AgendaItem("no store", "Open a store", rules.idle_charge, "a day", "Look at the market", "market", detail)


def _shipments(seen: Row) -> Iterator[AgendaItem]:
    """All orders at once, as one call ships them; those that are cancelled tonight make it urgent."""
    rows = seen["shipments"]
    if rows:
        last = [row for row in rows if row["days_left"] <= 0]
        soonest = min(row["days_left"] for row in rows)
        when = (
            f"today is the last day for {len(last):,}" if last else f"at the latest in {counted(soonest, 'day', ',')}"
        )
        units = sum(row["units"] for row in rows)
        yield AgendaItem(
            "shipments",
            f"Ship {counted(len(rows), 'order', ',')}: {when}",
            sum(row["revenue"] for row in rows),
            "of sales",
            "Ship all",
            "stores",
            f"{counted(units, 'unit', ',')}. An order that is not shipped in time is cancelled, and reputation falls.",
            urgent=bool(last),
            cost=sum(row["freight"] for row in rows),
            calls=[{"name": "ship_orders", "arguments": {"action": "ship", "speed": "standard"}}],
        )


def _withdrawal(seen: Row) -> Iterator[AgendaItem]:
    if seen["money"]["wallet"] > 0:
        call = {"name": "withdraw", "arguments": {}}
        detail = "Costs and orders are paid from the bank."
        yield AgendaItem(
            "wallet",
            "Move the wallet to the bank",
            seen["money"]["wallet"],
            "in the wallet",
            "Withdraw",
            "money",
            detail,
            calls=[call],
        )


def _unlisted(seen: Row) -> Iterator[AgendaItem]:
    rows = [row for row in seen["stock"] if row["free"]]
    if rows:
        units = sum(row["free"] for row in rows)
        worth = sum(row["free"] * row["reference"] for row in rows)
        title = f"Put {counted(units, 'unit', ',')} of {counted(len(rows), 'product', ',')} on a shelf"
        yield AgendaItem(
            "unlisted", title, worth, "at reference prices", "List goods", "warehouse", "Only listed goods are sold."
        )


def _last_days(account: Account, seen: Row, days: int) -> Iterator[AgendaItem]:
    """What is still in stock, once orders would arrive too late."""
    left = days - seen["day"]
    worth = sum(row["held"] * row["cost"] for row in seen["stock"])
    if left <= LAST_DAYS and worth:
        share = account.rules.closing_stock_share
        end = "bring less than they cost" if share else "are worth nothing"
        detail = f"Goods that are unsold then {end}, and sales of the last day cannot be shipped any more."
        title = f"{counted(left, 'day', ',')} left: sell what is in stock"
        yield AgendaItem("end", title, worth, "of stock, at cost", "Look at the prices", "stores", detail)


def _dry_shelves(seen: Row, days: int) -> Iterator[AgendaItem]:
    if days - seen["day"] <= LAST_DAYS:
        return
    coming = {row["sku"] for row in seen["coming"]}
    for store in seen["stores"]:
        short = [
            row for row in store["shelf"] if store["is_open"] and row["sold_yesterday"] * RUNS_DRY_DAYS > row["units"]
        ]
        rows = [row for row in short if row["sku"] not in coming]
        if rows:
            lost = sum(row["sold_yesterday"] * row["price"] for row in rows)
            shelves = "1 shelf" if len(rows) == 1 else f"{len(rows):,} shelves"
            title = f"{store['name']}: {shelves} will be empty within {RUNS_DRY_DAYS} days"
            detail = "At yesterday's sales, with no delivery on the way. A delivery takes some days."
            goods = [row["sku"] for row in rows]
            yield AgendaItem("dry", title, lost, "of sales a day", "Bargain for more", "suppliers", detail, goods=goods)


def _returns(account: Account) -> Iterator[AgendaItem]:
    """Goods of which far more came back than is natural."""
    for stock in account.books.stock.values():
        natural = stock.sold * stock.product.return_rate
        if is_suspicious(stock.returned, natural):
            lost = stock.returned * stock.product.reference_price
            title = f"{stock.product.title}: {stock.returned} of {stock.sold} came back"
            usual = f"About {natural:.0f}" if natural >= 1 else "Hardly any"
            detail = f"{usual} would be usual. A supplier may have sent defective goods."
            by_name = {supplier.name: supplier.email for supplier in account.world.suppliers}
            names = [by_name[name] for name in stock.by_supplier]
            yield AgendaItem(
                "returns", title, lost, "returned", "Look at suppliers", "suppliers", detail, suppliers=names
            )


def _bargains(year: Episode) -> Iterator[AgendaItem]:
    """Quotes of the last days for goods that have not been bought elsewhere since."""
    bought = {order.product.sku: order.day for order in year.account.books.orders if order.product is not None}
    oldest = year.account.market.date - timedelta(days=ANSWER_DAYS)
    waiting = [
        pair
        for (name, sku), pair in year.desk.book.pairs.items()
        if pair.status == "active"
        and pair.kernel.supplier_prices
        and year.desk.exchanges[name][-1].day >= oldest
        and bought.get(sku, -1) < pair.day_opened
    ]
    if waiting:
        names = sorted({pair.supplier.name for pair in waiting})
        wait = "waits" if len(waiting) == 1 else "wait"
        title = f"{counted(len(waiting), 'quote', ',')} of {counted(len(names), 'supplier', ',')} {wait} for an answer"
        addresses = sorted({pair.supplier.email for pair in waiting})
        yield AgendaItem("letters", title, 0.0, "", "Answer", "suppliers", _listed(names), suppliers=addresses)


def _promotions(seen: Row) -> Iterator[AgendaItem]:
    for name in seen["promotions"]:
        joined = [store["name"] for store in seen["stores"] if store["promotion"] == name]
        if open_stores(seen) and len(joined) < len(open_stores(seen)):
            detail = f"Joined by {', '.join(joined)}." if joined else "A joined store sells more, at its discount."
            outside = next(store["id"] for store in open_stores(seen) if store["name"] not in joined)
            title = f"Promotion announced: {name}"
            yield AgendaItem("promotion", title, 0.0, "", "Join", "stores", detail, store=outside)


def _listed(names: list[str], most: int = 3) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def open_stores(seen: Row) -> list[Row]:
    return [store for store in seen["stores"] if store["is_open"]]
