"""The gate: the only way from outside to a seat. What it admits can be recorded and read back.

A call that cannot be read is admitted with its problem and fails alone, at no cost of time. A turn that is not a list
of calls, or is too large, is refused.
"""

from collections.abc import Mapping
from math import isfinite
from typing import Any, cast

from ecbench.agent_text import DEEPEST, OverLimit, parse_json
from ecbench.redaction import redacted
from ecbench.tools.arguments import shown

MOST_CALLS = 1_000  # of a turn: each may be answered with most of a catalog
MOST_BYTES = 16 << 20  # of a turn, as JSON
MOST_VALUES = 500_000  # in one turn; a list that holds itself many times over has no end
LARGEST_BITS = 1_024  # of a whole number: no float holds more, and text of too many digits is slow to read

Call = dict[str, Any]
"""A call as it is recorded: `name` and `arguments`, also the client's `id`, and of an unreadable call the `problem` and
the arguments as they were `written`, where the client gives them."""


class TurnRefused(ValueError):
    """Why a turn as a whole is not accepted; nothing has happened."""


class _Unreadable(ValueError):
    """What is wrong with one call."""


def admit(calls: object, *, redact: bool = True) -> list[Call]:
    """The calls of a turn as plain JSON values, by default without known secrets. Raises TurnRefused."""
    if not isinstance(calls, (list, tuple)):
        raise TurnRefused(f"a turn is a list of calls, not {shown(calls)}")
    if len(calls) > MOST_CALLS:
        raise TurnRefused(f"a turn has at most {MOST_CALLS:,} calls, not {len(calls):,}")
    copy = _PlainCopy(redact)
    try:
        return [_call(call, copy) for call in calls]
    except TurnRefused:
        raise
    except Exception as problem:  # an object whose own methods fail, or a list that changes while it is read
        raise TurnRefused(f"the calls could not be read ({type(problem).__name__})") from problem


def is_too_deep(value: object, deepest: int) -> bool:
    """Whether a value is nested deeper than any reader of JSON need go."""
    groups = [value] if isinstance(value, (dict, list)) else []
    for _ in range(deepest - 1):
        if not groups:
            return False
        groups = [
            each
            for group in groups
            for each in (group.values() if isinstance(group, dict) else group)
            if isinstance(each, (dict, list))
        ]
    return any(groups)


def whole_text(text: str) -> str:
    """The text with each half of a surrogate pair, which UTF-8 cannot hold, replaced by a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def whole_json(value: Any) -> Any:
    """A JSON value whose texts UTF-8 can hold."""
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, dict):
        return {whole_text(key): whole_json(each) for key, each in value.items()}
    return [whole_json(each) for each in value] if isinstance(value, list | tuple) else value


def _call(call: object, copy: "_PlainCopy") -> Call:
    """A call that a tool can be given, or one with its problem."""
    name, own = "", cast("Call", {})
    try:
        if type(call) is not dict and not isinstance(call, Mapping):
            raise _Unreadable(f"a call is an object with a name and arguments, not {shown(call)}")
        if isinstance(given := call.get("id"), str):
            own = {"id": copy.text(given)}
        named = call.get("name")
        if not isinstance(named, str):
            raise _Unreadable("a call needs the name of a tool")
        name = copy.text(named)
        if problem := call.get("problem"):
            if isinstance(written := call.get("written"), str) and written:
                own["written"] = copy.text(written)
            raise _Unreadable(copy.text(str(problem)))
        return {**own, "name": name, "arguments": _arguments(name, call.get("arguments"), copy)}
    except _Unreadable as unreadable:
        return {**own, "name": name, "arguments": {}, "problem": str(unreadable)}


def _arguments(name: str, value: object, copy: "_PlainCopy") -> object:
    """The tool itself reports what is wrong with arguments that are JSON, but no object."""
    if value is None:
        return {}
    if isinstance(value, str):
        try:
            value = parse_json(value) if value.strip() else {}
        except OverLimit as problem:
            raise _Unreadable(f"the arguments of {name[:60]} are text beyond the limits: {problem}") from None
        except ValueError:
            raise _Unreadable(f"the arguments of {name[:60]} are text that is not valid JSON") from None
    try:
        return copy.of(value)
    except _Unreadable as problem:
        raise _Unreadable(f"the arguments of {name[:60]} {problem}") from None


class _PlainCopy:
    """Copies values as JSON has them; its limits hold for a whole turn. The usual types come first: it is run often."""

    __slots__ = ("redact", "size", "values")

    def __init__(self, redact: bool) -> None:
        self.redact = redact
        self.values = 0
        self.size = 0

    def of(self, value: object, depth: int = 1) -> object:
        kind = type(value)
        if kind is str:
            return self.text(cast("str", value))
        self.values += 1
        if self.values > MOST_VALUES:
            raise TurnRefused(f"a turn holds at most {MOST_VALUES:,} values")
        if kind is dict or kind is list or isinstance(value, (Mapping, list, tuple)):
            if depth > DEEPEST:
                raise _Unreadable(f"are nested more than {DEEPEST} deep")
            if kind is dict or isinstance(value, Mapping):
                pairs = cast("Mapping[object, object]", value).items()
                return {self._key(key): self.of(each, depth + 1) for key, each in pairs}
            return [self.of(each, depth + 1) for each in cast("list[object]", value)]
        return value if value is None or kind is bool else self._leaf(value)

    def text(self, value: str) -> str:
        self.size += len(value)
        if self.size > MOST_BYTES:
            raise TurnRefused(f"a turn has at most {MOST_BYTES:,} bytes")
        return redacted(whole_text(value)) if self.redact else whole_text(value)

    def _key(self, key: object) -> str:
        if not isinstance(key, str):
            raise _Unreadable(f"have a key that is no text but {shown(key)}")
        return self.text(str(key))

    def _leaf(self, value: object) -> str | bool | int | float:
        """Numbers and texts of NumPy are those of Python, which its `item` gives."""
        if type(value) not in (int, float) and hasattr(value, "item"):
            value = value.item()
        if isinstance(value, str):
            return self.text(str(value))
        if isinstance(value, int):
            if value.bit_length() > LARGEST_BITS:
                raise _Unreadable(f"hold a whole number of {value.bit_length():,} bits")
            return value if type(value) in (bool, int) else int(value)
        if isinstance(value, float):
            if not isfinite(value):
                raise _Unreadable("hold a number that JSON does not have: NaN or infinity")
            return float(value)
        raise _Unreadable(f"hold a value that JSON does not have: {shown(value)}")
