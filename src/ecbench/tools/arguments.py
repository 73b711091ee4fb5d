"""Tool arguments as they come from an agent: any JSON, checked here and trusted afterwards."""

from math import isfinite
from typing import TypeVar

from ecbench.agent_text import parse_float

Arguments = dict[str, object]
T = TypeVar("T")


class BadArguments(Exception):
    """Missing or mistyped arguments. The message says what the tool expects."""


def shown(value: object) -> str:
    """An agent's value in an error message, cut to a length that cannot flood the transcript."""
    text = repr(value[:60]) if isinstance(value, str) else type(value).__name__
    return f"{text}..." if isinstance(value, str) and len(value) > 60 else text


def _checked(arguments: Arguments, name: str, kind: type[T], what: str) -> T:
    value = arguments.get(name)
    if not isinstance(value, kind):
        found = f"got {shown(value)}" if name in arguments else "it is missing"
        raise BadArguments(f"argument {name!r} must be {what}; {found}")
    return value


def required_text(arguments: Arguments, name: str) -> str:
    return _checked(arguments, name, str, "a string")


def optional_text(arguments: Arguments, name: str) -> str | None:
    """An empty text counts as none."""
    value = arguments.get(name)
    return None if value is None else _checked(arguments, name, str, "a string") or None


def optional_flag(arguments: Arguments, name: str) -> bool:
    return arguments.get(name) is not None and _checked(arguments, name, bool, "true or false")


def required_list(arguments: Arguments, name: str) -> list[object]:
    return _checked(arguments, name, list, "a list of objects")


def optional_list(arguments: Arguments, name: str) -> list[object] | None:
    return None if arguments.get(name) is None else _checked(arguments, name, list, "a list")


def optional_number(arguments: Arguments, name: str) -> float | None:
    value = arguments.get(name)
    if value is None:
        return None
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise BadArguments(f"argument {name!r} must be a number; got {shown(value)}")
    number = finite(value)
    if number is None:
        raise BadArguments(f"argument {name!r} must be a finite number")
    return number


def required_number(arguments: Arguments, name: str) -> float:
    value = optional_number(arguments, name)
    if value is None:
        raise BadArguments(f"argument {name!r} must be a number; it is missing")
    return value


def finite(value: int | float) -> float | None:
    """The number as a float, or None where no float holds it."""
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def lenient_number(value: object) -> float | None:
    """A number or a numeric string, as the items of a list may write it."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return finite(value)
    if isinstance(value, str) and len(value) <= 40:
        number = parse_float(value)
        return None if number is None else finite(number)
    return None


def lenient_count(value: object) -> int | None:
    """A whole number, fractions cut."""
    number = lenient_number(value)
    return None if number is None else int(number)
