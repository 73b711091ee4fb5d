"""The layout of the numeric environment: what each number of an observation and of an action means.

An observation is a dict of arrays, one per block, whose first axis is the seat and whose last axis is the block's
fields. An action is a dict of arrays whose first axis is the seat. `array_layout.toml` states both.
"""

from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from msgspec import Struct, toml

from ecbench.rules import Rules

Axis = Literal["stores", "store_types", "categories", "goods", "suppliers"]


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


class ArrayField(Struct, frozen=True, array_like=True):
    """One number of a block."""

    name: str
    meaning: str
    source: str  # the tool that shows it


class ArrayBlock(Struct, frozen=True):
    """One array of an observation."""

    axes: tuple[Axis, ...]
    fields: tuple[ArrayField, ...]


class ActionField(Struct, frozen=True):
    """One array of an action."""

    name: str
    axes: tuple[Axis, ...]
    whole: bool
    least: int | float
    most: int | float | Axis  # an axis: its length
    meaning: str
    call: str  # the tool that carries it out


class ArrayLayout(Struct, frozen=True):
    """What `array_layout.toml` states."""

    blocks: dict[str, ArrayBlock]
    actions: tuple[ActionField, ...]


LAYOUT = toml.decode((files("ecbench.rl") / "array_layout.toml").read_bytes(), type=ArrayLayout)
BLOCKS, ACTIONS = {name: block.fields for name, block in LAYOUT.blocks.items()}, LAYOUT.actions
AXES = {name: block.axes for name, block in LAYOUT.blocks.items()}
AT_SHOP, AT_STORE_TYPE, AT_STORE, AT_SUPPLIER, AT_GOODS = (
    {field.name: index for index, field in enumerate(fields)} for fields in BLOCKS.values()
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
