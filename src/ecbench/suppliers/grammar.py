"""The fenced `negotiate` blocks of a message: what they ask for, and the prose around them (app:prompts_negotiate).

Whatever the text holds, reading it takes time in proportion to its length and never fails: what is not a well-formed
action is left out.
"""

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any, Literal, NamedTuple

ActionKind = Literal["offer", "accept", "reject"]
KINDS: dict[str, ActionKind] = {"offer": "offer", "accept": "accept", "reject": "reject"}
OPENING_FENCE = "```negotiate"
CLOSING_FENCE = "```"
LARGEST_PRICE = 1e15  # beyond it the cents of a price are no longer exact
LARGEST_QUANTITY = 10**18  # no purse pays for as many units of anything
LONGEST_NUMBER = 400  # characters


class Action(NamedTuple):
    kind: ActionKind
    sku: str
    price: float | None
    quantity: int


class Message(NamedTuple):
    actions: list[Action]
    prose: str


def read_message(content: str) -> Message:
    start = content.find(OPENING_FENCE)
    if start < 0:
        return Message([], content.strip())
    actions: list[Action] = []
    prose = []
    end = 0
    while start >= 0:
        body = start + len(OPENING_FENCE)
        close = content.find(CLOSING_FENCE, body)
        if close < 0:
            break
        prose.append(content[end:start].strip())
        actions += _actions(content[body:close])
        end = close + len(CLOSING_FENCE)
        start = content.find(OPENING_FENCE, end)
    prose.append(content[end:].strip())
    return Message(actions, "\n".join([part for part in prose if part]))


def _actions(block: str) -> list[Action]:
    return [action for entry in _entries(block) if (action := _action(entry)) is not None]


def _entries(block: str) -> Iterator[dict[str, Any]]:
    """The objects of a block: one, an array of them, or one per line."""
    value = _decode(block)
    if value is _NOT_JSON:
        for line in block.splitlines():
            value = _decode(line)
            if isinstance(value, dict):
                yield value
    elif isinstance(value, dict):
        yield value
    elif isinstance(value, list):
        for entry in value:
            if isinstance(entry, dict):
                yield entry


_NOT_JSON = object()


def _decode(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NOT_JSON


def _action(entry: dict[str, Any]) -> Action | None:
    name = entry.get("action")
    kind = KINDS.get(name.lower()) if isinstance(name, str) else None
    sku = _sku(entry.get("sku_id"))
    if kind is None or not sku:
        return None
    price = _price(entry.get("price"))
    if price is None and kind == "offer":
        return None
    return Action(kind, sku, price, _quantity(entry.get("quantity", 1)))


def _sku(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)  # an id of digits alone, written without quotes
    return value.strip().lower() if isinstance(value, str) else ""


def _price(value: Any) -> float | None:
    """A finite number or the text of one; true and false are not numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and len(value) > LONGEST_NUMBER:
        return None
    try:
        price = float(value)
    except (ValueError, OverflowError):
        return None
    return price if isfinite(price) and abs(price) <= LARGEST_PRICE else None


def _quantity(value: Any) -> int:
    """Fractions are cut; what is not a number, or not a whole one when written as text, counts as 1."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return 1
    if isinstance(value, str) and len(value) > LONGEST_NUMBER:
        return 1
    try:
        return min(max(int(value), -LARGEST_QUANTITY), LARGEST_QUANTITY)
    except (ValueError, OverflowError):
        return 1
