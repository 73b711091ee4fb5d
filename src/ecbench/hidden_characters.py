"""The one rule for text from outside: no character that a reader does not see, or that changes how others are shown.

Such characters make a name look like another one, and carry text to a model that no person sees. The list is written
out rather than asked of `unicodedata`, so that every version of Python refuses the same characters.
"""

import re

_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters other than tabs and line breaks
    "\xad\u034f\u180b-\u180f\u200b-\u200f\u2060-\u206f\ufeff"  # of no width, joiners and direction marks
    "\u061c\u2028-\u202e"  # separators of lines and paragraphs, and the rest of the direction marks
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # letters without a glyph
    "\ufe00-\ufe0d\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # variants, annotations, marks of notation
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff"  # halves of pairs, private use, no characters
    "\U000e0000-\U0010ffff"  # tags, more variants, private use
    "]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]"  # the variant of an emoji is given once; a row of them would carry text
)


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
