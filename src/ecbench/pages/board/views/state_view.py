"""What is to be seen of a year at one of its turns: plain values, as an agent could know them."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from ecbench.market.books import Store
from ecbench.market.marketplace import Account
from ecbench.metrics.solvency import daily_rows
from ecbench.pages.board.snapshots import Moment, SeatSnapshots
from ecbench.pages.year_days import Span, chart_of
from ecbench.runs.play.agents import short_name

AGES = (30, 60, 90)  # days: how the warehouse is grouped

Row = dict[str, Any]


def position(moment: Moment) -> Row:
    """The shop at a moment. Amounts are yuan; promotions are those that run or soon will."""
    year, account = moment.year, moment.account
    books, market = account.books, account.market
    reputations = moment.history.reputations.get(year.day - 1, {})
    return {
        "turn": moment.turn,
        "turns": moment.years.length,
        "day": year.day,
        "date": market.today,
        "time": f"{year.now:%H:%M}",
        "minutes_left": max(0, account.economy.closing_minute - account.minute),
        "ending": year.ending,
        "money": {name: getattr(books.purse, name) for name in ACCOUNTS},
        "stores": [_store(store, reputations.get(store.id)) for store in books.stores.values()],
        "stock": _stock(account),
        "coming": _coming(account),
        "shipments": _shipments(account),
        "promotions": _promotions(account, moment.by_news),
    }


def _promotions(account: Account, by_news: bool) -> list[str]:
    """That run or soon will; by news: of those that were in the news."""
    announced = account.economy.calendar.announced_on(account.market.date, account.rules.announce_days)
    posted = {span.name for span in news_of_calendar(account)} if by_news else set()
    return [promotion.name for promotion in announced if not by_news or promotion.name in posted]


def _store(store: Store, reputation_before: float | None) -> Row:
    """`reputation_before` is that of the morning before; None if it was not open then."""
    sold, enrolled = {goods.product.sku: goods.quantity for goods in store.sold_yesterday.goods}, store.enrolment
    return {
        "id": store.id,
        "name": store.name,
        "store_type": store.type.id,
        "opened": store.opened.isoformat(),
        "is_open": store.is_open,
        "reputation": round(store.reputation, 3),
        "reputation_before": reputation_before,
        "shipped": store.shipped,
        "promotion": enrolled.promotion.name if enrolled else None,
        "discount": enrolled.discount if enrolled else 0.0,
        "shelf": [
            {
                "sku": sku,
                "units": listing.quantity,
                "price": round(listing.price, 2),
                "sold_yesterday": sold.get(sku, 0),
                "sold": listing.stock.sold,
            }
            for sku, listing in store.shelf.items()
        ],
    }


def _stock(account: Account) -> list[Row]:
    """Goods in the warehouse and on shelves; `storage` is a day's, `ages` are units up to each of AGES and older."""
    today = account.market.date.toordinal()
    sellers = {category: kind.id for kind in account.economy.world.store_types for category in kind.categories}
    rows = []
    for sku, stock in account.books.stock.items():
        ages = [0] * (len(AGES) + 1)
        for lot in stock.lots:
            ages[sum(today - lot.day > age for age in AGES)] += lot.quantity
        if held := sum(ages):
            rows.append(
                {
                    "sku": sku,
                    "title": stock.product.title,
                    "category": stock.product.category,
                    "store_type": sellers[stock.product.category],
                    "size": stock.product.size,
                    "reference": stock.product.reference_price,
                    "free": stock.free,
                    "held": held,
                    "cost": round(stock.cost, 2),
                    "storage": round(sum(lot.charge for lot in stock.lots), 2),
                    "ages": ages,
                }
            )
    return sorted(rows, key=lambda row: -row["held"] * row["cost"])


def _coming(account: Account) -> list[Row]:
    under_way = [order for orders in account.books.in_transit.values() for order in orders]
    return [
        {
            "number": order.number,
            "supplier": order.supplier,
            "sku": order.product.sku,
            "title": order.product.title,
            "units": order.quantity,
            "unit_price": round(order.unit_price, 2),
            "placed": account.market.moment(order.placed).date().isoformat(),
        }
        for order in sorted(under_way, key=lambda order: order.number)
        if order.product is not None
    ]


def _shipments(account: Account) -> list[Row]:
    """What waits to be sent: revenue before commission, standard freight, and days until it is cancelled."""
    last_day = account.market.date - timedelta(days=account.rules.ship_deadline_days)
    return [
        {
            "number": number,
            "store": sales.store,
            "title": goods.product.title,
            "units": goods.quantity,
            "revenue": round(goods.quantity * goods.unit_price, 2),
            "freight": round(goods.quantity * account.rules.freight_cost[goods.product.size], 2),
            "sold_on": sales.sold_on.isoformat(),
            "days_left": (sales.sold_on - last_day).days,
        }
        for sales in account.books.pending
        for number, goods in enumerate(sales.goods, sales.first)
    ]


def news_of_calendar(account: Account) -> list[Span]:
    """What mornings have posted so far, on the day of its news: neither how long it lasts nor when a promotion begins.

    What held on the opening day is never posted.
    """
    calendar, today, ahead = account.economy.calendar, account.market.day, account.rules.announce_days
    start = account.market.date - timedelta(days=today)
    known = {promotion.name for promotion in calendar.announced_on(start, ahead)}
    spans = []
    for day in range(1, today + 1):
        then = start + timedelta(days=day)
        spans += [Span(event.name, "event", day, day) for event in calendar.starting_on(then)]
        new = [sale.name for sale in calendar.opening_on(then, ahead) if sale.name not in known]
        spans += [Span(name, "promotion", day, day) for name in new]
        known.update(new)
    return spans


ACCOUNTS = ("bank", "wallet", "escrow", "total")


def timeline(snapshots: SeatSnapshots, calendar: Sequence[Span]) -> dict[str, Any]:
    """With the part of the calendar that may be shown.

    Money is by day at 08:00, from the opening; the last one of a year that is over is final. `turns` has by day how
    many were over when it ended.
    """
    account, terms, end = snapshots.latest.account, snapshots.terms, snapshots.end
    by_day = {row.books.day: row.books for row in daily_rows(account)}
    days = sorted(by_day)
    return {
        **chart_of([by_day[day] for day in days], terms.days, snapshots.world, calendar),
        "agent": short_name(terms.seats[snapshots.seat].agent),
        "world": terms.world.name,
        "rules": terms.rule_set,
        "ending": end.ending if end else None,
        "turns": [snapshots.last_turn_of(day) for day in days],
    }
