"""Read replies without trusting them: a missing or malformed field reads as nothing, so none can stop a merchant."""

from collections.abc import Sequence
from typing import Any

from ecbench.players.merchants.protocol import Call, Reply

Row = dict[str, Any]


def one_each(replies: Sequence[object], calls: Sequence[Call]) -> list[Reply]:
    """The reply to each call; an empty one where there is none or it is not an object."""
    found = [reply if isinstance(reply, dict) else {} for reply in replies[: len(calls)]]
    return found + [{} for _ in range(len(calls) - len(found))]


def rows(reply: Reply, key: str) -> list[Row]:
    found = reply.get(key)
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


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
