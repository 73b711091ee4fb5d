"""Market research: all store types, goods and suppliers at once, the categories of a store type when it is considered.

At the start it also reads the business: of a new year, or of one that another merchant has run until today. Stores that
stand open are taken over with their shelves and prices. Their store types are as unknown as any other, so they are
researched and tried like new ones, only first. Earlier deliveries were ordered by the merchant before and say nothing
about the suppliers.
"""

import datetime as dt
import re

from ecbench.players.merchants.protocol import Reply, Routine, call
from ecbench.players.merchants.replies import count, mapping, number, numbers, rows, share, text, texts
from ecbench.players.merchants.steady.deliveries import check_deliveries
from ecbench.players.merchants.steady.estimates import DemandEstimate
from ecbench.players.merchants.steady.merchant_state import (
    LineGoods,
    MerchantState,
    ShelfLine,
    Source,
    StoreTypeView,
    ask,
)
from ecbench.sums import ordered_sum

LOOKUP_MINUTES = 30
MOST_LINES = 5  # of a store type: the categories with the most money in them
FIRST_GUESS = {"low": 0.88, "moderate": 0.70, "high": 0.45}  # cost over reference by the label of the margin


def survey(state: MerchantState) -> Routine[None]:
    """Who sells what: three calls show all store types, all goods and all suppliers."""
    overview, catalog, directory = yield from ask(
        state, call("market_search"), call("list_products"), call("supplier_search")
    )
    goods = _by_line(rows(catalog, "results"))
    for row in rows(overview, "store_types"):
        names = [name for name in texts(row, "subcategories") if name in goods]
        lines = {name: ShelfLine(name, goods[name]) for name in names}
        season = [max(1.0, index) / 100 for index in numbers(row, "monthly_sales_index")]
        store_type = StoreTypeView(
            id=text(row, "store_type"),
            name=text(row, "store_name"),
            daily_cost=number(row, "daily_ops_cost"),
            season=season if len(season) == 12 else [1.0] * 12,
            lines=lines,
            demand=DemandEstimate(len(texts(row, "subcategories"))),
        )
        if store_type.id and lines:
            state.store_types[store_type.id] = store_type
            state.lines |= lines
            state.goods |= {item.sku: item for line in lines.values() for item in line.goods}
    for row in rows(directory, "results"):
        for name in texts(row, "categories_served"):
            if name in state.lines:
                state.lines[name].sources.append(Source(text(row, "supplier_name"), text(row, "supplier_email")))


def _by_line(found: list[Reply]) -> dict[str, list[LineGoods]]:
    """The goods of each line, dearest first."""
    priced: dict[str, list[tuple[str, float]]] = {}
    for row in found:
        sku, reference = text(row, "product_id"), number(row, "reference_price")
        if sku and reference > 0:
            priced.setdefault(text(row, "category"), []).append((sku, reference))
    return {
        line: [
            LineGoods(sku, line, reference, index)
            for index, (sku, reference) in enumerate(sorted(items, key=lambda item: -item[1]))
        ]
        for line, items in priced.items()
    }


def research_store_type(state: MerchantState, store_type: StoreTypeView) -> Routine[None]:
    """What each category of a store type sells, and which of them have enough money in them to try."""
    names = list(store_type.lines)
    replies = yield from ask(state, *(call("market_search", category=name) for name in names))
    for name, reply in zip(names, replies, strict=True):
        detail, line = mapping(reply, "detail"), store_type.lines[name]
        line.market = monthly_sales(text(detail, "typical_monthly_sales_range")) / 30
        line.freight = abs(number(detail, "shipping_cost_per_unit", line.freight))
        line.storage = abs(number(detail, "storage_cost_per_unit_per_day", line.storage))
        line.cost = FIRST_GUESS.get(text(detail, "typical_gross_margin"), line.cost)
    worth = sorted(store_type.lines.values(), key=lambda line: -line.market * line.dearest * (1 - line.cost))
    for line in worth[:MOST_LINES]:
        line.tried = line.market > 0
    store_type.researched = True


def monthly_sales(range_text: str) -> float:
    """The middle of a range such as '1,000 to 3,000 units platform-wide'."""
    figures = [float(figure.replace(",", "")) for figure in re.findall(r"\d[\d,]*(?:\.\d+)?", range_text)]
    return ordered_sum(figures[:2]) / len(figures[:2]) if figures else 0.0


def by_dearest_goods(state: MerchantState) -> list[StoreTypeView]:
    """A store's public limits the number of units and not their price, so dear goods are the first hope."""
    return sorted(
        state.store_types.values(), key=lambda store_type: -max(line.dearest for line in store_type.lines.values())
    )


def read_business(state: MerchantState) -> Routine[None]:
    """What day it is, what is in the bank, and which stores stand open already."""
    balance, status = yield from ask(state, call("check_balance"), call("check_store_status"))
    state.bank = number(balance, "bank_balance")
    state.escrow = number(balance, "pending_settlement")
    state.joined = count(balance, "day")
    state.start = state.date - dt.timedelta(days=state.joined)
    for row in rows(status, "stores"):
        store_type = state.store_types.get(text(row, "store_type"))
        if store_type is not None and row.get("is_open") is True:
            yield from take_over(state, store_type, text(row, "store_id"))
    if state.joined > 0:
        yield from check_deliveries(state)


def take_over(state: MerchantState, store_type: StoreTypeView, store: str) -> Routine[None]:
    """Take over an open store: its shelf, at the prices it has."""
    (detail,) = yield from ask(state, call("check_store_status", store_id=store))
    store_type.store, store_type.taken_over = store, True
    store_type.reputation = share(detail, "reputation", store_type.reputation) or store_type.reputation
    for row in rows(detail, "products"):
        item, units = state.goods.get(text(row, "product_id")), count(row, "quantity")
        if item is not None and units > 0:
            state.shelf[item.sku] = units
            state.ratios[item.sku] = round(number(row, "retail_price") / item.reference, 3)
