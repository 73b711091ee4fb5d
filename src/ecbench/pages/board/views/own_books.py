"""What a merchant's own books show: the night, the accounts, suppliers, prices, and its terms."""

from collections import defaultdict
from datetime import date
from statistics import fmean
from typing import Any

from ecbench.formatting import counted
from ecbench.harness.brief import BriefStyle, conduct_terms
from ecbench.market.books import Listing, Stock
from ecbench.market.calendar import WEEK
from ecbench.market.filed import PurchaseOrder
from ecbench.market.ledger import CHANNELS
from ecbench.market.marketplace import Account
from ecbench.market.purchasing import received_on
from ecbench.market.storefronts import day_lines
from ecbench.pages.board.snapshots import Moment
from ecbench.pages.board.views.knowledge import PriceDay
from ecbench.pages.reply_blocks import yuan_and_fen
from ecbench.pages.report.templates_env import board_part
from ecbench.tools.catalog import tools_under
from ecbench.tools.statements import STATEMENT_TOOLS


def morning(moment: Moment) -> dict[str, Any]:
    """News of a turn's mornings, arrivals, and sales by product and store, the largest revenue first, in yuan."""
    before = moment.years.last_turn_of(moment.years.states[moment.turn - 1].day - 1) if moment.turn else 0
    books, opening = moment.account.books, moment.account.economy.opening_minute
    arrivals = [
        {
            "title": order.product.title,
            "supplier": order.supplier,
            "ordered": order.quantity,
            "delivered": order.delivered,
            "short": order.delivered < order.quantity,
        }
        for order in books.orders
        if order.product is not None and received_on(order, opening) == moment.year.day
    ]
    sales = [
        {
            "store": store.name,
            "title": books.stock[sku].product.title,
            "sold": line.sold,
            "revenue": round(line.revenue, 2),
            "returned": line.returned,
            "refunds": round(line.refunds, 2),
        }
        for store in books.trading
        for sku, line in day_lines(store).items()
    ]
    return {
        "news": moment.knowledge.notices(before, moment.turn),
        "arrivals": arrivals,
        "sales": sorted(sales, key=lambda row: -row["revenue"]),
    }


def morning_section(moment: Moment) -> str:
    return board_part("morning", **morning(moment))


def accounts_view(moment: Moment) -> dict[str, Any]:
    """Sales not shipped yet; as a part of a page escrow by the date it settles on, and what moved, costs negative."""
    books, today = moment.account.books, moment.account.market.date.toordinal()
    settlements = [
        {
            "date": date.fromordinal(day).isoformat(),
            "day": moment.year.day + day - today,
            "amount": round(sum(held), 2),
            "shipments": sum(amount > 0.0 for amount in held),
        }
        for day, held in sorted(books.purse.batches.items())
    ]
    before = books.days[-WEEK - 1].flows if len(books.days) > WEEK else (0.0,) * len(CHANNELS)
    totals = books.purse.totals
    flows = [
        {"channel": name, "week": round(totals[name] - past, 2), "year": round(totals[name], 2)}
        for name, past in zip(CHANNELS, before, strict=True)
        if totals[name]
    ]
    unshipped = sum(goods.quantity * goods.unit_price for sales in books.pending for goods in sales.goods)
    html = board_part("accounts", settlements=settlements, flows=flows)
    return {"html": html, "unshipped": round(unshipped, 2)}


def supplier_histories(moment: Moment) -> list[dict[str, Any]]:
    """The suppliers in the order of their latest letter, newest first, with units and yuan to date.

    `ordered` and `delivered` are of orders that have arrived. Returns are those of its goods: a SKU from several
    suppliers counts by their shares. `usual_returns` would have come back at the natural rates of these goods.
    """
    year = moment.year
    suppliers = {supplier.name: supplier for supplier in year.world.suppliers}
    orders: dict[str, list[PurchaseOrder]] = defaultdict(list)
    for order in year.account.books.orders:
        orders[order.supplier].append(order)
    bargains: dict[str, int] = defaultdict(int)
    for (name, _), pair in year.desk.book.pairs.items():
        bargains[name] += not pair.concluded
    coming = {order.number for waiting in year.account.books.in_transit.values() for order in waiting}
    found = []
    for name, exchanges in year.desk.exchanges.items():
        placed, goods = orders[name], [order for order in orders[name] if order.product is not None]
        arrived = [order for order in goods if order.number not in coming]
        sold, returned, usual = _returns(name, year.account.books.stock)
        found.append(
            {
                "name": name,
                "email": suppliers[name].email,
                "category": suppliers[name].category,
                "letters": 2 * len(exchanges),
                "day": exchanges[-1].day.isoformat(),
                "open_bargains": bargains[name],
                "orders": len(placed),
                "spent": round(sum(order.charged for order in placed), 2),
                "ordered": sum(order.quantity for order in arrived),
                "delivered": sum(order.delivered for order in arrived),
                "on_the_way": sum(order.quantity for order in goods if order.number in coming),
                "sold": round(sold, 1),
                "returned": round(returned, 1),
                "usual_returns": round(usual, 1),
                "suspicious": is_suspicious(returned, usual),
                "member": name in year.desk.members,
            }
        )
    return sorted(found, key=lambda row: str(row["day"]), reverse=True)


