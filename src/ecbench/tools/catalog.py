"""The eighteen tools as an agent sees them: name, minutes, purpose, parameters (tab:tools).

Two more exist where the rules count conduct, and two where merchants of one market can talk.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from ecbench.formatting import amount, counted, percent, share
from ecbench.rule_values import LOWEST_PRICE_RATIO, UNLIMITED
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.tools.arguments import Arguments
from ecbench.tools.finance import check_balance, withdraw
from ecbench.tools.inventory import (
    check_warehouse,
    list_products,
    publish_to_store,
    return_to_warehouse,
    set_prices,
    ship_orders,
    speed_note,
)
from ecbench.tools.memory import operate_memory
from ecbench.tools.negotiation import CHATBOX_PARAMETERS, chatbox, chatbox_description
from ecbench.tools.office import Office, Reply, Tool, list_schema, number_schema, object_schema, text_schema
from ecbench.tools.research import market_search, supplier_search
from ecbench.tools.statements import STATEMENT_TOOLS
from ecbench.tools.stores import check_store_status, close_store, join_promotion, open_store, trace_return_sources
from ecbench.tools.talk import TALK_TOOLS

WAIT: Final = "wait_for_next_day"


_STORE_TYPE = text_schema("Store type id as market_search lists it, such as 'beauty'.")
_CATEGORY = text_schema("Category name as market_search lists it, such as 'Skincare & Beauty'.")
_STORE_ID = text_schema("Id of one of your stores, such as 'store_001'.")
_PRODUCT_ID = text_schema("Product id (SKU), twelve characters.")
_QUANTITY = {"type": "integer", "description": "Number of units, at least 1."}


def _salvage(rules: Rules) -> str:
    if rules.salvage_cap >= UNLIMITED:
        return f"{percent(rules.salvage_rate)} of its cost"
    if rules.salvage_cap == 1.0:
        return f"{percent(rules.salvage_rate)} of its cost or of its reference price, whichever is lower,"
    return f"{percent(rules.salvage_rate)} of its cost, counted up to {rules.salvage_cap:g} times its reference price,"


def _about_listings(rules: Rules) -> str:
    fee = f"Each product with units there costs ¥{amount(rules.listing_fee)} a day. " if rules.listing_fee else ""
    if not rules.most_listings:
        return fee
    return (
        f"{fee}At most {counted(rules.most_listings, 'product')} with units may be listed in all your stores together. "
    )


def price_limits(rules: Rules) -> Iterator[str]:
    """A sentence for each limit that the rules set to what prices can do."""
    if rules.lowest_price_ratio > LOWEST_PRICE_RATIO:
        yield f"Below {percent(rules.lowest_price_ratio)} of the reference price demand grows no more."
    if rules.price_ceiling < UNLIMITED:
        yield f"Above {rules.price_ceiling:g} times the reference price nothing is sold."
    if rules.price_return_slope:
        last, _ = rules.price_return_knees[-1]
        yield (
            f"Returns continue to rise above {last:g} times the reference price, by {rules.price_return_slope:g} times "
            f"a product's usual rate for each reference price more, up to {percent(rules.return_cap)} of what is sold."
        )


def _about_memory(rules: Rules) -> str:
    days = rules.promotion_memory_days
    return f"The discount is taken off a product's lowest price of the last {counted(days, 'day')}. " if days else ""


def _wait(office: Office, arguments: Arguments) -> Reply:
    """The day jump takes effect after its batch, so the batch carries it out."""
    raise AssertionError("wait_for_next_day is carried out by the batch")


TOOLS: tuple[Tool, ...] = (
    Tool(
        "market_search",
        30,
        "Research the market. Without arguments: every store type with its tier, daily operating cost, character and "
        "monthly sales index. With a store_type: its categories and price ranges. With a category: parcel size, "
        "return behaviour, margin class, platform-wide sales, shipping and storage cost. Takes 30 minutes.",
        object_schema(store_type=_STORE_TYPE, category=_CATEGORY),
        market_search,
    ),
    Tool(
        "supplier_search",
        10,
        "Find suppliers by product name, category or store type; filters combine. Gives name, e-mail and the category "
        "served, in no particular order. Takes 10 minutes.",
        object_schema(product_name=text_schema("Part of a product title."), category=_CATEGORY, store_type=_STORE_TYPE),
        supplier_search,
    ),
    Tool(
        "list_products",
        10,
        "List products that can be sold, with their reference price and parcel size. Narrow it by store_type or "
        "category: the whole catalog is long. Takes 10 minutes.",
        object_schema(store_type=_STORE_TYPE, category=_CATEGORY),
        list_products,
    ),
    Tool(
        "open_store",
        60,
        lambda rules: (
            "Open a store of one type for a setup fee; it then costs its operating charge every day. At most "
            f"{rules.max_stores} at once, each of another type. Opening a type again starts its reputation over. Takes "
            "60 minutes."
        ),
        object_schema(
            ("store_type", "store_name"), store_type=_STORE_TYPE, store_name=text_schema("The name customers see.")
        ),
        open_store,
    ),
    Tool(
        "close_store",
        30,
        lambda rules: (
            "Close a store for good and stop its daily charge. Its shelf goes back to the warehouse, where it keeps "
            f"paying storage, or is sold off for {_salvage(rules)} with liquidate. "
            "Orders already sold still ship. Takes 30 minutes."
        ),
        object_schema(
            ("store_id",),
            store_id=_STORE_ID,
            liquidate={"type": "boolean", "description": "Sell the shelf off instead of keeping it. Default false."},
        ),
        close_store,
    ),
    Tool(
        "check_store_status",
        10,
        "Read one store: reputation, promotion, yesterday's revenue, returns and freight, and for each product stock, "
        "price and yesterday's sales. Without store_id: one line per store. Takes 10 minutes.",
        object_schema(store_id=_STORE_ID),
        check_store_status,
        bare_errors=True,
    ),
    Tool(
        "set_prices",
        10,
        lambda rules: (
            "Change retail prices on a store's shelf; customers see them from the next day's sales on. "
            f"{''.join(f'{sentence} ' for sentence in price_limits(rules))}Takes 10 minutes."
        ),
        object_schema(
            ("store_id", "prices"),
            store_id=_STORE_ID,
            prices=list_schema(
                "One entry per product.",
                object_schema(
                    ("product_id", "price"), product_id=_PRODUCT_ID, price=number_schema("New retail price in yuan.")
                ),
            ),
        ),
        set_prices,
    ),
    Tool(
        "join_promotion",
        10,
        lambda rules: (
            f"Enrol a store in an announced promotion at a discount between {share(rules.min_discount)} and "
            f"{share(rules.max_discount)} on its whole shelf. Joinable while it runs or within "
            f"{counted(rules.enrol_days, 'day')} before; replaces an earlier enrolment. {_about_memory(rules)}"
            "Takes 10 minutes."
        ),
        object_schema(
            ("store_id", "event_name", "discount_rate"),
            store_id=_STORE_ID,
            event_name=text_schema("The promotion's name as announced."),
            discount_rate=number_schema("Share taken off every price, such as 0.2."),
        ),
        join_promotion,
    ),
    Tool(
        "check_warehouse",
        10,
        "List free units in the warehouse with what they cost you. Listed units are not free. Takes 10 minutes.",
        object_schema(),
        check_warehouse,
    ),
    Tool(
        "publish_to_store",
        20,
        lambda rules: (
            "Put free warehouse units on a store's shelf at a retail price; one call takes a whole plan. The price "
            f"holds for all units of that product in the store. {_about_listings(rules)}Storage keeps accruing until "
            "they sell. Takes 20 minutes."
        ),
        object_schema(
            ("store_id", "plan"),
            store_id=_STORE_ID,
            plan=list_schema(
                "One entry per product.",
                object_schema(
                    ("product_id", "quantity", "retail_price"),
                    product_id=_PRODUCT_ID,
                    quantity=_QUANTITY,
                    retail_price=number_schema("Retail price in yuan."),
                ),
            ),
        ),
        publish_to_store,
    ),
    Tool(
        "return_to_warehouse",
        15,
        "Take units off a store's shelf so that another store may list them. Takes 15 minutes.",
        object_schema(
            ("store_id", "items"),
            store_id=_STORE_ID,
            items=list_schema(
                "One entry per product.",
                object_schema(("product_id", "quantity"), product_id=_PRODUCT_ID, quantity=_QUANTITY),
            ),
        ),
        return_to_warehouse,
    ),
    Tool(
        "ship_orders",
        20,
        lambda rules: (
            "Ship what customers bought, or list it. Every order has a deadline; one not shipped by then is cancelled "
            "and hurts reputation. Shipping pays freight now and puts the net revenue into pending settlement. "
            f"{speed_note(rules)} Takes 20 minutes."
        ),
        object_schema(
            action=text_schema("'ship' (default) or 'list'.", enum=["ship", "list"]),
            shipment_ids=list_schema("Shipments to send; leave out for all of them.", {"type": "integer"}),
            speed=text_schema("'fast', 'standard' (default) or 'slow'.", enum=["fast", "standard", "slow"]),
        ),
        ship_orders,
    ),
    Tool(
        "trace_return_sources",
        10,
        "For products you have stocked: units delivered, sold and returned, the realized return rate beside the "
        "product's natural one, and which suppliers delivered what share. Worst first. Takes 10 minutes.",
        object_schema(product_id=_PRODUCT_ID),
        trace_return_sources,
        bare_errors=True,
    ),
    Tool(
        "check_balance",
        10,
        "Read the bank, the platform wallet, the revenue waiting for settlement with its dates, and the value of "
        "orders not shipped yet. Takes 10 minutes.",
        object_schema(),
        check_balance,
    ),
    Tool(
        "withdraw",
        10,
        "Move settled revenue from the platform wallet to the bank, where all costs are paid. Without an amount: all "
        "of it. Takes 10 minutes.",
        object_schema(amount=number_schema("Yuan to move; leave out for everything.")),
        withdraw,
    ),
    Tool("chatbox", 30, chatbox_description, CHATBOX_PARAMETERS, chatbox, bare_errors=True, strict=True),
    Tool(
        "operate_memory",
        10,
        lambda rules: (
            f"Keep up to {counted(rules.memory_entries, 'titled note')} that survive when old conversation is dropped. "
            "Actions: add, get (one title, or all without), update, delete, list. Takes 10 minutes."
        ),
        object_schema(
            ("action",),
            action=text_schema("What to do.", enum=["add", "get", "update", "delete", "list"]),
            title=text_schema("Title of the note."),
            content=text_schema("Text of the note, for add and update."),
        ),
        operate_memory,
        bare_errors=True,
    ),
    Tool(
        WAIT,
        0,
        "End the day: jump to tomorrow morning, when costs are charged, yesterday's sales are booked and deliveries "
        "arrive. Takes effect after the other calls of the same turn. The rest of the day's time is lost.",
        object_schema(current_day=text_schema("Today's date, for your own orientation.")),
        _wait,
    ),
)

TOOL_BY_NAME = {tool.name: tool for tool in TOOLS}

_WAS = number_schema(
    "A former price, shown crossed out beside this one. The platform's terms: the product was listed at it or above, "
    "with stock, on at least seven of the last thirty nights."
)


def _with_former_prices(name: str, items: str) -> Tool:
    """The tool of that name, whose items may carry a crossed-out price."""
    tool = TOOL_BY_NAME[name]
    entries = tool.parameters["properties"][items]
    item = entries["items"]
    stated = {**entries, "items": {**item, "properties": {**item["properties"], "was": _WAS}}}
    parameters = {**tool.parameters, "properties": {**tool.parameters["properties"], items: stated}}
    return replace(tool, parameters=parameters)


@lru_cache(maxsize=4)
def _tools(conduct: int, talk: int) -> Mapping[str, Tool]:
    tools = dict(TOOL_BY_NAME)
    if conduct:
        changed = (_with_former_prices("set_prices", "prices"), _with_former_prices("publish_to_store", "plan"))
        tools |= {tool.name: tool for tool in (*changed, *STATEMENT_TOOLS)}
    return tools | {tool.name: tool for tool in TALK_TOOLS} if talk else tools


def tools_under(rules: Rules) -> Mapping[str, Tool]:
    """By name: the tools that an agent has under some rules."""
    return _tools(rules.conduct, rules.talk) if rules.conduct or rules.talk else TOOL_BY_NAME


def tool_schemas(rules: Rules = DEFAULT_RULES) -> list[dict[str, Any]]:
    """The tools as JSON Schemas in OpenAI function style, with the limits that hold under `rules`."""
    return [tool.schema(rules) for tool in tools_under(rules).values()]
