"""Inventory: the catalog, the warehouse, the shelves and the queue of orders to ship."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import orjson

from ecbench.decimals import money
from ecbench.formatting import counted
from ecbench.market.books import DaySales, Parcel, SoldGoods, Store
from ecbench.market.cache import FunctionCache
from ecbench.market.conduct import Conduct
from ecbench.market.crossed_out import state_former_price
from ecbench.market.marketplace import Account, iso
from ecbench.market.sales import GoodsSent, ship, take_pending
from ecbench.market.stock import delist_units, list_units, reprice
from ecbench.rules import SPEEDS, Rules
from ecbench.sums import ordered_sum
from ecbench.suppliers.grammar import LARGEST_PRICE
from ecbench.tools.arguments import (
    Arguments,
    lenient_count,
    lenient_number,
    optional_list,
    optional_text,
    required_list,
    required_text,
)
from ecbench.tools.office import NOTHING, Office, Refused, Reply, json_text, open_store_named
from ecbench.world.model import Product, World

CACHED_LINES = 65_536
ItemChange = Callable[[Office, Store, str, Arguments], Reply]


def list_products(office: Office, arguments: Arguments) -> Reply:
    store_type = optional_text(arguments, "store_type")
    category = optional_text(arguments, "category")
    world = office.account.world
    if store_type is None and category is None:
        return {"results": orjson.Fragment(_whole_catalog(world)), "total": len(world.products)}
    products = _matching(world, store_type, category)
    return {"results": _rows(products), "total": len(products)}


@lru_cache(maxsize=16)
def _whole_catalog(world: World) -> str:
    """As JSON. Nearly every year begins with a look at it, and it never changes."""
    return json_text(_rows(world.products))


def _rows(products: tuple[Product, ...]) -> list[Reply]:
    return [
        {
            "product_id": p.sku,
            "title": p.title[:80],
            "category": p.category,
            "brand": p.brand,
            "size": p.size,
            "reference_price": p.reference_price,
        }
        for p in products
    ]


def _matching(world: World, store_type: str | None, category: str | None) -> tuple[Product, ...]:
    if category is None:
        return world.products if store_type is None else world.products_by_store_type.get(store_type, ())
    known = world.category_by_name.get(category)
    if known is None or store_type not in (None, known.store_type):
        return ()
    return world.products_by_category[category]


def check_warehouse(office: Office, arguments: Arguments) -> Reply:
    free = [stock for stock in office.account.books.stock.values() if stock.free > 0]
    return {
        "total_items": sum([stock.free for stock in free]),
        "total_value": money(ordered_sum([stock.free * stock.cost for stock in free])) if free else NOTHING,
        "items": {
            stock.product.sku: {
                "quantity": stock.free,
                "product": stock.product.title[:60],
                "category": stock.product.category,
                "purchase_price": money(stock.cost),
                "size": stock.product.size,
            }
            for stock in free
        },
    }


def publish_to_store(office: Office, arguments: Arguments) -> Reply:
    return _change_items(office, arguments, "plan", _publish)


def _publish(office: Office, store: Store, sku: str, item: Arguments) -> Reply:
    quantity, price = _positive_count(item, "quantity"), _positive_price(item, "retail_price")
    stock = office.account.books.stock.get(sku)
    if stock is None or stock.free < 1:
        raise Refused(f"no free units of {sku[:40]!r} in the warehouse; check_warehouse lists what is free")
    if stock.product.category not in store.type.categories:
        raise Refused(
            f"a {store.type.name} store cannot sell {stock.product.category}; "
            f"it sells {', '.join(store.type.categories)}"
        )
    if quantity > stock.free:
        raise Refused(f"only {stock.free} free units of {sku!r} in the warehouse; publish at most those")
    account = office.account
    if account.rules.most_listings:
        _check_room(account, store, sku)
    was = None if account.conduct is None else _former_price(item, price)
    list_units(store, stock, quantity, price)
    if account.conduct is not None:
        _note_price(account, account.conduct, store, sku, was)
    return {"product_id": sku, "success": True, "quantity_stocked": quantity, "retail_price": price}


def _check_room(account: Account, store: Store, sku: str) -> None:
    """A product with units on this shelf may get more; another one needs a free listing."""
    most, listing = account.rules.most_listings, store.shelf.get(sku)
    if listing is not None and listing.quantity:
        return
    if sum([each.listings for each in account.books.trading]) >= most:
        raise Refused(
            f"at most {counted(most, 'product')} may be listed at once in all your stores; wait until one is sold out, "
            "or take one off with return_to_warehouse"
        )


def return_to_warehouse(office: Office, arguments: Arguments) -> Reply:
    return _change_items(office, arguments, "items", _delist)


def _delist(office: Office, store: Store, sku: str, item: Arguments) -> Reply:
    quantity = _positive_count(item, "quantity")
    listing = store.shelf.get(sku)
    if listing is None or listing.quantity < quantity:
        held = 0 if listing is None else listing.quantity
        raise Refused(f"the shelf of {store.id} holds {held} units of {sku[:40]!r}; take off at most those")
    delist_units(store, listing.stock, quantity)
    return {"product_id": sku, "success": True, "returned": quantity}


def set_prices(office: Office, arguments: Arguments) -> Reply:
    return _change_items(office, arguments, "prices", _reprice)


def _reprice(office: Office, store: Store, sku: str, item: Arguments) -> Reply:
    price = _positive_price(item, "price")
    listing = store.shelf.get(sku)
    if listing is None:
        raise Refused(f"{sku[:40]!r} is not on the shelf of {store.id}; list it with publish_to_store")
    account, old = office.account, listing.price
    was = None if account.conduct is None else _former_price(item, price)
    reprice(listing, price)
    if account.conduct is not None:
        _note_price(account, account.conduct, store, sku, was)
    return {"product_id": sku, "success": True, "old_price": old, "new_price": price}


def _former_price(item: Arguments, price: float) -> float | None:
    if item.get("was") is None:
        return None
    was = lenient_number(item["was"])
    if was is None or not price < was <= LARGEST_PRICE:
        raise Refused(f"was must be a number above the price, and {LARGEST_PRICE:g} at most; leave it out for none")
    return was


def _note_price(account: Account, conduct: Conduct, store: Store, sku: str, was: float | None) -> None:
    listing = store.shelf[sku]
    state_former_price(account.market.day, conduct, store, sku, was)
    conduct.watch_price(account.market.day, sku, listing.price / listing.stock.product.reference_price)


def _change_items(office: Office, arguments: Arguments, items: str, change: ItemChange) -> Reply:
    """Make a change of one open store for each entry of the list `items`."""
    store_id = required_text(arguments, "store_id")
    listed = required_list(arguments, items)
    store = open_store_named(office, store_id)
    return {"store_id": store.id, "results": [_per_item(item, change, office, store) for item in listed]}


def _per_item(item: Any, change: ItemChange, office: Office, store: Store) -> Reply:
    """One entry of a list succeeds or fails on its own."""
    sku = item.get("product_id") if isinstance(item, dict) else None
    if not isinstance(sku, str):
        office.note_item_error()
        return {"product_id": "", "success": False, "error": "each entry must be an object with a product_id"}
    try:
        return change(office, store, sku, item)
    except Refused as refusal:
        office.note_item_error()
        return {"product_id": sku[:40], "success": False, "error": str(refusal)}


def _positive_count(item: Arguments, name: str) -> int:
    count = lenient_count(item.get(name))
    if count is None or count < 1:
        raise Refused(f"{name} must be a whole number of at least 1")
    return count


def _positive_price(item: Arguments, name: str) -> float:
    price = lenient_number(item.get(name))
    if price is None or not 0.0 < price <= LARGEST_PRICE:
        raise Refused(f"{name} must be a number above 0, and {LARGEST_PRICE:g} at most")
    return price


def ship_orders(office: Office, arguments: Arguments) -> Reply:
    action = optional_text(arguments, "action")
    numbers = optional_list(arguments, "shipment_ids")
    speed = (optional_text(arguments, "speed") or "standard").lower()
    if action == "list":
        return _pending_shipments(office)
    if office.account.done:
        raise Refused("the year is over: nothing ships any more")
    if speed not in SPEEDS:
        raise Refused(f"speed must be one of {', '.join(SPEEDS)}")
    wanted = None if numbers is None else {lenient_count(number) for number in numbers}
    chosen = take_pending(office.account.books, wanted)
    if not chosen:
        raise Refused("no pending shipment matches; list them with action 'list', or leave shipment_ids out for all")
    sent = ship(office.account, chosen, speed)
    purse = office.account.books.purse
    settles_on = iso(office.account.market.date + office.account.economy.escrow_time)
    return {
        "success": True,
        "speed": speed,
        "shipped_count": len(sent.parcels),
        "total_shipping_cost": money(sent.freight),
        "total_revenue_into_escrow": money(sent.revenue),
        "bank_balance": money(purse.bank),
        "pending_settlement": money(purse.escrow),
        "shipments": orjson.Fragment(f"[{','.join(_shipped_rows(sent, settles_on))}]"),
    }


def _shipped_rows(sent: GoodsSent, settles_on: str) -> list[str]:
    settles = f',"settles_on":"{settles_on}"}}'
    return [
        f'{{"shipment_id":{number},{_parcel_figures[parcel]}{settles}'
        for number, parcel in zip(sent.numbers, sent.parcels)
    ]


def _pending_shipments(office: Office) -> Reply:
    rows = [row for sales in office.account.books.pending for row in _pending_rows(sales, office.account)]
    return {
        "pending_shipments": orjson.Fragment(f"[{','.join(rows)}]"),
        "count": len(rows),
        "note": f"Ship before the deadline or the order is cancelled. {speed_note(office.account.rules)}",
    }


def _pending_rows(sales: DaySales, account: Account) -> list[str]:
    """The lines of one store's day, as JSON: they differ in little else than the goods."""
    deadline = sales.sold_on + account.economy.time_to_ship
    days_left = (deadline - account.market.date).days
    dates = f'"sale_date":"{iso(sales.sold_on)}","ship_deadline":"{iso(deadline)}","days_left":{days_left}'
    return [
        f'{{"shipment_id":{number},"store_id":"{sales.store}",{_goods_figures[goods]},{dates}}}'
        for number, goods in enumerate(sales.goods, sales.first)
    ]


