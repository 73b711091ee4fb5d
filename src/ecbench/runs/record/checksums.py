"""Chained checksums: a line that closes a group ends in the checksum of everything before it and of its own content."""

import json
import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from msgspec.json import Encoder

_encode = Encoder().encode  # in a third of the time that Python's own takes
_encode_as_python = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

# Where the two may part: exponents, small numbers that Python writes with one, and NaN.
_has_exponent = re.compile(rb"e-?\d+[,\]}]").search
_SMALL, _NO_NUMBER = b"0.0000", b"null"


def encode(record: Mapping[str, Any]) -> bytes:
    """One line of JSON, as Python's own encoder writes it.

    Half of a surrogate pair has no UTF-8 form and is written escaped.
    """
    try:
        line = _encode(record)
        if _SMALL in line or _NO_NUMBER in line or _has_exponent(line):
            line = _encode_as_python(record).encode()
        return line + b"\n"
    except UnicodeEncodeError:
        return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def checksum_of(content: bytes) -> str:
    """Of a whole file."""
    return blake2b(content, digest_size=8).hexdigest()


class Checksum:
    """Runs over the lines of a log."""

    _MARK = b',"check":"'
    _TAIL = len(_MARK) + 16 + len(b'"}\n')

    def __init__(self) -> None:
        self._sum = blake2b(digest_size=8)

    def add(self, lines: bytes | memoryview) -> None:
        self._sum.update(lines)

    def close(self, record: Mapping[str, Any]) -> bytes:
        """The record as a line with the checksum of all lines so far and of itself; it is not added yet."""
        content = encode(record)[: -len(b"}\n")]
        return content + self._MARK + self._over(content) + b'"}\n'

    @classmethod
    def of(cls, line: bytes) -> str:
        """The checksum that a closing line ends in."""
        return line[len(cls._MARK) - cls._TAIL : -len(b'"}\n')].decode()

    def matches(self, line: bytes) -> bool:
        """Whether a closing line has the checksum of the lines so far and of its content."""
        content = line[: -self._TAIL]
        return line[-self._TAIL :] == self._MARK + self._over(content) + b'"}\n'

    def _over(self, content: bytes) -> bytes:
        sum_now = self._sum.copy()
        sum_now.update(content)
        return sum_now.hexdigest().encode()
