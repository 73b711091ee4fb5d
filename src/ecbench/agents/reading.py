"""Reading replies without trusting them: a missing or odd field reads as nothing, so no reply can stop a merchant."""

from typing import Any

from ecbench.agents.protocol import Reply


def rows(reply: Reply, key: str) -> list[dict[str, Any]]:
    found = reply.get(key)
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def number(reply: Reply, key: str, otherwise: float = 0.0) -> float:
    found = reply.get(key)
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else otherwise


def text(reply: Reply, key: str) -> str:
    found = reply.get(key)
    return found if isinstance(found, str) else ""


def texts(reply: Reply, key: str) -> list[str]:
    found = reply.get(key)
    return [entry for entry in found if isinstance(entry, str)] if isinstance(found, list) else []


def mapping(reply: Reply, key: str) -> dict[str, Any]:
    found = reply.get(key)
    return found if isinstance(found, dict) else {}
