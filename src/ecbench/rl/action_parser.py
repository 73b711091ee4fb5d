"""Parse a policy's action into the calls of a turn. Parsing never raises.

The observation reports what cannot be parsed: a garbled call fails alone, and an action without any call is a turn
without one, as for every other player.
"""

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any, NamedTuple, NoReturn

from ecbench.seat import Record
from ecbench.tools.arguments import DEEPEST, shown

MOST_CALLS = 1_000  # of a turn: each may be answered with most of a catalog
LONGEST_TEXT = 1_048_576  # characters
MOST_VALUES = 200_000  # in one action; a shared list that holds itself many times over has no end
LARGEST_BITS = 1_024  # of a whole number: no float holds more, and text of too many digits is slow to read

FENCED = re.compile(r"```(?:json|tool_calls?)?[ \t]*\n(.*?)```", re.DOTALL)
FORMS = 'send [{"name": "check_balance", "arguments": {}}, ...], as a list or as JSON'


class Action(NamedTuple):
    """Calls for a seat, and what was wrong with an action in which there are none."""

    calls: list[Record]
    problem: str = ""


class Unreadable(ValueError):
    """What is wrong with a value, as a message for the policy."""


def read_action(action: object) -> Action:
    """The calls in a list of calls, one call, an object with `tool_calls` or `calls`, or the JSON text of any of them.

    A text may hold its JSON within a fence. A call may be in OpenAI's form, with a `function` that has the name and
    arguments, and arguments may be JSON text.
    """
    try:
        return _read(action)
    except Unreadable as problem:
        return Action([], str(problem))
    except Exception as problem:  # an object whose own methods fail, or a list that changes while it is read
        return Action([], f"the action could not be read ({type(problem).__name__}); {FORMS}")


def _read(action: object) -> Action:
    if isinstance(action, (bytes, bytearray)):
        action = bytes(action).decode(errors="replace")
    if action is None or (isinstance(action, str) and not action.strip()):
        return Action([], f"no call: the action is empty; {FORMS}")
    value = _parsed(str(action)) if isinstance(action, str) else action
    calls = _listed(value)
    if not calls:
        return Action([], f"no call: the list is empty; {FORMS}")
    if len(calls) > MOST_CALLS:
        raise Unreadable(f"a turn has at most {MOST_CALLS:,} calls, not {len(calls):,}")
    copy = _PlainCopy()
    return Action([_call(call, copy) for call in calls])


def _parsed(text: str) -> Any:
    if len(text) > LONGEST_TEXT:
        raise Unreadable(f"an action has at most {LONGEST_TEXT:,} characters, not {len(text):,}")
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        fenced = FENCED.findall(text)
    if not fenced:
        raise Unreadable(f"no call: the text is not valid JSON; {FORMS}")
    try:
        return json.loads(fenced[-1], parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Unreadable(f"no call: what the last fence holds is not valid JSON; {FORMS}") from None


def _listed(value: object) -> list[object] | tuple[object, ...]:
    if isinstance(value, Mapping):
        inner = value.get("tool_calls", value.get("calls"))
        value = inner if isinstance(inner, (list, tuple)) else [value]
    if not isinstance(value, (list, tuple)):
        raise Unreadable(f"no call: an action is a list of calls, not {shown(value)}; {FORMS}")
    return value


def _call(call: object, copy: "_PlainCopy") -> Record:
    """A call that a tool can be given, or one with its problem."""
    name = ""
    try:
        if not isinstance(call, Mapping):
            raise Unreadable(f"a call is an object with a name and arguments, not {shown(call)}")
        function = call.get("function")
        call = function if isinstance(function, Mapping) else call
        named = call.get("name")
        if not isinstance(named, str):
            raise Unreadable("a call needs the name of a tool")
        name = str(named)
        return {"name": name, "arguments": _arguments(name, call.get("arguments"), copy)}
    except Unreadable as problem:
        return {"name": name, "arguments": {}, "problem": str(problem)}


def _arguments(name: str, value: object, copy: "_PlainCopy") -> object:
    """As the tool is to see them: it says itself what is wrong with arguments that are JSON, but no object."""
    if value is None:
        return {}
    if isinstance(value, str):
        try:
            value = json.loads(value, parse_constant=_no_number) if value.strip() else {}
        except (ValueError, RecursionError):
            raise Unreadable(f"the arguments of {name[:60]} are text that is not valid JSON") from None
    try:
        return copy.of(value)
    except Unreadable as problem:
        raise Unreadable(f"the arguments of {name[:60]} {problem}") from None


class _PlainCopy:
    """Values as JSON has them, so that a recorded turn is read as it was played; counts over a whole action."""

    def __init__(self) -> None:
        self.values = 0

    def of(self, value: object, depth: int = 0) -> object:
        kind = type(value)
        if kind is str or kind is bool or value is None:
            return value
        self.values += 1
        if depth > DEEPEST or self.values > MOST_VALUES:
            raise Unreadable("are nested too deep" if depth > DEEPEST else f"hold more than {MOST_VALUES:,} values")
        if isinstance(value, Mapping):
            return {self._key(key): self.of(each, depth + 1) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.of(each, depth + 1) for each in value]
        return _plain_leaf(value)

    @staticmethod
    def _key(key: object) -> str:
        if not isinstance(key, str):
            raise Unreadable(f"have a key that is no text but {shown(key)}")
        return str(key)


def _plain_leaf(value: object) -> str | bool | int | float:
    """Numbers and texts of NumPy are those of Python, which its `item` gives."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        if value.bit_length() > LARGEST_BITS:
            raise Unreadable(f"hold a whole number of {value.bit_length():,} bits")
        return value if type(value) in (bool, int) else int(value)
    if isinstance(value, float):
        if not isfinite(value):
            raise Unreadable("hold a number that JSON has not: NaN or infinity")
        return float(value)
    raise Unreadable(f"hold a value that JSON has not: {shown(value)}")


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"JSON has no {constant}")
