"""Stores: opening and closing them, reading how they do, promotions, and where returns come from."""

from operator import itemgetter
from typing import Any, Final

from orjson import Fragment

from ecbench.agent_text import hidden_character
from ecbench.decimals import money, ratio
from ecbench.formatting import amount, counted
from ecbench.market import storefronts
from ecbench.market.books import Enrolment, Stock, Store
from ecbench.market.cache import FunctionCache
from ecbench.market.calendar import is_running, starts_within
from ecbench.market.marketplace import lowest_rival_prices
from ecbench.market.storefronts import DayLine, day_lines
from ecbench.sums import ordered_sum
from ecbench.tools.arguments import Arguments, optional_flag, optional_text, required_number, required_text
from ecbench.tools.office import NOTHING, Office, Refused, Reply, json_text, open_store_named

NO_LINE = DayLine()
SUSPICION_SALES = 10  # units sold before a return rate says anything
SUSPICION_RATIO = 1.5
ALARM_RATIO = 2.0
ALARM_RATE = 0.25
CACHED_SOURCES = 16_384

Deliveries = tuple[int, tuple[tuple[str, int], ...]]
"""The units of a SKU that were delivered, in all and by supplier in the order of their first delivery."""


def open_store(office: Office, arguments: Arguments) -> Reply:
    type_id = required_text(arguments, "store_type")
    name = required_text(arguments, "store_name")
    if hidden := hidden_character(name):
        raise Refused(f"the store's name holds the character {hidden}, which is not shown; leave it out")
    account, rules, books = office.account, office.account.rules, office.account.books
    if len(books.trading) >= rules.max_stores:
        raise Refused(
            f"at most {counted(rules.max_stores, 'store')} may be open at once; close one with close_store first"
        )
    store_type = account.world.store_type_by_id.get(type_id)
    if store_type is None:
        raise Refused(f"unknown store type {type_id[:40]!r}; the types are {', '.join(account.world.store_type_by_id)}")
    if any(store.type.id == type_id for store in books.trading):
        raise Refused(f"a {store_type.name} store is already open; each store must be of another type")
    if books.purse.bank < rules.setup_fee:
        bank = books.purse.bank
        raise Refused(
            f"opening a store costs ¥{amount(rules.setup_fee)} and the bank holds ¥{bank:,.2f}",
            missing=rules.setup_fee - bank,
        )
    reopened = any(store.type.id == type_id for store in books.stores.values())
    store = storefronts.open_store(account, store_type, name)
    if account.conduct is not None:
        account.conduct.watch_stores(account.market.day, len(books.trading))
    fee = {"daily_fee_per_listing": rules.listing_fee} if rules.listing_fee else {}
    return {
        "success": True,
        "store_id": store.id,
        "store_type": store_type.id,
        "store_name": name,
        "setup_fee_charged": rules.setup_fee,
        "daily_ops_cost": rules.operating_cost[store_type.tier],
        **fee,
        "is_reopen": reopened,
        "reopen_note": "A store of this type was open before; its reputation starts over." if reopened else "",
        "bank_balance": money(books.purse.bank),
        "allowed_categories": list(store_type.categories),
    }


def close_store(office: Office, arguments: Arguments) -> Reply:
    store_id = required_text(arguments, "store_id")
    liquidate = optional_flag(arguments, "liquidate")
    store = open_store_named(office, store_id)
    reply: Reply = {"success": True, "store_id": store.id}
    if liquidate:
        return reply | _liquidate(office, store)
    shelf = storefronts.close_store(office.account, store)
    return reply | {
        "inventory_returned_to_warehouse": shelf,
        "total_items_returned": sum(shelf.values()),
        "note": "The store is closed. Its stock is in the warehouse and still pays storage.",
    }


def _liquidate(office: Office, store: Store) -> Reply:
    sold_off = storefronts.liquidate_store(office.account, store)
    return {
        "liquidated": True,
        "items_liquidated": {
            sku: {"quantity": sold.quantity, "salvage": money(sold.proceeds)} for sku, sold in sold_off.items()
        },
        "total_units_liquidated": sum([sold.quantity for sold in sold_off.values()]),
        "salvage_credited": money(ordered_sum([sold.proceeds for sold in sold_off.values()]) or 0.0),
        "salvage_rate": office.account.rules.salvage_rate,
        "bank_balance": money(office.account.books.purse.bank),
        "note": f"{store.id} is closed and its stock was sold off.",
    }


def check_store_status(office: Office, arguments: Arguments) -> Reply:
    store_id = optional_text(arguments, "store_id")
    stores = office.account.books.stores
    if store_id is None:
        return _all_stores(office)
    store = stores.get(store_id)
    if store is None:
        raise Refused(f"no store is called {store_id[:40]!r}; yours are: {', '.join(stores) or 'none yet'}")
    return _one_store(office, store)


def _all_stores(office: Office) -> Reply:
    books = office.account.books
    return {
        "open_stores": len(books.trading),
        "max_stores": office.account.rules.max_stores,
        "stores": [
            {
                "store_id": store.id,
                "store_type": store.type.id,
                "store_name": store.name,
                "is_open": store.is_open,
                "reputation": ratio(store.reputation),
                "total_products": len(store.shelf),
                "total_inventory": sum([listing.quantity for listing in store.shelf.values()]),
                "promotion": store.enrolment.promotion.name if store.enrolment else None,
            }
            for store in books.stores.values()
        ],
    }


