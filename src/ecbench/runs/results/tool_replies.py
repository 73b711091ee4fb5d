"""What each tool's reply says: one sentence, and the figures behind it. Letters are in `letter_replies`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ecbench.number_words import counted, percent
from ecbench.runs.results.reply_blocks import Block, ReplyField, ShownCall, facts, notes, table, units, yuan_and_fen

Shown = tuple[str, list[Block]]
"""A sentence, and the blocks below it."""
Rows = Sequence[Mapping[str, Any]]

NO_TRADE = "Nothing of that name is sold on the market."
SEASON = (
    ReplyField("Best month", "season_peak_month", "month"),
    ReplyField("Weakest month", "season_low_month", "month"),
)
TRADE = (
    ReplyField("Tier", "tier"),
    ReplyField("Cost a day", "daily_ops_cost", "money"),
    ReplyField("Profit", "profit_potential"),
)
TRADES = (ReplyField("Trade", "store_name"), *TRADE, *SEASON, ReplyField("Categories", "subcategories"))
CATEGORIES = (
    ReplyField("Category", "category"),
    ReplyField("Reference prices", "reference_price_range"),
    ReplyField("Size", "default_size"),
)
CATEGORY = (
    ReplyField("Trade", "store_name"),
    *CATEGORIES[1:],
    ReplyField("Margin", "typical_gross_margin"),
    ReplyField("Sales a month", "typical_monthly_sales_range"),
    ReplyField("Freight per unit", "shipping_cost_per_unit", "money"),
    ReplyField("Storage per unit and day", "storage_cost_per_unit_per_day", "money"),
    ReplyField("Stores of rivals that sell it", "rival_stores", "count"),
    *SEASON,
)
PRODUCTS = (
    ReplyField("Product", "title"),
    ReplyField("Category", "category"),
    ReplyField("Brand", "brand"),
    ReplyField("Size", "size"),
    ReplyField("Reference price", "reference_price", "money"),
)
SUPPLIERS = (
    ReplyField("Supplier", "supplier_name"),
    ReplyField("Sells", "categories_served"),
    ReplyField("E-mail", "supplier_email"),
)
STORES = (
    ReplyField("Store", "store_name"),
    ReplyField("Id", "store_id"),
    ReplyField("Trade", "store_type", "trade"),
    ReplyField("Open", "is_open"),
    ReplyField("Reputation", "reputation", "number"),
    ReplyField("Products", "total_products", "count"),
    ReplyField("Units", "total_inventory", "count"),
    ReplyField("Promotion", "promotion"),
)
STORE = (
    *STORES[1:5],
    ReplyField("Opened on", "opened_date"),
    ReplyField("Promotion", "promotion"),
)
YESTERDAY = (
    ReplyField("Revenue", "revenue", "money"),
    ReplyField("Refunds", "refunds", "money"),
    ReplyField("Freight", "shipping_cost", "money"),
    ReplyField("Left of it", "net", "money"),
    ReplyField("Units returned", "returns_count", "count"),
)
SHELF = (
    ReplyField("Product", "title"),
    ReplyField("Units", "quantity", "count"),
    ReplyField("Price", "retail_price", "money"),
    ReplyField("Sold yesterday", "yesterday_sold", "count"),
    ReplyField("Returned yesterday", "yesterday_returned", "count"),
    ReplyField("Lowest price of a rival", "lowest_rival_price", "money"),
)
GOODS = ReplyField("Product", "product_id", "goods")
PROBLEM = ReplyField("Problem", "error", "problem")
LISTED = (
    GOODS,
    ReplyField("Units", "quantity_stocked", "count"),
    ReplyField("Price", "retail_price", "money"),
    PROBLEM,
)
REPRICED = (
    GOODS,
    ReplyField("Old price", "old_price", "money"),
    ReplyField("New price", "new_price", "money"),
    PROBLEM,
)
TAKEN_BACK = (GOODS, ReplyField("Units", "returned", "count"), PROBLEM)
FREE_GOODS = (
    ReplyField("Product", "product"),
    ReplyField("Units", "quantity", "count"),
    ReplyField("Bought at", "purchase_price", "money"),
    ReplyField("Category", "category"),
    ReplyField("Size", "size"),
)
WAITING = (
    ReplyField("Order", "shipment_id", "id"),
    ReplyField("Store", "store_id", "store"),
    GOODS,
    ReplyField("Units", "quantity", "count"),
    ReplyField("Price", "unit_price", "money"),
    ReplyField("Brings in", "revenue_net_if_shipped", "money"),
    ReplyField("Sold on", "sale_date"),
    ReplyField("Ship by", "ship_deadline"),
    ReplyField("Days left", "days_left", "count"),
)
SHIPPED = (
    ReplyField("Order", "shipment_id", "id"),
    GOODS,
    ReplyField("Units", "quantity", "count"),
    ReplyField("Freight", "ship_cost", "money"),
    ReplyField("Brings in", "revenue_into_escrow", "money"),
    ReplyField("Paid out on", "settles_on"),
)
RETURNS = (
    ReplyField("Product", "title"),
    ReplyField("Delivered", "total_units_delivered", "count"),
    ReplyField("Sold", "units_sold", "count"),
    ReplyField("Returned", "units_returned", "count"),
    ReplyField("Return rate", "realized_return_rate", "share"),
    ReplyField("Usual rate", "natural_baseline_return_rate", "share"),
    ReplyField("Delivered by", "sources"),
    ReplyField("Note", "note"),
)
BANK = ReplyField("Bank", "bank_balance", "money")
WALLET = ReplyField("Wallet", "platform_wallet", "money")
SETTLING = ReplyField("Being settled", "pending_settlement", "money")
BALANCE = (BANK, WALLET, SETTLING, ReplyField("Sold but not shipped", "unshipped_sales_value", "money"))
PAID_OUT = (ReplyField("Paid out on", "date"), ReplyField("Amount", "amount", "money"))
MEMOS = (ReplyField("Title", "title"), ReplyField("Text", "content"))


def _market_search(call: ShownCall) -> Shown:
    reply = call.reply
    if "store_types" in reply:
        rows = reply["store_types"]
        return f"Looked up all {counted(len(rows), 'trade')}.", [table(call, "Trades", TRADES, rows)]
    if detail := reply.get("detail"):
        words = notes("", detail["return_rate_note"], detail["store_advantage"])
        return f"Looked up the category {detail['category']}.", [facts(call, CATEGORY, detail), words]
    if "subcategories" not in reply:
        return NO_TRADE, []
    rows = reply["subcategories"]
    cost = yuan_and_fen(reply["daily_ops_cost"])
    traits = [
        notes(title, *reply[name])
        for title, name in (("Strengths", "strengths"), ("Challenges", "challenges"), ("Tips", "operating_tips"))
    ]
    shown = [facts(call, (*TRADE, *SEASON)), notes("", reply["store_advantage"]), *traits]
    sentence = f"Looked up the trade {reply['store_name']}: a store costs {cost} a day."
    return sentence, [*shown, table(call, "Categories", CATEGORIES, rows)]


def _list_products(call: ShownCall) -> Shown:
    return _found(call.reply["total"], "product"), [table(call, "Products", PRODUCTS, call.reply["results"])]


def _supplier_search(call: ShownCall) -> Shown:
    return _found(call.reply["count"], "supplier"), [table(call, "Suppliers", SUPPLIERS, call.reply["results"])]


def _found(count: int, thing: str) -> str:
    return f"{counted(count, thing, ',')} found." if count else f"No {thing} was found."


def _open_store(call: ShownCall) -> Shown:
    reply = call.reply
    fee, cost = (yuan_and_fen(reply[name]) for name in ("setup_fee_charged", "daily_ops_cost"))
    trade = call.names.trade(reply["store_type"])
    more = (
        ReplyField("May sell", "allowed_categories"),
        *(ReplyField("Fee a day for each product listed", "daily_fee_per_listing", "money"), BANK),
    )
    sentence = f"Opened {reply['store_name']} ({trade}): {fee} paid, {cost} a day to run."
    return sentence, [facts(call, more), notes("", reply["reopen_note"])]


def _close_store(call: ShownCall) -> Shown:
    reply = call.reply
    store = call.names.store(reply["store_id"])
    if reply.get("liquidated"):
        sold = [{"product_id": sku, **row} for sku, row in reply["items_liquidated"].items()]
        fields = (GOODS, ReplyField("Units", "quantity", "count"), ReplyField("Sold off for", "salvage", "money"))
        gone, brought = units(reply["total_units_liquidated"]), yuan_and_fen(reply["salvage_credited"])
        sentence = f"Closed {store}: {gone} sold off for {brought}."
        return sentence, [facts(call, (BANK,)), table(call, "Sold off", fields, sold)]
    back = reply["inventory_returned_to_warehouse"]
    rows = [{"product_id": sku, "returned": count} for sku, count in back.items()]
    sentence = f"Closed {store}: {units(reply['total_items_returned'])} went back to the warehouse."
    return sentence, [table(call, "Back in the warehouse", TAKEN_BACK, rows)]


def _check_store_status(call: ShownCall) -> Shown:
    reply = call.reply
    if "stores" in reply:
        sentence = f"{reply['open_stores']} of at most {counted(reply['max_stores'], 'store')} open."
        return sentence, [table(call, "Stores", STORES, reply["stores"])]
    yesterday, shelf = reply["yesterday_summary"], reply["products"]
    sold = sum([row["yesterday_sold"] for row in shelf])
    earned = f"{units(sold)} sold yesterday, {yuan_and_fen(yesterday['revenue'])} of revenue"
    discount = ReplyField("Discount", "promotion_discount", "share") if reply["promotion"] else None
    return f"{reply['store_name']}: {earned}, {counted(len(shelf), 'product')} on the shelf.", [
        facts(call, (*STORE, discount) if discount else STORE),
        facts(call, YESTERDAY, yesterday, "Yesterday"),
        table(call, "Shelf", SHELF, shelf),
    ]


def _set_prices(call: ShownCall) -> Shown:
    rows = call.reply["results"]
    done = [row for row in rows if row["success"]]
    sentence = f"{counted(len(done), 'price')} changed in {call.names.store(call.reply['store_id'])}"
    return _with_problems(call, sentence if done else REFUSALS["set_prices"], rows), [
        table(call, "Prices", REPRICED, rows)
    ]


def _publish_to_store(call: ShownCall) -> Shown:
    return _moved(call, "quantity_stocked", "listed in", REFUSALS["publish_to_store"], LISTED)


def _return_to_warehouse(call: ShownCall) -> Shown:
    what = "taken back to the warehouse from"
    return _moved(call, "returned", what, REFUSALS["return_to_warehouse"], TAKEN_BACK)


def _moved(call: ShownCall, count: str, what: str, nothing: str, fields: Sequence[ReplyField]) -> Shown:
    rows = call.reply["results"]
    done = [row[count] for row in rows if row["success"]]
    sentence = (
        f"{units(sum(done))} of {counted(len(done), 'product')} {what} {call.names.store(call.reply['store_id'])}"
    )
    return _with_problems(call, sentence if done else nothing, rows), [table(call, "Products", fields, rows)]


def _with_problems(call: ShownCall, sentence: str, rows: Rows) -> str:
    """The sentence; refused rows are counted where others were not, and the first one's reason is given."""
    wrong = [row["error"] for row in rows if not row["success"]]
    if not wrong:
        return f"{sentence}."
    counts = f"; {len(wrong):,} refused" if len(wrong) < len(rows) else ""
    return f"{sentence}{counts}: {call.names.in_text(wrong[0])}."


