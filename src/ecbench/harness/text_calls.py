"""Tool calls as text, for models and servers that have no tool calls of their own.

Calls are read from the answer: JSON in a fence, in a tag or bare, as long as it names a known tool or has the whole
form of a call. A result goes back as a message of the user.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from json import JSONDecoder
from typing import Any

from msgspec.structs import replace

from ecbench.agent_text import DEEPEST_AROUND
from ecbench.gate import is_too_deep
from ecbench.harness.messages import Call, Message
from ecbench.players.action_parser import read_action
from ecbench.players.turn import Record

TEXT_ID = "text_call_"
LONGEST_TEXT = 262_144  # characters of an answer in which calls are looked for
MOST_TRIES = 2_000  # characters of an answer at which JSON may begin

# In an answer that a schema holds to its form, where a small model might write without end.
MOST_CALLS = 16
LONGEST_THOUGHT = 500  # characters

_BEGINNING = re.compile(r"[{\[]")
_FENCES = """\
Write each call as a JSON object in a fence of its own, exactly in this form, and nothing behind the last one:

```json
{"name": "check_balance", "arguments": {}}
```"""
_ONE_OBJECT = """\
Answer with one JSON object that holds a short thought and your calls, exactly in this form:

{"thought": "...", "tool_calls": [{"name": "check_balance", "arguments": {}}]}"""
_HEAD = """\
# How to call a tool

{form}

The next message brings the results. Never write results yourself. The tools, with the JSON schema of their arguments:

{tools}"""


def calls_schema(schemas: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a request says beside its messages so that an answer is calls of these tools."""
    name = {"enum": [schema["function"]["name"] for schema in schemas]}
    call = {
        "type": "object",
        "properties": {"name": name, "arguments": {"type": "object"}},
        "required": ["name", "arguments"],
    }
    calls = {"type": "array", "items": call, "minItems": 1, "maxItems": MOST_CALLS}
    answer = {
        "type": "object",
        "properties": {"thought": {"type": "string", "maxLength": LONGEST_THOUGHT}, "tool_calls": calls},
        "required": ["thought", "tool_calls"],
    }
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "calls", "schema": answer}}}


def read_text_calls(message: Message, names: Collection[str], taken: Collection[str]) -> Message:
    """The answer with the calls that its text holds, if it has none of its own."""
    if message.calls:
        return message
    calls = tuple(
        Call(f"{TEXT_ID}{number}", _tool(call["name"]), call["arguments"], call.get("problem", ""))
        for number, call in enumerate(_calls(message.text[:LONGEST_TEXT], names), start=len(taken))
    )
    return replace(message, calls=calls)


def as_text(message: Message, schemas: Sequence[Mapping[str, Any]], *, in_schema: bool = False) -> Message:
    """The message as it is sent, where its calls are text; these tools go in front of the system message."""
    if message.role == "system" and schemas:
        tools = "\n".join(
            f"- {each['name']}: {each['description']} Arguments: {json.dumps(each['parameters'], ensure_ascii=False)}"
            for each in (schema["function"] for schema in schemas)
        )
        head = _HEAD.format(form=_ONE_OBJECT if in_schema else _FENCES, tools=tools)
        return Message("system", f"{head}\n\n{message.text}")
    if message.role == "tool" and message.answers is not None and message.answers.id.startswith(TEXT_ID):
        return Message("user", f"Result of {message.answers.name}:\n{message.text}")
    if any(call.id.startswith(TEXT_ID) for call in message.calls):
        return replace(message, calls=())
    return message


def _calls(text: str, names: Collection[str]) -> Iterator[Record]:
    """The calls in a text, in their order. One with arguments that cannot be read has a `problem`."""
    decoder, end = JSONDecoder(), 0
    for _ in range(MOST_TRIES):
        begun = _BEGINNING.search(text, end)
        if begun is None:
            return
        end = begun.end()
        try:
            value, stop = decoder.raw_decode(text, begun.start())
        except (ValueError, RecursionError):
            continue
        if is_too_deep(value, DEEPEST_AROUND):
            continue
        found = read_action(_with_arguments(value)).calls
        if calls := found if _has_form(value) else [call for call in found if _tool(call["name"]) in names]:
            yield from calls
            end = stop


def _has_form(value: Any) -> bool:
    """Whether a value has the whole form of a call or of several; the tool it names may be unknown."""
    match value:
        case {"tool_calls": [*calls]} | {"calls": [*calls]} | [*calls]:
            return bool(calls) and all(map(_has_form, calls))
        case {"function": {"name": str(), "arguments": _}} | {"name": str(), "arguments": dict() | str()}:
            return True
    return False


def _with_arguments(value: Any) -> Any:
    """Some models write `parameters` for the arguments."""
    if isinstance(value, list):
        return [_with_arguments(each) for each in value]
    if isinstance(value, dict) and "arguments" not in value and isinstance(value.get("parameters"), dict):
        return {"name": value.get("name"), "arguments": value["parameters"]}
    return value


def _tool(name: str) -> str:
    return name.strip().removeprefix("functions.")