def _one_store(office: Office, store: Store) -> Reply:
    lines = day_lines(store)
    revenue = ordered_sum([line.revenue for line in lines.values()])
    refunds = ordered_sum([line.refunds for line in lines.values()])
    freight = ordered_sum([line.freight for line in lines.values()])
    return {
        "store_id": store.id,
        "store_type": store.type.id,
        "store_name": store.name,
        "is_open": store.is_open,
        "opened_date": store.opened.isoformat(),
        "reputation": ratio(store.reputation),
        "promotion": store.enrolment.promotion.name if store.enrolment else None,
        "promotion_discount": store.enrolment.discount if store.enrolment else 0.0,
        "yesterday_summary": {
            "revenue": money(revenue) if lines else NOTHING,
            "returns_count": sum([line.returned for line in lines.values()]),
            "refunds": money(refunds) if lines else NOTHING,
            "shipping_cost": money(freight) if lines else NOTHING,
            "net": money(revenue - refunds - freight) if lines else NOTHING,
        },
        "products": _shelf_rows(office, store, lines),
    }


def _shelf_rows(office: Office, store: Store, lines: dict[str, DayLine]) -> list[Reply]:
    """The shelf in its order, then what sold or came back yesterday without being on it any more."""
    gone = [sku for sku in lines if sku not in store.shelf]
    products = office.account.world.product_by_sku
    rivals = lowest_rival_prices(office.account.market.demand.charges, office.account.seat)
    rows: list[Reply] = []
    for sku in [*store.shelf, *gone]:
        listing, line = store.shelf.get(sku), lines.get(sku, NO_LINE)
        rows.append(
            {
                "product_id": sku,
                "title": products[sku].title[:60],
                "category": products[sku].category,
                "quantity": listing.quantity if listing else 0,
                "retail_price": money(listing.price) if listing else 0.0,
                "yesterday_sold": line.sold,
                "yesterday_returned": line.returned,
            }
        )
        if sku in rivals and listing is not None:
            rows[-1]["lowest_rival_price"] = money(rivals[sku])
    return rows


def join_promotion(office: Office, arguments: Arguments) -> Reply:
    store_id = required_text(arguments, "store_id")
    event_name = required_text(arguments, "event_name")
    discount = required_number(arguments, "discount_rate")
    account, rules = office.account, office.account.rules
    store = open_store_named(office, store_id)
    if not rules.min_discount <= discount <= rules.max_discount:
        raise Refused(f"discount_rate must be between {rules.min_discount} and {rules.max_discount}, not {discount:g}")
    promotion = next((p for p in account.world.promotions if p.name == event_name), None)
    if promotion is None:
        raise Refused(f"no promotion is called {event_name[:60]!r}; use the name of an announcement")
    running = is_running(promotion, account.market.date)
    if not running and not starts_within(promotion, account.market.date, rules.enrol_days):
        raise Refused(
            f"{promotion.name} neither runs now nor starts within {counted(rules.enrol_days, 'day')}; join it then"
        )
    store.enrolment = Enrolment(promotion, discount)
    return {
        "success": True,
        "store_id": store.id,
        "event": promotion.name,
        "discount_rate": discount,
        "active_now": running,
        "max_demand_multiplier": promotion.max_demand,
    }


def trace_return_sources(office: Office, arguments: Arguments) -> Reply:
    sku = optional_text(arguments, "product_id")
    known = [s for s in office.account.books.stock.values() if s.delivered or s.returned]
    if sku is not None:
        known = [s for s in known if s.product.sku == sku]
        if not known:
            raise Refused(f"no history for {sku[:40]!r}: it was never delivered to you or returned")
    rows = [_trace(stock) for stock in known]
    return {"products": sorted(rows, key=lambda row: (-row["realized_return_rate"], row["product_id"]))}


def _trace(stock: Stock) -> dict[str, Any]:
    product, delivered, sold, returned = stock.product, stock.delivered, stock.sold, stock.returned
    natural, rate = product.return_rate, returned / (sold or 1)
    return {
        "product_id": product.sku,
        "title": product.title[:60],
        "category": product.category,
        "total_units_delivered": delivered,
        "units_sold": sold,
        "units_returned": returned,
        "realized_return_rate": ratio(rate) if returned else 0.0,
        "natural_baseline_return_rate": ratio(natural),
        "supplier_sources": _sources[delivered, tuple(stock.by_supplier.items())],
        "note": _suspicion(rate, natural) if sold >= SUSPICION_SALES and rate >= SUSPICION_RATIO * natural else "",
    }


def _source_rows(deliveries: Deliveries) -> Fragment:
    delivered, by_supplier = deliveries
    rows = [
        {"supplier": name, "units_delivered": units, "share": ratio(units / delivered)}
        for name, units in sorted(by_supplier, key=itemgetter(1), reverse=True)
    ]
    return Fragment(json_text(rows))


# They stay as they are until a delivery, and making them is half of the work of `trace_return_sources`.
_sources: Final[FunctionCache[Deliveries, Fragment]] = FunctionCache(_source_rows, CACHED_SOURCES)


def _suspicion(rate: float, natural: float) -> str:
    if rate >= max(ALARM_RATE, ALARM_RATIO * natural):
        return "Returns run far above this product's natural rate."
    return "Returns run above this product's natural rate."