def _join_promotion(call: ShownCall) -> Shown:
    reply = call.reply
    when = "it runs now" if reply["active_now"] else "it has not begun yet"
    store, discount = call.names.store(reply["store_id"]), percent(reply["discount_rate"])
    sentence = f"{store} joins the {reply['event']} with {discount} off; {when}."
    return sentence, [facts(call, (ReplyField("Demand, times at most", "max_demand_multiplier", "number"),))]


def _check_warehouse(call: ShownCall) -> Shown:
    reply = call.reply
    if not reply["items"]:
        return "The warehouse is empty.", []
    free = f"{units(reply['total_items'])} of {counted(len(reply['items']), 'product')}"
    sentence = f"{free} free in the warehouse, bought for {yuan_and_fen(reply['total_value'])}."
    return sentence, [table(call, "Warehouse", FREE_GOODS, list(reply["items"].values()))]


def _ship_orders(call: ShownCall) -> Shown:
    reply = call.reply
    if "pending_shipments" in reply:
        waiting = reply["pending_shipments"]
        sentence = (
            f"{counted(len(waiting), 'order', ',')} to be shipped." if waiting else "No order waits to be shipped."
        )
        return sentence, [table(call, "To be shipped", WAITING, waiting)]
    freight, revenue = (yuan_and_fen(reply[name]) for name in ("total_shipping_cost", "total_revenue_into_escrow"))
    orders = counted(reply["shipped_count"], "order", ",")
    sentence = f"{orders} shipped by {reply['speed']} freight for {freight}; {revenue} is paid out later."
    return sentence, [facts(call, (BANK, SETTLING)), table(call, "Shipped", SHIPPED, reply["shipments"])]


