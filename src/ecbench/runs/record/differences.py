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
        fields = first_difference(parse(then), parse(now), "the replay")
    except ValueError:
        fields = ""
    fields = re.sub(r"^outcomes\.(\d+)\.", r"call \1, ", fields)
    return fields or _text_difference(then.decode(errors="replace"), now.decode(errors="replace"), "the replay")


def first_difference(was: Any, came: Any, source: str, path: str = "") -> str:
    """The first field that differs, with both values; a digest follows from the others and comes last."""
    then, now = _items(was), _items(came)
    if not then.keys() & now.keys():
        return "" if was == came else f"{path} is {_text_difference(was, came, source)}"
    for name in sorted({**then, **now}, key=lambda name: name == "sha256"):
        field = f"{path}.{name}" if path else name
        if name not in now:
            return f"{field} is recorded as {then[name]!r:.80}, and {source} has no such field"
        if name not in then:
            return f"{field} is not recorded, and {source} has {now[name]!r:.80}"
        if found := first_difference(then[name], now[name], source, field):
            return found
    return ""


def _items(value: object) -> dict[str, Any]:
    """The fields of an object, or the items of a list by their numbers from 1; none of any other value."""
    if isinstance(value, list):
        return {str(number): each for number, each in enumerate(value, start=1)}
    return value if isinstance(value, dict) else {}


def _text_difference(then: object, now: object, source: str) -> str:
    """Two values, texts from shortly before they begin to differ."""
    if not (isinstance(then, str) and isinstance(now, str)):
        return f"recorded as {then!r:.80}, {source} has {now!r:.80}"
    first = next((i for i, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), min(len(then), len(now)))
    start = max(0, first - SHOWN // 4)
    was, came = (f"{'...' if start else ''}{text[start : start + SHOWN]}" for text in (then, now))
    return f"recorded as {was!r}, {source} has {came!r}"
