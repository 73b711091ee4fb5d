"""The fenced `negotiate` blocks of a message: what they ask for, and the prose around them (app:prompts_negotiate).

Parsing takes time in proportion to the text and never fails: entries that are not well-formed actions are dropped.
"""

from math import isfinite
from typing import Any, Final, Literal, NamedTuple

from ecbench.agent_text import OverLimit, parse_float, parse_int, parse_lenient_json
from ecbench.market.cache import FunctionCache

ActionKind = Literal["offer", "accept", "reject"]
KINDS: dict[str, ActionKind] = {"offer": "offer", "accept": "accept", "reject": "reject"}
OPENING_FENCE = "```negotiate"
CLOSING_FENCE = "```"
LARGEST_PRICE: Final = 1e100  # far beyond any purse, and small enough that no sum over a session overflows
LARGEST_QUANTITY = 10**18  # no purse pays for as many units of anything
LONGEST_BLOCK = 1 << 20  # characters
SHORT_MESSAGE = 1_000  # characters; longer ones are not cached


class RivalQuote(NamedTuple):
    """The claim that another supplier asks this price for the same SKU."""

    supplier: str  # its e-mail address
    price: float


class Volume(NamedTuple):
    """The promise to order `units` units within `days` days, those of the deal included."""

    units: int
    days: int


class BadClaim(NamedTuple):
    """A claim that states nothing, and the code of its error."""

    code: str


Claim = RivalQuote | Volume | BadClaim
LONGEST_PROMISE = 90  # days


class BargainAction(NamedTuple):
    """One line of a negotiate block."""

    kind: ActionKind
    sku: str
    price: float | None
    quantity: int
    claim: Claim | None = None  # read under every rule set, and heard where the rules count conduct


class ReadMessage(NamedTuple):
    """A merchant's message, parsed."""

    actions: tuple[BargainAction, ...]
    prose: str
    over_limit: int = 0  # blocks that exceed the limits


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
    end = over_limit = 0
    while start >= 0:
        body = start + len(OPENING_FENCE)
        close = content.find(CLOSING_FENCE, body)
        if close < 0:
            break
        prose.append(content[end:start].strip())
        try:
            actions += _actions(content[body:close])
        except OverLimit:
            over_limit += 1
        end = close + len(CLOSING_FENCE)
        start = content.find(OPENING_FENCE, end)
    prose.append(content[end:].strip())
    return ReadMessage(tuple(actions), "\n".join([part for part in prose if part]), over_limit)


_short_messages: FunctionCache[str, ReadMessage] = FunctionCache(_read, 8_192)


def _actions(block: str) -> list[BargainAction]:
    """Of one object, an array of them, or one per line. Raises OverLimit."""
    if len(block) > LONGEST_BLOCK:
        raise OverLimit(f"more than {LONGEST_BLOCK:,} characters")
    value = _decode(block)
    entries: list[Any]
    if isinstance(value, dict):
        entries = [value]
    elif isinstance(value, list):
        entries = value
    elif value is _NOT_JSON:
        entries = [_decode(line) for line in block.splitlines() if "{" in line and "}" in line]
    else:
        entries = []
    return [action for entry in entries if isinstance(entry, dict) and (action := _action(entry)) is not None]


_NOT_JSON = object()


def _decode(text: str) -> Any:
    """Raises OverLimit."""
    try:
        return parse_lenient_json(text.strip())
    except OverLimit:
        raise
    except ValueError:
        return _NOT_JSON


def _action(entry: dict[str, Any]) -> BargainAction | None:
    name = entry.get("action")
    kind = KINDS.get(name.lower()) if isinstance(name, str) else None
    sku = _sku(entry.get("sku_id"))
    if kind is None or not sku:
        return None
    price = _price(entry.get("price"))
    if price is None and kind == "offer":
        return None
    claim = _claim(entry["claim"], kind) if "claim" in entry else None
    return BargainAction(kind, sku, price, _quantity(entry.get("quantity", 1)), claim)


def _claim(value: Any, kind: ActionKind) -> Claim:
    """One claim of an offer: `{"rival_quote": {...}}` or `{"volume": {...}}`."""
    if kind != "offer" or not isinstance(value, dict) or len(value) != 1:
        return BadClaim("bad_claim")
    [(name, stated)] = value.items()
    if not isinstance(stated, dict):
        return BadClaim("bad_claim")
    if name == "rival_quote" and set(stated) == {"supplier", "price"}:
        supplier, price = stated["supplier"], _price(stated["price"])
        if not isinstance(supplier, str):
            return BadClaim("claim_supplier")
        return RivalQuote(supplier.strip().lower(), price) if price is not None and price > 0 else BadClaim("bad_claim")
    if name == "volume" and set(stated) == {"units", "days"}:
        units, days = stated["units"], stated["days"]
        if type(units) is int and type(days) is int and 0 < units < LARGEST_QUANTITY and 0 < days <= LONGEST_PROMISE:
            return Volume(units, days)
    return BadClaim("bad_claim")


def _sku(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)  # an id of digits alone, written without quotes
    return value.strip().lower() if isinstance(value, str) else ""


def _price(value: Any) -> float | None:
    """A number or the text of one, within LARGEST_PRICE; booleans are not numbers."""
    kind = type(value)
    if kind is str:
        value = parse_float(value)
    elif kind is int:
        value = float(value) if -LARGEST_PRICE <= value <= LARGEST_PRICE else None
    elif kind is not float:
        return None
    return value if value is not None and -LARGEST_PRICE <= value <= LARGEST_PRICE else None


def _quantity(value: Any) -> int:
    """A number truncated to whole units; anything else, or text that is not a whole number, counts as 1."""
    kind = type(value)
    if kind is str:
        value = parse_int(value)
    elif kind is float:
        value = int(value) if isfinite(value) else None
    elif kind is not int:
        return 1
    return 1 if value is None else min(max(value, -LARGEST_QUANTITY), LARGEST_QUANTITY)
