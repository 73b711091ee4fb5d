"""What wants doing on a day, by the money at stake: only what the player can know; `agenda.toml` has the words."""

import tomllib
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from ecbench.episode import Episode
from ecbench.formatting import counted, yuan
from ecbench.market.marketplace import Account
from ecbench.pages.board.snapshots import Moment
from ecbench.pages.board.views.own_books import is_suspicious
from ecbench.pages.board.views.state_view import Row, position

RUNS_DRY_DAYS = 5  # of stock at the latest rate of sales; less than a delivery takes
LAST_DAYS = 6  # of a year, in which an order may arrive too late to be sold
ANSWER_DAYS = 3  # after a supplier's last letter; older quotes are on the screen of suppliers
MOST_NAMES = 3  # of suppliers

# What a task may have besides its words: `calls` carry it out at once and cost that much, `goods` are SKUs for the
# basket, `suppliers` the addresses of those that it names, `store` the id of the one.
PLAIN: Mapping[str, Any] = {"urgent": False, "cost": 0.0, "calls": (), "goods": (), "suppliers": (), "store": ""}


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((files("ecbench.pages.board") / "agenda.toml").read_text(encoding="utf-8"))


def _task(kind: str, stake: float, words: Mapping[str, object], **more: Any) -> Row:
    told = {name: text.format(**words) for name, text in _words()[kind].items()}
    return {**PLAIN, "kind": kind, "stake": stake, **told, **more}


def agenda(moment: Moment) -> list[Row]:
    """Urgent tasks first, then by the money at stake."""
    seen, account, days = position(moment), moment.account, moment.years.terms.days
    if seen["ending"] is not None:
        return []
    tasks = [
        *_money(account, seen),
        *_shipments(seen),
        *_stock(account, seen, days - seen["day"]),
        *_returns(account),
        *_bargains(moment.year),
        *_promotions(seen),
    ]
    return sorted(tasks, key=lambda task: (not task["urgent"], -task["stake"]))


def _money(account: Account, seen: Row) -> Iterator[Row]:
    """Debts, a day without a store, and a full wallet."""
    books, rules = account.books, account.rules
    if books.purse.bank < 0:
        words = {"mornings": books.unpaid_days, "limit": rules.unpaid_limit}
        yield _task("debt", -books.purse.bank, words, urgent=True)
    if not books.trading:
        grace = f" from day {rules.idle_grace_days + 1} on" if seen["day"] <= rules.idle_grace_days else ""
        yield _task("no store", rules.idle_charge, {"charge": yuan(rules.idle_charge), "from_day": grace})
    if books.purse.wallet > 0:
        yield _task("wallet", books.purse.wallet, {}, calls=[{"name": "withdraw", "arguments": {}}])


def _shipments(seen: Row) -> Iterator[Row]:
    """All orders at once, as one call ships them; those that are cancelled tonight make it urgent."""
    rows = seen["shipments"]
    if rows:
        last = [row for row in rows if row["days_left"] <= 0]
        soonest = counted(min(row["days_left"] for row in rows), "day", ",")
        words = {
            "orders": counted(len(rows), "order", ","),
            "when": f"today is the last day for {len(last):,}" if last else f"at the latest in {soonest}",
            "units": counted(sum(row["units"] for row in rows), "unit", ","),
        }
        call = {"name": "ship_orders", "arguments": {"action": "ship", "speed": "standard"}}
        freight = sum(row["freight"] for row in rows)
        revenue = sum(row["revenue"] for row in rows)
        yield _task("shipments", revenue, words, urgent=bool(last), cost=freight, calls=[call])


