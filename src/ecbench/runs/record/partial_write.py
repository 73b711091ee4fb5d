"""What may lie behind the last whole turn of a record.

A turn's lines are written together, so a writer that was killed leaves a beginning of them and nothing else. Whatever
does not read as such a beginning was put there, or made of whole turns, by somebody else: it is damage.
"""

import re
from codecs import getincrementaldecoder
from collections.abc import Sequence

from ecbench.runs.record.events import encode
from ecbench.runs.record.schema import parse

FOLLOWS: dict[str, Sequence[str]] = {
    "": ("evict", "turn", "end"),
    "evict": ("evict", "turn"),
    "turn": ("voice", "call", "state"),
    "voice": ("voice", "call", "state"),
    "call": ("reply",),
    "reply": ("call", "state"),
}
"""Which events may come behind which in a turn."""

_STRING = re.compile(rb'"(?:[^"\\\x00-\x1f]++|\\.)*+(?:"|\\?\Z)')  # the last one may be cut off
_BETWEEN_STRINGS = frozenset(b"{}[]:,-+.0123456789eEtrufalsnNIity")


def is_torn_turn(tail: bytes, turn: int) -> bool:
    """Whether a writer may have been killed while it wrote this, as turn number `turn` or as the end of the year."""
    *lines, fragment = _without_zeros(tail).split(b"\n")
    before = ""
    for line in lines:
        event = _written(line, turn)
        if event not in FOLLOWS[before] or event not in FOLLOWS:
            return False
        before = event
    return _is_cut_line(fragment, FOLLOWS[before])


def is_torn_start(tail: bytes) -> bool:
    fragment = _without_zeros(tail)
    return b"\n" not in fragment and _is_cut_line(fragment, ("start",))


def _without_zeros(tail: bytes) -> bytes:
    """A power cut may leave zeros where the size of a file was on the disk and its content was not."""
    return tail.rstrip(b"\0")


def _written(line: bytes, turn: int) -> str:
    """The event of a line that is, byte for byte, as it would be written in this turn; an empty name for any other."""
    try:
        record = parse(line)
        event = record["event"]
        as_written = encode(record) == line + b"\n" and record.get("turn", turn) == turn
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""
    return event if as_written and isinstance(event, str) else ""


def _is_cut_line(fragment: bytes, events: Sequence[str]) -> bool:
    """Whether a line of one of these events begins so: an object that is not closed before the fragment ends."""
    openings = [f'{{"event":"{event}",'.encode() for event in events]
    if not any(fragment.startswith(opening) or opening.startswith(fragment) for opening in openings):
        return False
    try:
        getincrementaldecoder("utf-8")().decode(fragment)
    except UnicodeDecodeError:
        return False
    signs = _STRING.sub(b"", fragment)
    depth = 0
    for number, sign in enumerate(signs, start=1):
        depth += (sign in b"{[") - (sign in b"}]")
        if sign not in _BETWEEN_STRINGS or (depth <= 0 and number < len(signs)):
            return False
    return True
