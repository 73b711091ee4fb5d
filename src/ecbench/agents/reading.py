"""Reading replies without trusting them: a missing or odd field reads as nothing, so no reply can stop a merchant.

A year reads hundreds of thousands of rows. So `counts`, `figures` and `words` read one field of many rows at once: a
column in which every entry is as it should be is taken as it is, any other is read row by row.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from ecbench.agents.protocol import Reply


def rows(reply: Reply, key: str) -> list[dict[str, Any]]:
    found = reply.get(key)
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def number(reply: Reply, key: str, otherwise: float = 0.0) -> float:
    found = reply.get(key)
    if type(found) is float:  # nearly always, and a year reads hundreds of thousands of them
        return found
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else otherwise


def count(reply: Reply, key: str) -> int:
    """A number of things: whole and not below zero."""
    found = reply.get(key)
    return max(0, found if type(found) is int else int(number(reply, key)))


def share(reply: Reply, key: str, otherwise: float = 0.0) -> float:
    """A number between 0 and 1."""
    return min(1.0, max(0.0, number(reply, key, otherwise)))


def text(reply: Reply, key: str) -> str:
    found = reply.get(key)
    return found if isinstance(found, str) else ""


def texts(reply: Reply, key: str) -> list[str]:
    found = reply.get(key)
    return [entry for entry in found if isinstance(entry, str)] if isinstance(found, list) else []


def numbers(reply: Reply, key: str) -> list[float]:
    found = reply.get(key)
    return [number({key: entry}, key) for entry in found] if isinstance(found, list) else []


def mapping(reply: Reply, key: str) -> dict[str, Any]:
    found = reply.get(key)
    return found if isinstance(found, dict) else {}


def counts(found: Sequence[Reply], key: str) -> list[int]:
    """`count` of every row."""
    plain = _plain_column(found, key, {int})
    return plain if plain and min(plain) >= 0 else [count(row, key) for row in found]


def figures(found: Sequence[Reply], key: str) -> list[float]:
    """`number` of every row."""
    plain = _plain_column(found, key, {int, float})
    return [number(row, key) for row in found] if plain is None else list(map(float, plain))


def words(found: Sequence[Reply], key: str) -> list[str]:
    """`text` of every row."""
    plain = _plain_column(found, key, {str})
    return [text(row, key) for row in found] if plain is None else plain


def _plain_column(found: Sequence[Reply], key: str, kinds: set[type]) -> list[Any] | None:
    """The entries as they are; None if one is missing or of another kind."""
    try:
        entries = list(map(itemgetter(key), found))
    except KeyError:
        return None
    return entries if kinds.issuperset(map(type, entries)) else None
