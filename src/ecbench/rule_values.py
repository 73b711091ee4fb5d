"""How rules are declared, read and written: the ranges they share, their shapes, and their values as text and JSON."""

from collections.abc import Mapping
from dataclasses import field
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from ecbench.ranges import Range, quoted

MOST_STEPS = 100

SHARE = Range(0, 1)
FACTOR = Range(0, 100)
YUAN = Range(0, 1e9)
UNIT_COST = Range(0, 1e6)  # yuan
WAIT = Range(0, 365, whole=True)  # days
SWITCH = Range(0, 1, whole=True)  # 0: off, 1: on
LOWEST_PRICE_RATIO = 1e-9  # keeps the demand at a price of almost nothing finite
UNLIMITED = 1e200  # a multiple that no price, cost or bid reaches

Ranges = Range | tuple[Range, Range]
"""Of a number and of all that a table or a pair holds, or of the two parts that every step of a list has."""


def rule(default: Any, ranges: Ranges, meaning: str) -> Any:
    """A field of `Rules`."""
    metadata = {"default": default, "ranges": ranges, "meaning": meaning}
    if isinstance(default, dict):
        return field(default_factory=lambda: MappingProxyType(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def whole(least: int, most: int) -> Range:
    """The whole numbers between two, both included."""
    return Range(least, most, whole=True)


def by_name(table: Mapping[Any, Any]) -> dict[str, Any]:
    """JSON has no other keys than text."""
    return {str(key): value for key, value in table.items()}


def read_rule(name: str, value: Any, default: Any, ranges: Ranges) -> Any:
    """A rule in the shape of its default, every number of it within its range."""
    if isinstance(ranges, tuple):
        return _steps(name, value, default, ranges)
    if isinstance(default, Mapping):
        return _table(name, value, default, ranges)
    if isinstance(default, tuple):
        return _pair(name, value, default, (ranges, ranges))
    return _number(name, value, ranges)


def _number(name: str, value: Any, range_: Range) -> int | float:
    range_.check(name, value)
    return int(value) if range_.whole else float(value)


def _table(name: str, value: Any, default: Mapping[Any, Any], range_: Range) -> Mapping[Any, Any]:
    keys = {str(key): key for key in default}
    if not isinstance(value, Mapping) or set(by_name(value)) != set(keys):
        raise ValueError(f"{name} must be a table of {', '.join(keys)}; got {quoted(value)}")
    entries = by_name(value).items()
    return MappingProxyType({keys[key]: _number(f"{name}.{key}", part, range_) for key, part in entries})


def _pair(name: str, value: Any, example: tuple[Any, ...], ranges: tuple[Range, Range]) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple) or len(value) != len(ranges):
        raise ValueError(f"{name} must be two numbers such as {list(example)}; got {quoted(value)}")
    return tuple(_number(f"{name}[{i}]", part, ranges[i]) for i, part in enumerate(value))


def _steps(name: str, value: Any, default: tuple[Any, ...], ranges: tuple[Range, Range]) -> tuple[Any, ...]:
    """Pairs whose first parts rise; they may be more or fewer than those of the default."""
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MOST_STEPS:
        example = [list(step) for step in default[:2]]
        raise ValueError(f"{name} must be 1 to {MOST_STEPS} pairs such as {example}; got {quoted(value)}")
    steps = tuple(_pair(f"{name}[{i}]", step, default[0], ranges) for i, step in enumerate(value))
    for one, next_one in pairwise(steps):
        if next_one[0] <= one[0]:
            raise ValueError(f"{name} must rise from step to step; got {one[0]:g} and then {next_one[0]:g}")
    return steps


def written(value: Any) -> str:
    """A rule's value in words: `fast 2, standard 1, slow 0.5`."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {part:g}" for key, part in value.items())
    if isinstance(value, tuple):
        return ", ".join(f"{part[0]:g} {part[1]:g}" if isinstance(part, tuple) else f"{part:g}" for part in value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.10g}"


def as_json(value: Any) -> Any:
    """A rule's value as `--set` takes it."""
    if isinstance(value, Mapping):
        return {str(key): part for key, part in value.items()}
    return [as_json(part) for part in value] if isinstance(value, tuple) else value
