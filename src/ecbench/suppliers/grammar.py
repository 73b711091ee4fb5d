"""The fenced `negotiate` blocks of a message: what they ask for, and the prose around them (app:prompts_negotiate).

Parsing takes time in proportion to the text and never fails: entries that are not well-formed actions are dropped.
"""

import json
from typing import Any, Literal, NamedTuple, cast

from ecbench.market.cache import FunctionCache

ActionKind = Literal["offer", "accept", "reject"]
KINDS: dict[str, ActionKind] = {"offer": "offer", "accept": "accept", "reject": "reject"}
OPENING_FENCE = "```negotiate"
CLOSING_FENCE = "```"
LARGEST_PRICE = 1e100  # far beyond any purse, and small enough that no sum over a session overflows
LARGEST_QUANTITY = 10**18  # no purse pays for as many units of anything
LONGEST_NUMBER = 400  # characters
SHORT_MESSAGE = 1_000  # characters; longer ones are not cached


class BargainAction(NamedTuple):
    """One line of a negotiate block."""

    kind: ActionKind
    sku: str
    price: float | None
    quantity: int


class ReadMessage(NamedTuple):
    """A merchant's message, parsed."""

    actions: tuple[BargainAction, ...]
    prose: str


def read_message(content: str) -> ReadMessage:
    """Parse a message. Short ones are cached, since replays and forks of an episode send them again."""
    if len(content) > SHORT_MESSAGE:
        return _read(content)
    return _short_messages[content]


def _read(content: str) -> ReadMessage:
    start = content.find(OPENING_FENCE)
    if start < 0:
        return ReadMessage((), content.strip())
    actions: list[BargainAction] = []
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
    return ReadMessage(tuple(actions), "\n".join([part for part in prose if part]))


_short_messages: FunctionCache[str, ReadMessage] = FunctionCache(_read, 8_192)


def _actions(block: str) -> list[BargainAction]:
    """Of one object, an array of them, or one per line."""
    value = _decode(block)
    entries: list[Any]
    if isinstance(value, dict):
        entries = [value]
    elif isinstance(value, list):
        entries = value
    elif value is _NOT_JSON:
        entries = _decode_lines([line.strip() for line in block.splitlines() if "{" in line and "}" in line])
    else:
        entries = []
    return [action for entry in entries if isinstance(entry, dict) and (action := _action(entry)) is not None]


def _decode_lines(lines: list[str]) -> list[Any]:
    """Decode line by line. Lines with one flat object each, the usual form, are decoded together as one array.

    Such a line has no brace inside a string, so its object ends with the line.
    """
    if all(line[0] == "{" and line[-1] == "}" and line.count("{") == line.count("}") == 1 for line in lines):
        entries = _decode(f"[{','.join(lines)}]")
        if entries is not _NOT_JSON:
            return cast("list[Any]", entries)
    return [_decode(line) for line in lines]


_NOT_JSON = object()
_read_json = json.JSONDecoder().raw_decode


def _decode(text: str) -> Any:
    text = text.strip()
    try:
        value, end = _read_json(text)
    except (ValueError, RecursionError):
        return _NOT_JSON
    return value if end == len(text) else _NOT_JSON


def _action(entry: dict[str, Any]) -> BargainAction | None:
    name = entry.get("action")
    kind = KINDS.get(name.lower()) if isinstance(name, str) else None
    sku = _sku(entry.get("sku_id"))
    if kind is None or not sku:
        return None
    price = _price(entry.get("price"))
    if price is None and kind == "offer":
        return None
    return BargainAction(kind, sku, price, _quantity(entry.get("quantity", 1)))


def _sku(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)  # an id of digits alone, written without quotes
    return value.strip().lower() if isinstance(value, str) else ""


def _price(value: Any) -> float | None:
    """A number or the text of one, within LARGEST_PRICE; booleans are not numbers."""
    kind = type(value)
    if kind is not float:
        if kind is not int and (kind is not str or len(value) > LONGEST_NUMBER):
            return None
        try:
            value = float(value)
        except (ValueError, OverflowError):
            return None
    return value if -LARGEST_PRICE <= value <= LARGEST_PRICE else None


def _quantity(value: Any) -> int:
    """A number truncated to whole units; anything else, or text that is not a whole number, counts as 1."""
    kind = type(value)
    if kind is not int:
        if kind is not float and (kind is not str or len(value) > LONGEST_NUMBER):
            return 1
        try:
            value = int(value)
        except (ValueError, OverflowError):
            return 1
    quantity: int = value
    return min(max(quantity, -LARGEST_QUANTITY), LARGEST_QUANTITY)