def is_suspicious(returned: float, usual: float) -> bool:
    """Whether far more units came back than is natural for the goods; a single one never is."""
    return returned > 2 * usual + 2


def _returns(name: str, stocks: dict[str, Stock]) -> tuple[float, float, float]:
    """Units sold, returned, and returned at the natural rate, of the goods that a supplier delivered."""
    sold = returned = usual = 0.0
    for stock in stocks.values():
        if units := stock.by_supplier.get(name):
            share = units / stock.delivered
            sold += share * stock.sold
            returned += share * stock.returned
            usual += share * stock.sold * stock.product.return_rate
    return sold, returned, usual


RECENT_DAYS = 2 * WEEK  # of sales that are shown


def price_desk(moment: Moment) -> dict[str, list[dict[str, Any]]]:
    """By store that is open, its products. Rates are units a day; amounts are yuan."""
    today, found = moment.year.day, {}
    for store in moment.account.books.trading:
        history = moment.history.of(store.id, today)
        found[store.id] = [
            _row(listing, store.was.get(sku), history.get(sku, []), today) for sku, listing in store.shelf.items()
        ]
    return found


def _row(listing: Listing, was: float | None, days: list[PriceDay], today: int) -> dict[str, Any]:
    """Rates are over the days of the last week, and of the week before, on which it was listed; None if on none.

    `was` is a former price that is shown crossed out, `days_left` of stock at that rate, None if nothing was sold.
    """
    stock, product = listing.stock, listing.stock.product
    rate, earlier = _rate(days, today - WEEK, today), _rate(days, today - RECENT_DAYS, today - WEEK)
    return {
        "sku": product.sku,
        "title": product.title,
        "size": product.size,
        "units": listing.quantity,
        "price": round(listing.price, 2),
        "was": None if was is None else round(was, 2),
        "reference": product.reference_price,
        "cost": round(stock.cost, 2),
        "sold": stock.sold,
        "returned": stock.returned,
        "days": [day.units for day in days if day.day >= today - RECENT_DAYS],
        "rate": round(rate or 0.0, 2),
        "earlier_rate": None if earlier is None else round(earlier, 2),
        "days_left": round(listing.quantity / rate, 1) if rate else None,
        "by_price": _by_price(days),
    }


def _by_price(days: list[PriceDay]) -> str:
    """What it has sold at each price so far."""
    if not days:
        return "It has not been on the shelf for a day yet."
    sold: dict[float, list[int]] = defaultdict(list)
    for row in days:
        sold[row.price].append(row.units)
    parts = (
        f"{yuan_and_fen(price)}: {fmean(units):.1f} a day over {counted(len(units), 'day')}"
        for price, units in sorted(sold.items())
    )
    return f"Sold at {'; '.join(parts)}."


def _rate(days: list[PriceDay], first: int, last: int) -> float | None:
    sold = [row.units for row in days if first <= row.day < last]
    return fmean(sold) if sold else None


def player_terms(account: Account, style: BriefStyle) -> dict[str, Any]:
    """Amounts in yuan, shares between 0 and 1. `conduct` and `statements` are empty unless the rules count conduct."""
    rules, conduct = account.rules, account.conduct
    return {
        "minutes": {tool.name: tool.minutes for tool in tools_under(rules).values()},
        "day_minutes": (rules.closing_hour - rules.opening_hour) * 60,
        "setup_fee": rules.setup_fee,
        "most_stores": rules.max_stores,
        "commission": rules.commission,
        "escrow_days": rules.escrow_days,
        "freight": dict(rules.freight_cost),
        "freight_factor": dict(rules.freight_factor),
        "discounts": (rules.min_discount, rules.max_discount),
        "unpaid_limit": rules.unpaid_limit,
        "conduct": conduct_terms(conduct.house, style) if conduct else "",
        "statements": [_form(tool.schema(rules)["function"]) for tool in STATEMENT_TOOLS] if conduct else [],
    }


def _form(schema: dict[str, Any]) -> dict[str, Any]:
    """A tool by which a person states figures: what it is for, and what each figure means."""
    fields = {name: field["description"] for name, field in schema["parameters"]["properties"].items()}
    return {"tool": schema["name"], "about": schema["description"], "fields": fields}
