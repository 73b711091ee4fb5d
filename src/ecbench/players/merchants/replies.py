"""Read replies without trusting them: a missing or malformed field reads as nothing, so no reply can stop a merchant.

A year reads hundreds of thousands of rows. So `counts`, `figures`, `shares`, `words` and `tables` read one field of
many rows at once: a column in which every entry is as it should be is taken as it is, any other is read row by row.
What is taken as it is may belong to the reply, and is not to be changed.
"""

from collections.abc import Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

from ecbench.players.merchants.protocol import Call, Reply

Row = dict[str, Any]
_ROW, _WHOLE, _REAL, _NUMBER, _TEXT, _LIST = {dict}, {int}, {float}, {int, float}, {str}, {list}  # kinds of entries


def one_each(replies: Sequence[object], calls: Sequence[Call]) -> list[Reply]:
    """The reply to each call; an empty one where there is none or it is not an object."""
    found = [reply if isinstance(reply, dict) else {} for reply in replies[: len(calls)]]
    return found + [{} for _ in range(len(calls) - len(found))]


def rows(reply: Reply, key: str) -> list[Row]:
    found = reply.get(key)
    if not isinstance(found, list):
        return []
    return found if _ROW.issuperset(map(type, found)) else [row for row in found if isinstance(row, dict)]


def number(reply: Reply, key: str, default: float = 0.0) -> float:
    found = reply.get(key)
    if type(found) is float:  # nearly always, and a year reads hundreds of thousands of them
        return found
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else default


def count(reply: Reply, key: str) -> int:
    """A number of things: whole and not below zero."""
    found = reply.get(key)
    return max(0, found if type(found) is int else int(number(reply, key)))


def share(reply: Reply, key: str, default: float = 0.0) -> float:
    """A number between 0 and 1."""
    return min(1.0, max(0.0, number(reply, key, default)))


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
    entries, kinds = _column(found, key)
    return entries if kinds == _WHOLE and min(entries) >= 0 else [count(row, key) for row in found]


def figures(found: Sequence[Reply], key: str) -> list[float]:
    """`number` of every row."""
    entries, kinds = _column(found, key)
    if kinds == _REAL:
        return entries
    return list(map(float, entries)) if kinds <= _NUMBER else [number(row, key) for row in found]


def shares(found: Sequence[Reply], key: str) -> list[float]:
    """`share` of every row."""
    entries, kinds = _column(found, key)
    plain = kinds == _REAL and min(entries) >= 0.0 and max(entries) <= 1.0
    return entries if plain else [share(row, key) for row in found]


def words(found: Sequence[Reply], key: str) -> list[str]:
    """`text` of every row."""
    entries, kinds = _column(found, key)
    return entries if kinds <= _TEXT else [text(row, key) for row in found]


def tables(found: Sequence[Reply], key: str) -> list[list[Row]]:
    """`rows` of every row."""
    entries, kinds = _column(found, key)
    plain = kinds <= _LIST and _ROW.issuperset(map(type, chain.from_iterable(entries)))
    return entries if plain else [rows(row, key) for row in found]


def _column(found: Sequence[Reply], key: str) -> tuple[list[Any], set[type]]:
    """The entries, and the kinds there are among them; of a row without an entry None."""
    try:
        entries = list(map(itemgetter(key), found))
    except KeyError:
        entries = [row.get(key) for row in found]
    return entries, set(map(type, entries))
