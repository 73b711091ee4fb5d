"""How a replay differs from its record, as a text that names turn, call and field."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from ecbench.errors import Divergence
from ecbench.players.turn import Record
from ecbench.runs.record.json_values import encode, parse

SHOWN = 80  # characters around a difference


def compare_calls(location: str, recorded: Sequence[Record], calls: Sequence[Record]) -> None:
    """Raises Divergence where an agent makes other calls than it made before; they are not run then."""
    for number, (was, came) in enumerate(zip_longest(map(encode, recorded), map(encode, calls)), start=1):
        if was != came:
            raise Divergence(
                f"{location}, call {number}: the record has {_shown(was)}, the agent now makes {_shown(came)}; "
                "an agent must answer the same replies with the same calls, or its episodes cannot be resumed"
            )


def _shown(call: bytes | None) -> str:
    return "no further call" if call is None else f"{call.decode():.{2 * SHOWN}}"


def line_difference(then: bytes, now: bytes) -> str:
    """Two lines that differ: the first field that does, or where their texts part."""
    try:
        was, came = parse(then), parse(now)
    except ValueError:
        was = came = {}
    alike = isinstance(was, dict) and isinstance(came, dict) and was.get("event") == came.get("event")
    fields = fields_that_differ(was, came) if alike else ""
    fields = re.sub(r"^outcomes\.(\d+)\.", r"call \1, ", fields)
    return fields or text_difference(then.decode(errors="replace"), now.decode(errors="replace"), "the replay")


def fields_that_differ(was: dict[str, Any], came: dict[str, Any], source: str = "the replay", parent: str = "") -> str:
    """The first field that differs, with both values; a digest follows from the others and comes last."""
    for name in sorted({**was, **came}, key=lambda name: name == "sha256"):
        path = f"{parent}{name}"
        if name not in came:
            return f"{path} is recorded as {was[name]!r:.80}, and {source} has no such field"
        if name not in was:
            return f"{path} is not recorded, and {source} has {came[name]!r:.80}"
        if was[name] != came[name]:
            then, now = _named_items(was[name]), _named_items(came[name])
            within = fields_that_differ(then, now, source, f"{path}.") if then.keys() & now.keys() else ""
            return within or f"{path} is {text_difference(was[name], came[name], source)}"
    return ""


def _named_items(value: object) -> dict[str, Any]:
    """The fields of an object, or the items of a list by their numbers from 1; none of any other value."""
    if isinstance(value, list):
        return {str(number): each for number, each in enumerate(value, start=1)}
    return value if isinstance(value, dict) else {}


def text_difference(then: object, now: object, source: str) -> str:
    """Two values, texts from shortly before they begin to differ."""
    if not (isinstance(then, str) and isinstance(now, str)):
        return f"recorded as {then!r:.80}, {source} has {now!r:.80}"
    first = next((i for i, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), min(len(then), len(now)))
    start = max(0, first - SHOWN // 4)
    was, came = (f"{'...' if start else ''}{text[start : start + SHOWN]}" for text in (then, now))
    return f"recorded as {was!r}, {source} has {came!r}"