def _stock(account: Account, seen: Row, left: int) -> Iterator[Row]:
    """Goods on no shelf, what is still in stock once orders would arrive too late, and shelves that run dry before."""
    rows = [row for row in seen["stock"] if row["free"]]
    if rows:
        units = counted(sum(row["free"] for row in rows), "unit", ",")
        words = {"units": units, "products": counted(len(rows), "product", ",")}
        yield _task("unlisted", sum(row["free"] * row["reference"] for row in rows), words)
    worth = sum(row["held"] * row["cost"] for row in seen["stock"])
    if left <= LAST_DAYS and worth:
        end = "bring less than they cost" if account.rules.closing_stock_share else "are worth nothing"
        yield _task("end", worth, {"days": counted(left, "day", ","), "end": end})
    coming = {row["sku"] for row in seen["coming"]}
    for store in _open_stores(seen) if left > LAST_DAYS else ():
        short = [row for row in store["shelf"] if row["sold_yesterday"] * RUNS_DRY_DAYS > row["units"]]
        dry = [row for row in short if row["sku"] not in coming]
        if dry:
            shelves = "1 shelf" if len(dry) == 1 else f"{len(dry):,} shelves"
            lost = sum(row["sold_yesterday"] * row["price"] for row in dry)
            words = {"store": store["name"], "shelves": shelves, "days": str(RUNS_DRY_DAYS)}
            yield _task("dry", lost, words, goods=[row["sku"] for row in dry])


def _returns(account: Account) -> Iterator[Row]:
    """Goods of which far more came back than is natural."""
    by_name = {supplier.name: supplier.email for supplier in account.world.suppliers}
    for stock in account.books.stock.values():
        natural = stock.sold * stock.product.return_rate
        if is_suspicious(stock.returned, natural):
            usual = f"About {natural:.0f}" if natural >= 1 else "Hardly any"
            words = {"product": stock.product.title, "returned": stock.returned, "sold": stock.sold, "usual": usual}
            suppliers = [by_name[name] for name in stock.by_supplier]
            yield _task("returns", stock.returned * stock.product.reference_price, words, suppliers=suppliers)


def _bargains(year: Episode) -> Iterator[Row]:
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
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        words = {
            "quotes": counted(len(waiting), "quote", ","),
            "suppliers": counted(len(names), "supplier", ","),
            "wait": "waits" if len(waiting) == 1 else "wait",
            "names": ", ".join(names[:MOST_NAMES]) + more,
        }
        yield _task("letters", 0.0, words, suppliers=sorted({pair.supplier.email for pair in waiting}))


def _promotions(seen: Row) -> Iterator[Row]:
    for name in seen["promotions"]:
        joined = [store["name"] for store in seen["stores"] if store["promotion"] == name]
        outside = [store["id"] for store in _open_stores(seen) if store["name"] not in joined]
        if outside:
            detail = f"Joined by {', '.join(joined)}." if joined else "A joined store sells more, at its discount."
            yield _task("promotion", 0.0, {"name": name, "joined": detail}, store=outside[0])


def _open_stores(seen: Row) -> list[Row]:
    return [store for store in seen["stores"] if store["is_open"]]


COACHED_DAYS = 10
LISTS_WANTED = 3  # price lists, before a bid can be compared


@cache
def steps() -> list[Mapping[str, Any]]:
    """As `coach.toml` states them."""
    content = (files("ecbench.pages.board") / "coach.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(content)["step"])


def advice(moment: Moment) -> dict[str, Any] | None:
    """The first step that is not done; None after the first days."""
    seen = position(moment)
    if seen["day"] > COACHED_DAYS or seen["ending"] is not None:
        return None
    done = _done(moment, seen)
    number, step = next((number, step) for number, step in enumerate(steps(), start=1) if step["until"] not in done)
    return {**step, "step": number, "steps": len(steps())}


def _done(moment: Moment, seen: Mapping[str, Any]) -> set[str]:
    """What a player has done, in the words of `coach.toml`."""
    known = {finding.kind for finding in moment.knowledge.between(0, moment.turn)}
    letters = sum(2 * len(exchanges) for exchanges in moment.year.desk.exchanges.values())
    orders, stores = moment.account.books.orders, seen["stores"]
    facts = {
        "looked at the market": "store_type" in known,
        "a store is open": any(store["is_open"] for store in stores),
        "products are listed": "product" in known,
        "suppliers are found": "supplier" in known,
        "letters are written": letters >= 2 * LISTS_WANTED or bool(orders),
        "something is ordered": bool(orders),
        "goods have arrived": bool(seen["stock"]),
        "goods are on a shelf": any(store["shelf"] for store in stores),
        "orders were shipped": any(store["shipped"] for store in stores),
    }
    return {name for name, holds in facts.items() if holds}
