"""Text that an agent wrote, parsed within limits of its own.

The limits of Python's parsers depend on the depth of the stack, on environment variables and on the version of Unicode.
These limits come first and are the same in every process, so an episode follows from its calls alone.
"""

import json
import re
from itertools import accumulate
from typing import Any, NoReturn

DEEPEST = 8  # brackets within brackets; no tool takes more than four
DEEPEST_AROUND = 120  # of the JSON around calls, so that a call that is too deep fails alone
LONGEST_NUMBER = 400  # digits in a row; every Python reads whole numbers of up to 640

_LONG_NUMBER = re.compile(rf"(?<![0-9])[0-9]{{{LONGEST_NUMBER + 1}}}")
_STRING = re.compile(r'"[^"\\]*+(?:\\.?[^"\\]*+)*+"?+', re.DOTALL)  # up to its end, or to that of the text
_NO_BRACKETS = re.compile(r"[^\[\]{}]+")
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


class OverLimit(ValueError):
    """Which limit a text exceeds."""


def parse_json(text: str | bytes, *, deepest: int = DEEPEST) -> Any:
    """Strict JSON within the limits: no NaN, no infinities. Raises ValueError, and OverLimit beyond the limits."""
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    _check_limits(text, deepest)
    return _strict(text)


def parse_lenient_json(text: str, *, deepest: int = DEEPEST) -> Any:
    """As `parse_json`, with NaN and infinities. Raises ValueError, and OverLimit beyond the limits."""
    _check_limits(text, deepest)
    return _lenient(text)


def parse_float(text: str) -> float | None:
    """A number in ASCII digits. Which other digits Python knows depends on its version."""
    try:
        return float(text) if text.isascii() and len(text) <= LONGEST_NUMBER else None
    except ValueError:
        return None


def parse_int(text: str) -> int | None:
    """A whole number in ASCII digits."""
    try:
        return int(text) if text.isascii() and len(text) <= LONGEST_NUMBER else None
    except ValueError:
        return None


def _no_constant(constant: str) -> NoReturn:
    raise ValueError(f"JSON has no {constant}")


_strict = json.JSONDecoder(parse_constant=_no_constant).decode
_lenient = json.JSONDecoder().decode


def _check_limits(text: str, deepest: int) -> None:
    """Takes time in proportion to the text."""
    long_number = _LONG_NUMBER.search(text) is not None
    if not long_number and text.count("[") + text.count("{") <= deepest:
        return
    bare = _STRING.sub('""', text)
    if long_number and _LONG_NUMBER.search(bare):
        raise OverLimit(f"a number has more than {LONGEST_NUMBER} digits")
    brackets = _NO_BRACKETS.sub("", bare)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > deepest:
        raise OverLimit(f"nested more than {deepest} deep")
