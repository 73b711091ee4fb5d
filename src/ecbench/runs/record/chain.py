"""Lines of JSON chained by SHA-256: each ends in the digest of the line before it and of its own content."""

from hashlib import sha256

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
    """The head after a line; None if it does not follow the lines before it, or was edited."""
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
