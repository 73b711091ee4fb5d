"""Partial writes: what a killed writer may leave behind the last closed group of a record.

The lines of a group are written together, so a writer that was killed leaves the beginning of a group and nothing else.
Anything that does not read as such a beginning was put there by something else: it is damage.
"""

import re
from codecs import getincrementaldecoder
from collections.abc import Collection, Sequence

from ecbench.runs.record.checksums import encode
from ecbench.runs.record.schema import parse

FOLLOWS: dict[str, Sequence[str]] = {
    "": ("evict", "turn", "morning", "leave", "end"),
    "evict": ("evict", "turn"),
    "turn": ("voice", "call", "state", "handed"),
    "morning": ("voice", "reply", "state"),
    "voice": ("voice", "call", "reply", "state"),
    "call": ("reply", "call", "handed"),
    "reply": ("call", "reply", "state"),
}
"""Which events may follow which in a group."""

_STRING = re.compile(rb'"(?:[^"\\\x00-\x1f]++|\\.)*+(?:"|\\?\Z)')  # the last one may be cut off
_BETWEEN_STRINGS = frozenset(b"{}[]:,-+.0123456789eEtrufalsnNIity")


def is_partial_group(tail: bytes, turns: Collection[int]) -> bool:
    """Whether a writer may have been killed while it wrote this group of lines, of a turn with one of these numbers."""
    *lines, fragment = _without_zeros(tail).split(b"\n")
    before = ""
    for line in lines:
        event = _written(line, turns)
        if event not in FOLLOWS[before] or event not in FOLLOWS:
            return False
        before = event
    return _is_cut_line(fragment, FOLLOWS[before])


def is_partial_start(tail: bytes) -> bool:
    fragment = _without_zeros(tail)
    return b"\n" not in fragment and _is_cut_line(fragment, ("start",))


def _without_zeros(tail: bytes) -> bytes:
    """A power cut may leave zeros where the size of a file was on the disk and its content was not."""
    return tail.rstrip(b"\0")


def _written(line: bytes, turns: Collection[int]) -> str:
    """The event of a line that is, byte for byte, as it would be written; an empty name for any other."""
    try:
        record = parse(line)
        event = record["event"]
        as_written = encode(record) == line + b"\n" and ("turn" not in record or record["turn"] in turns)
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
