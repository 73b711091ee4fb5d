"""The gate: the only way from outside to a seat. What it admits can be recorded and read back.

Every adapter hands over the calls of a turn as it received them: parsed JSON, or Python objects of a merchant or a
policy, arguments as objects or as JSON text. The gate returns plain JSON values within its limits. A call that cannot
be read is admitted with its problem and fails alone, at no cost of time. A turn that is no list of calls, or is too
large, is refused.
"""

import json
import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NoReturn

from ecbench.tools.arguments import shown
from ecbench.tools.outcome import decode_reply

MOST_CALLS = 1_000  # of a turn: each may be answered with most of a catalog
MOST_BYTES = 16 << 20  # of a turn, as JSON
MOST_VALUES = 500_000  # in one turn; a list that holds itself many times over has no end
FEW_VALUES = 10_000  # that the JSON encoder may copy; a list shared by many others could grow beyond all memory
DEEPEST = 100  # brackets within brackets; no tool takes more than four
LARGEST_BITS = 1_024  # of a whole number: no float holds more, and text of too many digits is slow to read

Call = dict[str, Any]
"""A call as it is recorded: `name` and `arguments`, also the client's `id`, and the `problem` of an unreadable call."""

_TOO_MANY_DIGITS = re.compile(r"\d{309}")  # beyond LARGEST_BITS
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


class TurnRefused(ValueError):
    """Why a turn as a whole is not accepted; nothing has happened."""


class _Unreadable(ValueError):
    """What is wrong with one call."""


def admit(calls: object) -> list[Call]:
    """The calls of a turn as plain JSON values. Raises TurnRefused."""
    if not isinstance(calls, (list, tuple)):
        raise TurnRefused(f"a turn is a list of calls, not {shown(calls)}")
    if len(calls) > MOST_CALLS:
        raise TurnRefused(f"a turn has at most {MOST_CALLS:,} calls, not {len(calls):,}")
    admitted = _admit_quickly(calls)
    return _admit_one_by_one(calls) if admitted is None else admitted


def parse_json(text: str | bytes) -> Any:
    """Strict JSON: no NaN, no infinities. Raises ValueError."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def is_too_deep(value: object, deepest: int = DEEPEST) -> bool:
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


def _admit_quickly(calls: Sequence[object]) -> list[Call] | None:
    """The usual turn, copied by the JSON encoder; None where any call needs a closer look."""
    if not _are_plain(calls):
        return None
    try:
        text = json.dumps(calls, allow_nan=False)
    except Exception:  # NaN, an object that JSON does not have, or one whose own methods fail
        return None
    if len(text) > MOST_BYTES or _TOO_MANY_DIGITS.search(text) or ("\\u" in text and _HALF_PAIR.search(text)):
        return None
    copies: list[Call] = decode_reply(text)
    if text.count("[") + text.count("{") > DEEPEST and is_too_deep(copies, DEEPEST + 2):
        return None
    return copies


def _are_plain(calls: Sequence[object]) -> bool:
    """Whether the calls are dictionaries of nothing but the fields of a call, with few values and text as keys."""
    values, groups = 0, list[Any]()
    for call in calls:
        if type(call) is not dict or type(call.get("name")) is not str or type(call.get("arguments")) is not dict:
            return False
        if len(call) > 2 and (len(call) > 3 or type(call.get("id")) is not str):
            return False
        groups.append(call["arguments"])
    while groups:
        group = groups.pop()
        values += len(group)
        if values > FEW_VALUES:
            return False
        if isinstance(group, dict):
            if not all(type(key) is str for key in group):
                return False
            group = group.values()
        groups += [each for each in group if isinstance(each, (dict, list, tuple))]
    return True


def _admit_one_by_one(calls: Sequence[object]) -> list[Call]:
    copy = _PlainCopy()
    try:
        return [_call(call, copy) for call in calls]
    except TurnRefused:
        raise
    except Exception as problem:  # an object whose own methods fail, or a list that changes while it is read
        raise TurnRefused(f"the calls could not be read ({type(problem).__name__})") from problem


def _call(call: object, copy: "_PlainCopy") -> Call:
    """A call that a tool can be given, or one with its problem."""
    name, own = "", dict[str, Any]()
    try:
        if not isinstance(call, Mapping):
            raise _Unreadable(f"a call is an object with a name and arguments, not {shown(call)}")
        if isinstance(given := call.get("id"), str):
            own = {"id": copy.text(given)}
        named = call.get("name")
        if not isinstance(named, str):
            raise _Unreadable("a call needs the name of a tool")
        name = copy.text(named)
        if problem := call.get("problem"):
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
        except ValueError:
            raise _Unreadable(f"the arguments of {name[:60]} are text that is not valid JSON") from None
    try:
        return copy.of(value)
    except _Unreadable as problem:
        raise _Unreadable(f"the arguments of {name[:60]} {problem}") from None


class _PlainCopy:
    """Copies values as JSON has them; its limits hold for a whole turn."""

    def __init__(self) -> None:
        self.values = 0
        self.size = 0

    def of(self, value: object, depth: int = 1) -> object:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.text(value)
        self.values += 1
        if self.values > MOST_VALUES:
            raise TurnRefused(f"a turn holds at most {MOST_VALUES:,} values")
        if isinstance(value, (Mapping, list, tuple)):
            if depth > DEEPEST:
                raise _Unreadable(f"are nested more than {DEEPEST} deep")
            if isinstance(value, Mapping):
                return {self._key(key): self.of(each, depth + 1) for key, each in value.items()}
            return [self.of(each, depth + 1) for each in value]
        return self._leaf(value)

    def text(self, value: str) -> str:
        self.size += len(value)
        if self.size > MOST_BYTES:
            raise TurnRefused(f"a turn has at most {MOST_BYTES:,} bytes")
        return whole_text(str(value))

    def _key(self, key: object) -> str:
        if not isinstance(key, str):
            raise _Unreadable(f"have a key that is no text but {shown(key)}")
        return self.text(key)

    def _leaf(self, value: object) -> str | bool | int | float:
        """Numbers and texts of NumPy are those of Python, which its `item` gives."""
        value = value.item() if hasattr(value, "item") else value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int):
            if value.bit_length() > LARGEST_BITS:
                raise _Unreadable(f"hold a whole number of {value.bit_length():,} bits")
            return value if type(value) in (bool, int) else int(value)
        if isinstance(value, float):
            if not isfinite(value):
                raise _Unreadable("hold a number that JSON does not have: NaN or infinity")
            return float(value)
        raise _Unreadable(f"hold a value that JSON does not have: {shown(value)}")


def _no_constant(constant: str) -> NoReturn:
    raise ValueError(f"JSON has no {constant}")
