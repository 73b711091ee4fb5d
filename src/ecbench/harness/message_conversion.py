"""Messages between our form and Pydantic AI's, with everything that a provider wants back.

What an answer has beyond its text, reasoning and calls becomes `Message.native`. Requests hold names and ids that every
server takes, and each id once; `Call.name` keeps the name as the model wrote it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from ecbench.agent_text import parse_json
from ecbench.gate import whole_json
from ecbench.harness.messages import Call, Message, legal_id, legal_name

_RESPONSE = TypeAdapter(ModelResponse)
_SENT_BACK = {"parts", "provider_name", "provider_details", "canonical_system", "model_name"}


def assistant_message(response: ModelResponse, messages: Sequence[Message] = ()) -> Message:
    """The answer to these messages in our form."""
    taken = {call.id for message in messages for call in message.calls}
    cut = response.finish_reason == "length"
    made = [part for part in response.parts if isinstance(part, ToolCallPart)]
    calls = tuple(_call(part, taken, cut=cut and part is response.parts[-1]) for part in made)
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    thoughts = [part.content for part in response.parts if isinstance(part, ThinkingPart) and part.content]
    reasoning = "\n".join(thoughts)
    return Message("assistant", text, reasoning, calls, native=_native(response, text, reasoning, calls))


def conversation(forms: Iterable[ModelResponse | ModelRequestPart]) -> list[ModelMessage]:
    """A request's messages from the forms of ours; what stands between two answers of the model is one message."""
    sent: list[ModelMessage] = []
    parts: list[ModelRequestPart] = []
    for form in forms:
        if not isinstance(form, ModelResponse):
            parts.append(form)
        elif form.parts:  # no provider takes an empty answer back
            sent += [ModelRequest(parts=parts), form]
            parts = []
    return [*sent, ModelRequest(parts=parts)]


def request_form(message: Message) -> ModelResponse | ModelRequestPart:
    """The message in Pydantic AI's form: an answer whole, any other as a part of a message."""
    match message.role:
        case "system":
            return SystemPromptPart(message.text)
        case "user":
            return UserPromptPart(message.text)
        case "tool":
            assert message.answers is not None, "a tool message names the call it answers"
            return ToolReturnPart(legal_name(message.answers.name), message.text, tool_call_id=message.answers.id)
        case "assistant":
            return _response(message)


def _call(part: ToolCallPart, taken: set[str], *, cut: bool) -> Call:
    """A call with a legal id of its own; arguments that are no JSON object fail it alone."""
    given = legal_id(part.tool_call_id, taken)
    taken.add(given)
    name = part.tool_name
    arguments, problem = _arguments(name, part.args)
    if cut and not problem and not arguments:
        problem = f"the arguments of {name} were cut at the length limit of the answer; send them again"
    written = part.args if problem and isinstance(part.args, str) else ""
    return Call(given, name, arguments, problem, written)


def _arguments(name: str, given: str | Mapping[str, Any] | None) -> tuple[dict[str, Any], str]:
    """The arguments of a call, and what is wrong with their text; one rule for every model."""
    if isinstance(given, Mapping):
        return dict(given), ""
    if given is None or not given.strip():
        return {}, ""
    try:
        value = parse_json(given)
    except ValueError as problem:
        return {}, f"the arguments of {name} are not valid JSON ({problem}); send one JSON object"
    if not isinstance(value, dict):
        return {}, f"the arguments of {name} are a JSON {type(value).__name__}; send one JSON object"
    return whole_json(value), ""


def _native(response: ModelResponse, text: str, reasoning: str, calls: tuple[Call, ...]) -> dict[str, Any] | None:
    """What a provider wants back beyond text and calls, none of which it repeats; None if that is nothing."""
    dumped: dict[str, Any] = _RESPONSE.dump_python(response, mode="json", exclude_none=True, include=_SENT_BACK)
    parts = dumped["parts"]
    details = dumped.pop("provider_details", {})
    if kept := {name: value for name, value in details.items() if name not in ("timestamp", "finish_reason")}:
        dumped["provider_details"] = kept
    for part in parts:
        for name in ("timestamp", "outcome", "tool_kind"):
            part.pop(name, None)
        if part["part_kind"] == "tool-call":
            for name in ("tool_name", "tool_call_id", "args"):
                part.pop(name, None)
        elif part.get("content") == {"text": text, "thinking": reasoning}.get(part["part_kind"]):
            del part["content"]
    kinds = [part.pop("part_kind") for part in parts]
    plain = ["text"] * bool(text) + ["tool-call"] * len(calls)
    if kinds == plain and not any(parts):
        return None
    return dumped | {"parts": [{"part_kind": kind} | part for kind, part in zip(kinds, parts, strict=True)]}


def _response(message: Message) -> ModelResponse:
    plain = ["text"] * bool(message.text) + ["tool-call"] * len(message.calls)
    native = message.native or {"parts": [{"part_kind": kind} for kind in plain]}
    parts, contents, calls = [], {"text": message.text, "thinking": message.reasoning}, iter(message.calls)
    for part in native["parts"]:
        kind, own = part["part_kind"], {}
        if kind == "tool-call":
            call = next(calls)
            own = {"tool_name": legal_name(call.name), "tool_call_id": call.id, "args": call.arguments}
        elif kind in contents:
            own = {"content": contents[kind]}
        parts.append(own | part)
    return _RESPONSE.validate_python({**native, "parts": parts})