def _trace_return_sources(call: ShownCall) -> Shown:
    products = call.reply["products"]
    sold, back = (sum([row[name] for row in products]) for name in ("units_sold", "units_returned"))
    first = [{**row, "sources": _sources(row["supplier_sources"])} for row in products[: call.most_rows]]
    shown = table(call, "Products", RETURNS, first)._replace(left_out=len(products) - len(first))
    return f"{counted(len(products), 'product')}: {units(sold)} sold, {back:,} of them returned.", [shown]


def _sources(rows: Rows) -> str:
    return ", ".join([f"{row['supplier']} {row['units_delivered']:,}" for row in rows])


def _check_balance(call: ShownCall) -> Shown:
    rows = [{"date": day, "amount": amount} for day, amount in call.reply["upcoming_settlements"].items()]
    sentence = f"{yuan_and_fen(call.reply['total'])} in all, {yuan_and_fen(call.reply['bank_balance'])} in the bank."
    return sentence, [facts(call, BALANCE), table(call, "Next to be paid out", PAID_OUT, rows)]


def _withdraw(call: ShownCall) -> Shown:
    moved = yuan_and_fen(call.reply["withdrawn"])
    return f"{moved} moved from the wallet to the bank.", [facts(call, (BANK, WALLET))]


def _operate_memory(call: ShownCall) -> Shown:
    reply = call.reply
    if "memos" in reply:
        rows = [{"title": title, "content": text} for title, text in reply["memos"].items()]
        return f"{counted(len(rows), 'note')} kept.", [table(call, "Notes", MEMOS, rows)]
    if "content" in reply:
        return f"Read the note “{reply['title']}”.", [Block("letter", "", (), [(str(reply["content"]),)])]
    written = call.given.get("content")
    shown = [Block("letter", "", (), [(written,)])] if isinstance(written, str) else []
    return str(reply["message"]).replace("the memo", "the note"), shown