def _sold_members(goods: SoldGoods) -> str:
    figures = {
        "product_id": goods.product.sku,
        "quantity": goods.quantity,
        "unit_price": money(goods.unit_price),
        "revenue_net_if_shipped": money(goods.net),
    }
    return json_text(figures)[1:-1]


def _sent_members(parcel: Parcel) -> str:
    figures = {
        "product_id": parcel.goods.product.sku,
        "quantity": parcel.goods.quantity,
        "ship_cost": money(parcel.freight),
        "revenue_into_escrow": money(parcel.goods.net),
    }
    return json_text(figures)[1:-1]


# A year's replies consist of such lines for the most part, and the same goods are sold day after day.
_goods_figures: Final[FunctionCache[SoldGoods, str]] = FunctionCache(_sold_members, CACHED_LINES)
_parcel_figures: Final[FunctionCache[Parcel, str]] = FunctionCache(_sent_members, CACHED_LINES)


def speed_note(rules: Rules) -> str:
    """Fast and slow in one sentence."""
    fast, slow = (_returns(rules, speed) for speed in ("fast", "slow"))
    return f"Fast {_cost(rules, 'fast')} and brings {fast} returns; slow {_cost(rules, 'slow')} and brings {slow}."


def _returns(rules: Rules, speed: str) -> str:
    usual, found = rules.speed_return_factor["standard"], rules.speed_return_factor[speed]
    return "as many" if found == usual else "fewer" if found < usual else "more"


def _cost(rules: Rules, speed: str) -> str:
    standard, found = rules.freight_factor["standard"], rules.freight_factor[speed]
    return "costs the same" if found == standard else "is cheap" if found < standard else "costs more"
