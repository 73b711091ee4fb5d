"""Tool calls as text, for models and servers that have no tool calls of their own.

The tools stand in the system message, and calls are read from the answer: JSON in a fence, in a tag or bare, as long as
it names a known tool. Such a call has an id that begins with `TEXT_ID`; it goes back as the text that the model wrote,
and its result as a message of the user.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from json import JSONDecoder
from typing import Any

from ecbench.agent_text import DEEPEST_AROUND
from ecbench.gate import is_too_deep
from ecbench.harness.messages import Call, Message
from ecbench.players.action_parser import read_action
from ecbench.players.turn import Record

TEXT_ID = "text_call_"
LONGEST_TEXT = 262_144  # characters of an answer in which calls are looked for
MOST_TRIES = 2_000  # places of an answer at which JSON may begin

_HEAD = """\
# How to call a tool

Write each call as a JSON object in a fence of its own, exactly in this form, and nothing behind the last one:

```json
{"name": "check_balance", "arguments": {}}
```

The next message brings the results. Never write results yourself. The tools, with the JSON schema of their arguments:

"""


def tools_text(schemas: Sequence[Mapping[str, Any]]) -> str:
    """The tools and the form of a call, for the system message."""
    functions = [schema["function"] for schema in schemas]
    lines = [
        f"- {each['name']}: {each['description']} Arguments: {json.dumps(each['parameters'], ensure_ascii=False)}"
        for each in functions
    ]
    return _HEAD + "\n".join(lines)


def read_text_calls(message: Message, names: Collection[str], taken: Collection[str]) -> Message:
    """The answer with the calls that its text holds, if it has none of its own."""
    if message.calls:
        return message
    found = list(_calls(message.text[:LONGEST_TEXT], names))
    number = len(taken)
    calls = tuple(
        Call(f"{TEXT_ID}{number + index}", _tool(call["name"]), call["arguments"], call.get("problem", ""))
        for index, call in enumerate(found)
    )
    return replace(message, calls=calls) if calls else message


def as_text(message: Message, schemas: Sequence[Mapping[str, Any]]) -> Message:
    """The message as it is sent, where its calls are text; these tools go in front of the system message."""
    if message.role == "system" and schemas:
        return Message("system", f"{tools_text(schemas)}\n\n{message.text}")
    if message.role == "tool" and message.answers is not None and message.answers.id.startswith(TEXT_ID):
        return Message("user", f"Result of {message.answers.name}:\n{message.text}")
    if any(call.id.startswith(TEXT_ID) for call in message.calls):
        return replace(message, calls=())
    return message


def _calls(text: str, names: Collection[str]) -> Iterator[Record]:
    """The calls of known tools in a text, in their order. One with arguments that cannot be read has a `problem`."""
    decoder, place = JSONDecoder(), 0
    for _ in range(MOST_TRIES):
        starts = [found for found in (text.find("{", place), text.find("[", place)) if found >= 0]
        if not starts:
            return
        place = min(starts)
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            value = None
        if value is None or is_too_deep(value, DEEPEST_AROUND):
            place += 1
            continue
        known = [call for call in read_action(_with_arguments(value)).calls if _tool(call["name"]) in names]
        yield from known
        place = end if known else place + 1


def _with_arguments(value: Any) -> Any:
    """Some models write `parameters` for the arguments."""
    if isinstance(value, list):
        return [_with_arguments(each) for each in value]
    if isinstance(value, dict) and "arguments" not in value and isinstance(value.get("parameters"), dict):
        return {"name": value.get("name"), "arguments": value["parameters"]}
    return value


def _tool(name: str) -> str:
    return name.strip().removeprefix("functions.")
