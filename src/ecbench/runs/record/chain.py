"""Lines of JSON chained by SHA-256: each ends in the digest of the line before it and of its own content.

A line that was edited, moved, removed or inserted does not match its digest, and neither does any line behind it. The
digest of the last line is the head of the chain: two logs with the same head are equal to the byte.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from typing import Any

from ecbench.errors import RunError
from ecbench.runs.record.append_only_log import ATTEMPTS, AppendOnlyLog
from ecbench.runs.record.json_values import encode, parse

FIRST = ""
"""The head of a chain without lines."""

_MARK = b',"sha256":"'
_LAST = b'"}\n'
_TAIL = len(_MARK) + 2 * sha256().digest_size + len(_LAST)


def chained(content: bytes, head: str) -> tuple[bytes, str]:
    """A JSON object as the next line of the chain with this head, and the new head."""
    opened = content.removesuffix(b"}")
    digest = _digest(opened, head)
    return b"".join((opened, _MARK, digest.encode(), _LAST)), digest


def next_head(line: bytes, head: str) -> str | None:
    """The head after a line; None where it does not follow the lines before it, or was edited."""
    digest = _digest(memoryview(line)[:-_TAIL], head)
    return digest if line[-_TAIL:] == _MARK + digest.encode() + _LAST else None


def stated_head(line: bytes) -> str:
    """The digest that a line states, whether or not it is right."""
    return line[len(_MARK) - _TAIL : -len(_LAST)].decode(errors="replace")


def content_of(line: bytes) -> bytes:
    """The JSON object of a line without its digest."""
    return line[:-_TAIL] + b"}"


def _digest(opened: bytes | memoryview, head: str) -> str:
    found = sha256(head.encode())
    found.update(opened)
    return found.hexdigest()


class ChainedLog(AbstractContextManager["ChainedLog"]):
    """A log of JSON objects, locked while it is open. A torn last line, which a killed process leaves, is dropped.

    Raises RunError where it cannot be opened, is locked elsewhere or is damaged.
    """

    def __init__(self, path: Path, attempts: int = ATTEMPTS) -> None:
        self._log = AppendOnlyLog(path, attempts)
        self.records: list[dict[str, Any]] = []
        self.head = FIRST
        try:
            self._log.keep(self._read(path, self._log.read()))
        except RunError:
            self.close()
            raise

    def append(self, record: Mapping[str, Any]) -> None:
        """The record is on the disk when this returns."""
        assert "sha256" not in record, "that is the field of the chain"
        line, self.head = chained(encode(record), self.head)
        self._log.append(line)

    def close(self) -> None:
        self._log.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, path: Path, content: bytes) -> int:
        size = 0
        for number, line in enumerate(whole_lines(content), start=1):
            head = next_head(line, self.head)
            if head is None:
                raise RunError(f"{path}, line {number}: it does not match its digest, so it was edited or damaged")
            self.head = head
            self.records.append(parse(line))
            size += len(line)
        return size


def whole_lines(content: bytes) -> list[bytes]:
    """Without a torn last line."""
    return [line + b"\n" for line in content.split(b"\n")[:-1]]
