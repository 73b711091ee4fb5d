"""The layout of the numeric environment: what each number of an observation and of an action means.

An observation is a dict of arrays, one per block, whose first axis is the seat and whose last axis is the block's
fields. An action is a dict of arrays whose first axis is the seat. `docs/train.md` shows both tables.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ecbench.rules import SPEEDS, Rules

MOST_ROUNDS = 4  # of offers in one deal: no supplier ends the talks before the fifth message
HIGHEST_RATIO = 10.0  # of a price, a bid or a limit to the reference price
MOST_UNITS = 1_000_000  # of one order
MOST_PRIORITY = 1e6
OVER = "over reference price"


@dataclass(frozen=True, slots=True)
class ArraySizes:
    """How many slots an observation has. What a world has beyond them is neither seen nor traded."""

    store_types: int = 12  # store types, in the order of `market_search`
    categories: int = 9  # of a store, in the order of `open_store`
    goods: int = 6  # of a category, the dearest first
    suppliers: int = 12  # of a category, in the order of `supplier_search`

    def __post_init__(self) -> None:
        if min(self.store_types, self.categories, self.goods, self.suppliers) < 1:
            raise ValueError("every size of an array must be 1 or more")


class ArrayField(NamedTuple):
    """One number of a block."""

    name: str
    meaning: str
    source: str  # the tool that shows it


SHOP = (
    ArrayField("day", "from 0", "wait_for_next_day"),
    ArrayField("days_left", "mornings until the year ends", "the brief"),
    ArrayField("weekday", "0 is Monday", "wait_for_next_day"),
    ArrayField("month", "1 to 12", "wait_for_next_day"),
    ArrayField("minute", "of the day, after the morning's looks", "wait_for_next_day"),
    ArrayField("bank", "yuan", "check_balance"),
    ArrayField("wallet", "yuan", "check_balance"),
    ArrayField("escrow", "yuan", "check_balance"),
    ArrayField("unshipped", "yuan of orders that wait to be shipped", "check_balance"),
    ArrayField("promotion_age", "days since the last promotion was announced; -1: none was", "wait_for_next_day"),
)
STORE_TYPES = (
    ArrayField("daily_cost", "yuan a day of an open store", "market_search"),
    ArrayField("season", "sales of this month over those of a usual one", "market_search"),
    ArrayField("next_season", "the same of the next month", "market_search"),
    ArrayField("categories", "how many it sells", "market_search"),
    ArrayField("open", "1 if a store of the type is open", "check_store_status"),
)
STORES = (
    ArrayField("store_type", "number of its store type, from 1; 0: the slot has no store", "open_store"),
    ArrayField("age", "days since it opened", "open_store"),
    ArrayField("reputation", "0 to 1", "check_store_status"),
    ArrayField("discount", "of the promotion it is enrolled in; 0: none", "check_store_status"),
)
SUPPLIERS = (
    ArrayField("known", "1 if the slot has a supplier", "supplier_search"),
    ArrayField("closed", "1 once it has said that it is closed", "chatbox"),
    ArrayField("letters", "sent to it", "chatbox"),
    ArrayField("orders", "letters that ended in an order", "chatbox"),
    ArrayField("first_quote", "mean quote over reference price, first letter of the last deal", "chatbox"),
    ArrayField("last_quote", "the same of the last letter with quotes", "chatbox"),
)
GOODS = (
    ArrayField("reference", "reference price, yuan; 0: the slot has no goods", "list_products"),
    ArrayField("shelf", "units on the shelf", "check_store_status"),
    ArrayField("price", "yuan charged; 0: never listed", "check_store_status"),
    ArrayField("free", "units in the warehouse that no store lists", "check_warehouse"),
    ArrayField("coming", "units ordered and not delivered; 0 when nothing was ordered for 20 days", "chatbox"),
    ArrayField("sold", "units sold yesterday", "check_store_status"),
    ArrayField(
        "pace", "mean units sold on days that began with units on the shelf, over 7 of them", "check_store_status"
    ),
    ArrayField("listed", "number of these days", "check_store_status"),
    ArrayField("returned", "units that came back, over units delivered", "trace_return_sources"),
    ArrayField("quote", "last quote for it, over reference price; 0: none", "chatbox"),
    ArrayField("paid", "last price paid for it, over reference price; 0: never bought", "chatbox"),
    ArrayField("rival", "lowest price of another seat, yuan; 0: none", "check_store_status"),
)
BLOCKS = {"shop": SHOP, "store_types": STORE_TYPES, "stores": STORES, "suppliers": SUPPLIERS, "goods": GOODS}


def _indices(block: tuple[ArrayField, ...]) -> dict[str, int]:
    """The index of each field of a block."""
    return {field.name: index for index, field in enumerate(block)}


AT_SHOP, AT_STORE_TYPE, AT_STORE, AT_SUPPLIER, AT_GOODS = map(_indices, (SHOP, STORE_TYPES, STORES, SUPPLIERS, GOODS))

Axis = Literal["stores", "store_types", "categories", "goods", "suppliers"]
AXES: dict[str, tuple[Axis, ...]] = {
    "shop": (),
    "store_types": ("store_types",),
    "stores": ("stores",),
    "suppliers": ("stores", "categories", "suppliers"),
    "goods": ("stores", "categories", "goods"),
}


class ActionField(NamedTuple):
    """One array of an action."""

    name: str
    axes: tuple[Axis, ...]
    whole: bool
    least: float
    most: float | Axis  # an axis: its length
    meaning: str
    call: str  # the tool that carries it out


ALONE: tuple[Axis, ...] = ()
BY_STORE: tuple[Axis, ...] = ("stores",)
BY_CATEGORY: tuple[Axis, ...] = ("stores", "categories")
BY_GOODS: tuple[Axis, ...] = ("stores", "categories", "goods")
BUYING = "chatbox"
ACTIONS = (
    ActionField(
        "ship", ALONE, True, 0, len(SPEEDS), f"all orders by speed 1 to 3: {', '.join(SPEEDS)}; 0: no", "ship_orders"
    ),
    ActionField("withdraw", ALONE, True, 0, 1, "1: all of the wallet", "withdraw"),
    ActionField("open", ALONE, True, 0, "store_types", "number of a store type; 0: none", "open_store"),
    ActionField(
        "close", ALONE, True, 0, "stores", "number of a store, to be sold off in the evening; 0: none", "close_store"
    ),
    ActionField(
        "discount", BY_STORE, False, 0, 1, "to join the promotion announced last with; 0: no", "join_promotion"
    ),
    ActionField(
        "price", BY_GOODS, False, 0, HIGHEST_RATIO, f"{OVER}, to 0.01; 0: as it is", "publish_to_store, set_prices"
    ),
    ActionField("supplier", BY_CATEGORY, True, 0, "suppliers", "number of the supplier to write to; 0: none", BUYING),
    ActionField(
        "priority", BY_CATEGORY, False, 0, MOST_PRIORITY, "the highest is written to first, while the day lasts", BUYING
    ),
    ActionField("units", BY_GOODS, True, 0, MOST_UNITS, "to buy of it; 0: none", BUYING),
    ActionField("bid", BY_CATEGORY, False, 0, HIGHEST_RATIO, f"first offer, {OVER}", BUYING),
    ActionField("raise", BY_CATEGORY, False, 0, HIGHEST_RATIO, f"what each further offer adds, {OVER}", BUYING),
    ActionField("rounds", BY_CATEGORY, True, 1, MOST_ROUNDS, "offers before a quote is accepted", BUYING),
    ActionField("fair", BY_CATEGORY, False, 0, HIGHEST_RATIO, f"highest quote to accept, {OVER}", BUYING),
)


def axis_length(axis: Axis, sizes: ArraySizes, rules: Rules) -> int:
    """The slots along an axis; there are as many store slots as the rules allow stores."""
    return rules.max_stores if axis == "stores" else int(getattr(sizes, axis))


def block_shape(block: str, sizes: ArraySizes, rules: Rules) -> tuple[int, ...]:
    """The shape of a block for one seat."""
    return (*(axis_length(axis, sizes, rules) for axis in AXES[block]), len(BLOCKS[block]))


def action_shape(field: ActionField, sizes: ArraySizes, rules: Rules) -> tuple[int, ...]:
    """The shape of an action's array for one seat."""
    return tuple(axis_length(axis, sizes, rules) for axis in field.axes)


def action_most(field: ActionField, sizes: ArraySizes, rules: Rules) -> float:
    """The highest value of an action's array, included."""
    return axis_length(field.most, sizes, rules) if isinstance(field.most, str) else field.most
