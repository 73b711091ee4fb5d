"""The bodies of requests. Whether a turn is one is checked here; its calls are checked by the gate."""

import re
from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert

from ecbench.adapters.serving.asgi import malformed
from ecbench.agent_text import DEEPEST_AROUND, parse_json
from ecbench.gate import MOST_CALLS, TurnRefused, admit, whole_json
from ecbench.players.turn import Record
from ecbench.ranges import quoted
from ecbench.runs.play.external_sessions import TurnRequest

LONGEST_ID = 200  # characters of an id or a key
KEY_PATTERN = rf"[\x21-\x7e]{{1,{LONGEST_ID}}}"

Calls = Annotated[
    list[Any],
    Meta(
        min_length=1,
        max_length=MOST_CALLS,
        description="Each has the name of a tool, its arguments (an object, or the JSON text of one) and, if you like, "
        "an id that no other call of the year has. A call that cannot be read fails alone.",
    ),
]


class TurnBody(Struct):
    """A turn, as the OpenAPI document describes it."""

    tool_calls: Calls
    content: Annotated[str | None, Meta(description="The agent's text, for the record.")] = None
    reasoning_content: Annotated[str | None, Meta(description="Its reasoning, for the record.")] = None


def read_object(body: bytes) -> Record:
    """The body of a request; an empty one counts as an empty object. Raises RequestRefused."""
    if not body:
        return {}
    try:
        value = parse_json(body, deepest=DEEPEST_AROUND)
    except ValueError as error:
        raise malformed("the body is not valid JSON") from error
    if not isinstance(value, dict):
        raise malformed(f"the body must be a JSON object, not {quoted(value)}")
    return value


def read_turn(body: bytes, key: str | None = None) -> TurnRequest:
    """Raises RequestRefused where the turn as a whole is malformed; an unreadable call fails alone when it is run."""
    if key is not None and not re.fullmatch(KEY_PATTERN, key):
        raise malformed(f"an Idempotency-Key has 1 to {LONGEST_ID} plain characters, without spaces")
    try:
        turn = convert(read_object(body), TurnBody)
        admitted = admit([_fields(index, call) for index, call in enumerate(turn.tool_calls)])
    except (ValidationError, TurnRefused) as refusal:
        raise malformed(f"{refusal}") from refusal
    given = [call["id"] for call in admitted if "id" in call]
    if len(set(given)) < len(given):
        raise malformed("two calls of the turn have the same id")
    said = whole_json({"text": turn.content, "reasoning": turn.reasoning_content})
    message = {name: text for name, text in said.items() if text}
    return TurnRequest(admitted, message, key or "", size=len(body))


def _fields(index: int, call: Any) -> Any:
    """What is recorded of a call."""
    if not isinstance(call, dict):
        return call
    own = call.get("id")
    if own is not None and not (isinstance(own, str) and 0 < len(own) <= LONGEST_ID):
        raise malformed(f"tool_calls[{index}].id must be a text of 1 to {LONGEST_ID} characters, or be left out")
    return {name: call[name] for name in ("id", "name", "arguments") if name in call}
