"""Text from outside: parsed within limits that are the same in every process, and free of hidden characters."""

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
HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters other than tabs and line breaks
    "\xad\u034f\u180b-\u180f\u200b-\u200f\u2060-\u206f\ufeff"  # of no width, joiners and direction marks
    "\u061c\u2028-\u202e"  # separators of lines and paragraphs, and the rest of the direction marks
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # letters without a glyph
    "\ufe00-\ufe0d\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # variants, annotations, marks of notation
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff"  # halves of pairs, private use, no characters
    "\U000e0000-\U0010ffff"  # tags, more variants, private use
)
"""The hidden characters, as a regular expression has them between brackets."""
_HIDDEN = re.compile(
    # The variant of an emoji is given once; a row of them would carry text.
    rf"[{HIDDEN}]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]"
)
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


def hidden_character(text: str) -> str:
    """The first hidden character as U+202E, empty if there is none. Tabs and line breaks are not hidden."""
    found = None if text.isascii() and text.isprintable() else _HIDDEN.search(text)
    return f"U+{ord(found[0]):04X}" if found else ""


def escaped(text: str) -> str:
    """The text with hidden characters as the escapes that JSON has for them."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
