"""What a server has handed out, so that it knows its own turns again, and which of them were changed."""

import json
import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from tests.harness.servers.conversation import require

NAME = re.compile(r"([0-9a-f]{16})_\d+")


def plain(value: Any) -> bytes:
    """One text for one value. Half a surrogate pair may come back as a question mark, since no request can carry it."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


class Beginning:
    """A running digest over the entries of a request, in order."""

    def __init__(self, *values: Any) -> None:
        self._sum = blake2b(plain(values), digest_size=8)

    def add(self, value: Any) -> None:
        self._sum.update(plain(value))

    @property
    def digest(self) -> str:
        return self._sum.hexdigest()


def json_object(arguments: dict[str, Any] | str) -> dict[str, Any] | None:
    """The arguments of a call; None for a text that is no JSON object."""
    if isinstance(arguments, dict):
        return arguments
    try:
        value = json.loads(arguments or "{}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


class HandedOut:
    """Turns by the request that they answered. A block is a list; that of a call ends with its arguments."""

    def __init__(self) -> None:
        self._turns: dict[str, list[list[Any]]] = {}

    def keep(self, origin: str, blocks: list[list[Any]]) -> None:
        self._turns[origin] = blocks

    def check(self, where: str, blocks: list[list[Any]], names: Sequence[str]) -> str:
        """The origin of a turn that came back whole and in order; empty where nothing in it has a name."""
        if not names:
            return ""
        origins = {found[1] if (found := NAME.search(name)) else "" for name in names}
        require(len(origins) == 1 and origins <= self._turns.keys(), where, f"{names} were never handed out together")
        [origin] = origins
        handed = self._turns[origin]
        same = len(handed) == len(blocks) and all(map(_same, handed, blocks))
        require(same, where, "the blocks of this turn are not those that were handed out")
        return origin


def _same(handed: list[Any], returned: list[Any]) -> bool:
    """Arguments that were never JSON cannot come back."""
    garbled = handed[0] == "use" and handed[-1] is None
    return plain(handed) == plain([*returned[:-1], None] if garbled else returned)
