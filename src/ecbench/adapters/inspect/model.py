"""The model of an evaluation as a player's model, by Inspect's public interface alone (docs/models.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentReasoning,
    Model,
    ModelUsage,
)
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams

from ecbench.harness.messages import Answer, Call, Message, ModelFailure, Usage, legal_id, legal_name
from ecbench.ranges import TOKENS

_DERIVED = {"tool_calls", "role", "source"}  # from the calls, or the same for every answer
_REFUSED = ("content_filter", "model_length")  # stop reasons for which the text is the provider's


@dataclass(slots=True)
class EvaluationModel:
    """A model of the current evaluation, whose settings, log and failures are Inspect's."""

    model: Model
    tools: list[ToolInfo]
    _forms: WeakKeyDictionary[Message, ChatMessage] = field(default_factory=WeakKeyDictionary)

    async def answer(self, messages: Sequence[Message]) -> Answer:
        """The next turn. Raises Inspect's own errors, and `ModelFailure` where the provider answered itself."""
        started = monotonic()
        output = await self.model.generate(self.forms(messages), self.tools)
        if output.stop_reason in _REFUSED:
            raise ModelFailure(f"{self.model}: the provider stopped the answer ({output.stop_reason})")
        said = output.message
        taken = {call.id for message in messages for call in message.calls}
        calls = []
        for call in said.tool_calls or ():
            calls.append(Call(legal_id(call.id, taken), call.function, call.arguments, call.parse_error or ""))
            taken.add(calls[-1].id)
        said.tool_calls = _tool_calls(calls)
        message = Message("assistant", said.text, _reasoning(said), tuple(calls), native=_native(said))
        self._forms[message] = said
        seconds = round(monotonic() - started, 3)
        return Answer(message, _usage(output.usage), seconds, output.stop_reason, model=output.model)

    def forms(self, messages: Sequence[Message]) -> list[ChatMessage]:
        """The messages in Inspect's form; the same message always gives the same object."""
        return [self._form(message) for message in messages]

    def _form(self, message: Message) -> ChatMessage:
        form = self._forms.get(message)
        if form is None:
            form = self._forms[message] = _chat_message(message)
        return form


def tool_info(schema: Mapping[str, Any]) -> ToolInfo:
    """One function-style schema in Inspect's form."""
    function = schema["function"]
    return ToolInfo(
        name=function["name"],
        description=function["description"],
        parameters=ToolParams.model_validate(function["parameters"]),
    )


def _chat_message(message: Message) -> ChatMessage:
    match message.role:
        case "system":
            return ChatMessageSystem(content=message.text)
        case "user":
            return ChatMessageUser(content=message.text)
        case "tool" if message.answers is not None:
            call = message.answers
            return ChatMessageTool(content=message.text, tool_call_id=call.id, function=legal_name(call.name))
        case "assistant":
            native = {"content": message.text} | dict(message.native or {})
            return ChatMessageAssistant.model_validate(native | {"tool_calls": _tool_calls(message.calls)})
    raise ValueError("a tool message must name the call it answers")


def _tool_calls(calls: Sequence[Call]) -> list[ToolCall] | None:
    return [ToolCall(call.id, legal_name(call.name), call.arguments, call.problem or None) for call in calls] or None


def _reasoning(said: ChatMessageAssistant) -> str:
    """A redacted trace is opaque; only its summary can be read and counted."""
    parts = said.content if isinstance(said.content, list) else []
    found = [part for part in parts if isinstance(part, ContentReasoning)]
    return "\n".join((part.summary or "") if part.redacted else part.reasoning for part in found)


def _native(said: ChatMessageAssistant) -> dict[str, Any] | None:
    """None if text and calls hold everything."""
    if isinstance(said.content, str) and not said.metadata:
        return None
    return said.model_dump(mode="json", exclude_none=True, exclude=_DERIVED)


def _usage(reported: ModelUsage | None) -> Usage:
    if reported is None:
        return Usage()
    counts = (
        reported.input_tokens,
        reported.output_tokens,
        reported.input_tokens_cache_read or 0,
        reported.input_tokens_cache_write or 0,
        reported.reasoning_tokens or 0,
    )
    return Usage(*counts, cost=reported.total_cost) if all(count in TOKENS for count in counts) else Usage()
