"""What a server has handed out, so that it knows its own turns again, and which of them were changed."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

from tests.harness.servers.conversation import Heard, Talk, require

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


@dataclass(frozen=True)
class Entry:
    """A turn of the model, results of its calls, or words of a user, as a protocol carries them."""

    where: str
    role: Literal["user", "model", "results"]
    texts: tuple[str, ...]
    raw: Any  # as it was sent
    calls: Sequence[Any] = ()  # that the model makes, or that results are given to
    blocks: Sequence[list[Any]] = ()  # of the model
    names: Sequence[str] = ()  # that the server gave them
    whole: bool = False  # results of all calls of a turn


class HandedOut:
    """Turns by the request that they answered. A block is a list; that of a call ends with its arguments."""

    def __init__(self) -> None:
        self._turns: dict[str, Sequence[list[Any]]] = {}

    def keep(self, origin: str, blocks: Sequence[list[Any]]) -> None:
        self._turns[origin] = blocks

    def understand(self, system: str, opening: Any, entries: Iterable[Entry]) -> Talk:
        """The conversation of a request, where each call gets its result in order, and each turn comes back whole."""
        beginning, heard, open_calls, displaced = Beginning(opening), list[Heard](), list[Any](), 0
        for entry in entries:
            texts = entry.texts
            if entry.role == "results":
                due = open_calls if entry.whole else open_calls[: len(entry.calls)]
                given = list(entry.calls) == due
                require(due and given, entry.where, f"the next calls without a result are {open_calls}")
                del open_calls[: len(entry.calls)]
                if heard[-1].role == "results":
                    texts = (*heard.pop().texts, *texts)
            else:
                require(not open_calls, entry.where, f"calls without a result: {open_calls}")
            if entry.role == "model":
                displaced += self._check(entry) not in ("", beginning.digest)
                open_calls = list(entry.calls)
            heard.append(Heard(entry.role, texts))
            beginning.add(entry.raw)
        require(not open_calls, "the end", f"calls without a result: {open_calls}")
        require(heard and heard[-1].role != "model", "the end", "there is nothing to answer")
        return Talk(system, tuple(heard), displaced, beginning.digest)

    def _check(self, entry: Entry) -> str:
        """The origin of a turn that came back whole and in order; empty where nothing in it has a name."""
        if not entry.names:
            return ""
        origins = {found[1] if (found := NAME.search(name)) else "" for name in entry.names}
        known = len(origins) == 1 and origins <= self._turns.keys()
        require(known, entry.where, f"{entry.names} were never handed out together")
        [origin] = origins
        handed = self._turns[origin]
        same = len(handed) == len(entry.blocks) and all(map(_same, handed, entry.blocks))
        require(same, entry.where, "the blocks of this turn are not those that were handed out")
        return origin


def _same(handed: list[Any], returned: list[Any]) -> bool:
    """Arguments that were never JSON cannot come back."""
    garbled = handed[0] == "use" and handed[-1] is None
    return plain(handed) == plain([*returned[:-1], None] if garbled else returned)
