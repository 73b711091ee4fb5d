"""A turn as a request brings it: read at the edge, refused whole where any of it is malformed."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from ecbench.adapters.http.errors import malformed
from ecbench.gate import DEEPEST, is_too_deep
from ecbench.players.turn import Record, Turn
from ecbench.ranges import quoted

MOST_CALLS = 1_000  # of a turn: each may be answered with most of a catalog
LONGEST_ID = 200  # characters of an id or a key
WRITTEN_KEY = rf"[\x21-\x7e]{{1,{LONGEST_ID}}}"
KEY = "key"  # of a recorded turn: the Idempotency-Key that it came with


@dataclass(frozen=True, slots=True)
class AskedTurn:
    """Calls with their ids where the client gave some, and what its model said."""

    calls: Sequence[Record]
    said: Record = field(default_factory=dict)
    key: str = ""

    @property
    def ids(self) -> list[str | None]:
        return [call.get("id") for call in self.calls]

    def numbered(self, turn: int) -> list[Record]:
        """Every call with an id: the client's, or one that no other call of the year has."""
        given = set(self.ids)
        calls = []
        for place, call in enumerate(self.calls):
            own = f"call_{turn}_{place}"
            while own in given:
                own += "_"
            calls.append(call if "id" in call else {"id": own, **call})
        return calls

    def repeats(self, turn: Turn) -> bool:
        """Whether these are the calls of a recorded turn; ids that were left out equal any."""
        made = [{name: call.get(name) for name in ("name", "arguments")} for call in turn.calls]
        asked = [{name: call[name] for name in ("name", "arguments")} for call in self.calls]
        return made == asked and all(own in (None, call.get("id")) for own, call in zip(self.ids, turn.calls))


def read_object(body: bytes) -> Record:
    """A request's body; nothing at all counts as an empty object. Raises Refusal."""
    if not body:
        return {}
    try:
        value = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise malformed("the body is not valid JSON") from error
    if not isinstance(value, dict):
        raise malformed(f"the body must be a JSON object, not {quoted(value)}")
    if is_too_deep(value, DEEPEST):
        raise malformed(f"the body is nested more than {DEEPEST} deep")
    return value


def read_turn(body: bytes, key: str | None = None) -> AskedTurn:
    record = read_object(body)
    calls = record.get("tool_calls")
    if not isinstance(calls, list) or not calls:
        raise malformed("tool_calls must be a list of at least one call")
    if len(calls) > MOST_CALLS:
        raise malformed(f"a turn has at most {MOST_CALLS:,} calls, not {len(calls):,}")
    if key is not None and not re.fullmatch(WRITTEN_KEY, key):
        raise malformed(f"an Idempotency-Key has 1 to {LONGEST_ID} plain characters, without spaces")
    asked = [_call(place, call) for place, call in enumerate(calls)]
    ids = [call["id"] for call in asked if "id" in call]
    if len(set(ids)) < len(ids):
        raise malformed("two calls of the turn have the same id")
    said = {"text": _text(record, "content"), "reasoning": _text(record, "reasoning_content"), KEY: key or ""}
    return AskedTurn(asked, {name: text for name, text in said.items() if text}, key or "")


def _call(place: int, call: object) -> Record:
    where = f"tool_calls[{place}]"
    if not isinstance(call, dict):
        raise malformed(f"{where} must be an object with a name and arguments, not {quoted(call)}")
    name = call.get("name")
    if not isinstance(name, str):
        raise malformed(f"{where}.name must be the name of a tool")
    own = call.get("id")
    if own is not None and not (isinstance(own, str) and 0 < len(own) <= LONGEST_ID):
        raise malformed(f"{where}.id must be a text of 1 to {LONGEST_ID} characters, or be left out")
    arguments = _arguments(where, call.get("arguments", {}))
    return {"name": name, "arguments": arguments} if own is None else {"id": own, "name": name, "arguments": arguments}


def _arguments(where: str, value: Any) -> Record:
    """An object, or the JSON text of one, as models write it."""
    if isinstance(value, str):
        try:
            value = json.loads(value, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise malformed(f"{where}.arguments is text that is not valid JSON") from error
        if is_too_deep(value, DEEPEST):
            raise malformed(f"{where}.arguments is nested more than {DEEPEST} deep")
    if not isinstance(value, dict):
        raise malformed(f"{where}.arguments must be an object, or the JSON text of one")
    return value


def _text(record: Record, name: str) -> str:
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise malformed(f"{name} must be a text")
    return value or ""


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"JSON has no {constant}")