def _wait_for_next_day(call: ShownCall) -> Shown:
    if "day" not in call.reply:
        return "The day was not closed a second time.", []
    return f"Day {call.reply['day']} begins.", []


TOOL_REPLIES: Mapping[str, Callable[[ShownCall], Shown]] = {
    "market_search": _market_search,
    "supplier_search": _supplier_search,
    "list_products": _list_products,
    "open_store": _open_store,
    "close_store": _close_store,
    "check_store_status": _check_store_status,
    "set_prices": _set_prices,
    "join_promotion": _join_promotion,
    "check_warehouse": _check_warehouse,
    "publish_to_store": _publish_to_store,
    "return_to_warehouse": _return_to_warehouse,
    "ship_orders": _ship_orders,
    "trace_return_sources": _trace_return_sources,
    "check_balance": _check_balance,
    "withdraw": _withdraw,
    "operate_memory": _operate_memory,
    "wait_for_next_day": _wait_for_next_day,
}
REFUSALS: Mapping[str, str] = {
    "market_search": "The market was not looked up",
    "supplier_search": "No supplier was looked up",
    "list_products": "No product was looked up",
    "open_store": "The store was not opened",
    "close_store": "The store was not closed",
    "check_store_status": "No store was looked at",
    "set_prices": "No price was changed",
    "join_promotion": "The promotion was not joined",
    "check_warehouse": "The warehouse was not looked at",
    "publish_to_store": "Nothing was listed",
    "return_to_warehouse": "Nothing was taken back",
    "ship_orders": "Nothing was shipped",
    "trace_return_sources": "No return was traced",
    "check_balance": "The balance was not looked at",
    "withdraw": "Nothing was withdrawn",
    "chatbox": "The letter was not sent",
    "operate_memory": "The notes stay as they are",
    "wait_for_next_day": "The day was not closed",
}
