"""What a provider sends, read so that every model is held to the same rule.

Inspect mends arguments that are not JSON: a bare word becomes the tool's first argument, stray quotes are dropped.
That would let one model's slips through where another's fail, so the texts that the provider sent are read again
and anything but a JSON object fails its call. Half a surrogate pair, which JSON can carry and no request can, is
replaced at once: it would otherwise break every later request of the conversation. And an answer that is the
provider's own is none (see `refusals`).
"""

import json
from collections.abc import Mapping
from typing import Any
from weakref import WeakSet

from inspect_ai.event import Event, ModelEvent
from inspect_ai.log import Transcript, transcript
from inspect_ai.log._samples import _active_model_event
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelCall,
    ModelOutput,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from ecbench.gate import DEEPEST, is_too_deep
from ecbench.harness.refusals import Refusal, body_error, refusal

_strict: WeakSet[ModelAPI] = WeakSet()

# What reading a response raises that is not what it should be; a provider's own errors are of other kinds.
UNREADABLE = (TypeError, AttributeError, LookupError, AssertionError, ValueError)

Generated = ModelOutput | tuple[ModelOutput | Exception, ModelCall]


def read_strictly(api: ModelAPI) -> None:
    """From now on this provider's answers are whole text, and calls whose text is no JSON object say so."""
    if api in _strict:
        return
    _strict.add(api)
    lenient = api.generate

    async def generate(
        input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> Generated:
        try:
            result = await lenient(input, tools, tool_choice, config)
        except UNREADABLE as problem:
            call = latest_call()
            if call is None:  # nothing was sent
                raise
            raise unread(problem, call) from problem
        output, call = result if isinstance(result, tuple) else (result, None)
        if isinstance(output, ModelOutput):
            response = (call.response if call and not call.error else None) or {}
            refused = refusal(output, response)
            if refused is not None:
                raise refused
            mark_unreadable(output, response)
            make_whole(output)
            if call is not None:
                call.response = whole(call.response)
        return result

    # Inspect offers no place between a provider and its reading of the answer.
    api.generate = generate  # type: ignore[method-assign]


class LatestCall(Transcript):
    """Keeps of all that Inspect notes down the newest request and its response."""

    def __init__(self) -> None:
        super().__init__(log_model_api=False)
        self.call: ModelCall | None = None

    def _process_event(self, event: Event, *, retain_attachments: bool = True) -> None:
        if isinstance(event, ModelEvent) and event.call is not None:
            self.call = event.call
        super()._process_event(event, retain_attachments=retain_attachments)


def latest_call() -> ModelCall | None:
    """The request under way; an evaluation of Inspect's keeps it with the event, as long as it likes."""
    notes, event = transcript(), _active_model_event.get()
    if isinstance(notes, LatestCall):
        return notes.call
    return event.call if event is not None else None


def unread(problem: Exception, call: ModelCall) -> Refusal:
    """The error that the response holds, or that nobody can read it."""
    why = f"{type(problem).__name__}: {problem}".removesuffix(": ")
    told = f"the provider's answer could not be read ({why})"
    return body_error(call.response or {}) or Refusal(told, "unreachable", cause="unreadable answer")


def mark_unreadable(output: ModelOutput, response: Mapping[str, Any]) -> None:
    calls = (output.choices[0].message.tool_calls or []) if output.choices else []
    if calls and cut_call(response):
        why = f"the arguments of {calls[-1].function} were cut at the length limit of the answer; send them again"
        calls[-1].arguments, calls[-1].parse_error = {}, why
    texts = sent_arguments(response)
    if len(texts) != len(calls):
        return
    for call, text in zip(calls, texts, strict=True):
        problem = unreadable(call.function, text)
        if problem:
            call.arguments, call.parse_error = {}, problem


def cut_call(response: Mapping[str, Any]) -> bool:
    """Whether an answer of Anthropic's ended within a call; its client makes an object of whatever has come."""
    match response:
        case {"stop_reason": "max_tokens", "content": [*_, {"type": "tool_use"}]}:
            return True
    return False


def sent_arguments(response: Mapping[str, Any]) -> list[str]:
    """The argument texts of an OpenAI-style response, in either of its two forms; other providers send none."""
    match response:
        case {"choices": [{"message": {"tool_calls": list(calls)}}, *_]}:
            return [call["function"]["arguments"] for call in calls if call.get("function")]
        case {"output": list(items)}:
            return [item["arguments"] for item in items if item.get("type") == "function_call"]
    return []


def unreadable(name: str, text: str | None) -> str:
    """What is wrong with an argument text; nothing, when it is a JSON object or empty."""
    if text is None or not text.strip():
        return ""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as problem:
        return f"the arguments of {name} are not valid JSON ({problem}); send one JSON object"
    if not isinstance(value, dict):
        return f"the arguments of {name} are a JSON {type(value).__name__}; send one JSON object"
    if is_too_deep(value):
        return f"the arguments of {name} are nested more than {DEEPEST} deep; send one plain JSON object"
    return ""


def make_whole(output: ModelOutput) -> None:
    for choice in output.choices:
        sent = choice.message.model_dump()
        clean = whole(sent)
        if clean != sent:
            choice.message = ChatMessageAssistant.model_validate(clean)
    output.completion = whole(output.completion)


def whole(value: Any) -> Any:
    """The same value with every half of a surrogate pair replaced by a question mark."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {whole(key): whole(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [whole(entry) for entry in value]
    return value
