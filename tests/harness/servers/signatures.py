"""Marks on what a server hands out, so that it knows its own turns again without remembering any.

A mark names the request that was answered, the place of the block in the turn, and a digest over all blocks of the
turn. Whoever changes, drops, adds or moves a block breaks the mark, on a restarted server too.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from tests.harness.servers.conversation import Block, Refused, Say, Think, Use, require

SECRET = b"only the server knows"
FORM = re.compile(r"([0-9a-f]{16})_(\d+)_(\d+)_([0-9a-f]{16})(x?)")


def plain(value: Any) -> bytes:
    """One text for one value. Half a surrogate pair may come back as a question mark, since no request can carry it."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def digest(*values: Any) -> str:
    return blake2b(plain(values), digest_size=8, key=SECRET).hexdigest()


class Beginning:
    """A running digest over the entries of a request, in order."""

    def __init__(self, *values: Any) -> None:
        self._sum = blake2b(plain(values), digest_size=8, key=SECRET)

    def add(self, value: Any) -> None:
        self._sum.update(plain(value))

    @property
    def digest(self) -> str:
        return self._sum.hexdigest()


@dataclass(frozen=True)
class Mark:
    origin: str  # the request that this turn answered
    index: int
    count: int
    checksum: str  # over all blocks of the turn
    garbled: bool = False  # arguments that were never JSON: no client can return them

    def __str__(self) -> str:
        return f"{self.origin}_{self.index}_{self.count}_{self.checksum}{'x' if self.garbled else ''}"


def content(block: Block) -> Any:
    """What the checksum covers of a block; of arguments that are no JSON object, nothing."""
    match block:
        case Think(text, redacted):
            return ["redacted" if redacted else "thinking", text]
        case Say(text):
            return ["text", text]
        case Use(name, arguments):
            given = arguments if isinstance(arguments, dict) else json_object(arguments)
            return None if given is None else ["use", name, given]


def json_object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def marks(origin: str, contents: Sequence[Any]) -> list[Mark]:
    """One for each block; a content of None is garbled."""
    checksum = digest(origin, list(contents))
    return [Mark(origin, index, len(contents), checksum, each is None) for index, each in enumerate(contents)]


def find_mark(where: str, text: str) -> Mark:
    found = FORM.search(text)
    if found is None:
        raise Refused(where, f"{text!r} was never handed out")
    origin, index, count, checksum, garbled = found.groups()
    return Mark(origin, int(index), int(count), checksum, bool(garbled))


def sign(mark: Mark, value: Any) -> str:
    """A mark that holds for this value alone."""
    return f"{mark}-{digest(str(mark), value)}"


def find_signed(where: str, signature: str, value: Any) -> Mark:
    mark = find_mark(where, signature)
    require(signature == sign(mark, value), where, "the signature is not that of this text")
    return mark


def check_turn(where: str, contents: Sequence[Any], found: Sequence[Mark | None]) -> str:
    """The origin of a turn that came back whole and in order; empty where no block carries a mark.

    `contents` are the blocks as they came back, `found` the mark that each of them carries.
    """
    known = [mark for mark in found if mark is not None]
    if not known:
        return ""
    first = known[0]
    for index, mark in enumerate(found):
        if mark is None:
            continue
        place = f"{where}.{index}"
        require(
            (mark.origin, mark.checksum) == (first.origin, first.checksum), place, "this block belongs to another turn"
        )
        require(mark.index == index, place, f"this block was number {mark.index} of its turn and has been moved")
        require(mark.count == len(contents), where, f"{mark.count} blocks were handed out, {len(contents)} came back")
    given = [None if mark is not None and mark.garbled else each for each, mark in zip(contents, found, strict=True)]
    if digest(first.origin, given) != first.checksum:
        raise Refused(where, "the blocks of this turn are not those that were handed out")
    return first.origin
