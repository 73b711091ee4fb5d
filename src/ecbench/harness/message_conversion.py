"""Messages between our form and Inspect's, with everything that a provider wants back.

A provider takes back its own blocks or none: reasoning with its signature, items with their ids, calls in their
places. Inspect keeps part of that in the message and part in provider state that lasts as long as the process. Both
become `Message.native`, and requests are always built from there: a resumed year sends exactly what it would have
sent.

A name or an id that a strict server rejects would come back in every later request. Requests therefore hold legal
ones, and each id once; `Call.name` keeps the name as the model wrote it.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, count
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentReasoning,
    ModelOutput,
)
from inspect_ai.tool import ToolCall

from ecbench.harness.inspect_internals import ProviderState, provider_state, restore_provider_state
from ecbench.harness.messages import Call, Message
from ecbench.harness.response_parsing import replace_surrogates, written_arguments

STATE = "beside"  # the key of provider state in `Message.native`
_DERIVED = {"tool_calls", "role", "source"}  # from the calls, or the same for every answer
LONGEST_NAME = 64  # characters of a tool's name that every provider takes
_ILLEGAL = re.compile(r"[^a-zA-Z0-9_-]")


def restore_state(messages: Sequence[Message]) -> ProviderState:
    """Restore the provider state that these messages need, and return all of it."""
    for message in messages:
        if message.native and STATE in message.native:
            restore_provider_state(message.native[STATE])
    return provider_state()


def assistant_message(output: ModelOutput, before: ProviderState, messages: Sequence[Message] = ()) -> Message:
    """The answer to these messages in our form. `before` is what `restore_state` returned ahead of the request."""
    said, written = output.message, written_arguments(output)
    as_written = [(call.function, written.get(call.id, "")) for call in said.tool_calls or ()]
    _make_legal(said, {call.id for message in messages for call in message.calls})
    parts = said.content if isinstance(said.content, list) else []
    reasoning = [part for part in parts if isinstance(part, ContentReasoning)]
    calls = tuple(
        Call(call.id, name, call.arguments, call.parse_error or "", arguments)
        for call, (name, arguments) in zip(said.tool_calls or (), as_written, strict=True)
    )
    return Message(
        role="assistant",
        text=said.text,
        # A redacted trace is opaque; only its summary can be read and counted.
        reasoning="\n".join((part.summary or "") if part.redacted else part.reasoning for part in reasoning),
        calls=calls,
        native=_native(said, calls, _state_to_store(_added(before, provider_state()), said)),
    )


def chat_message(message: Message) -> ChatMessage:
    """The message in Inspect's form."""
    match message.role:
        case "system":
            return ChatMessageSystem(content=message.text)
        case "user":
            return ChatMessageUser(content=message.text)
        case "tool" if message.answers is not None:
            call = message.answers
            return ChatMessageTool(content=message.text, tool_call_id=call.id, function=legal_name(call.name))
        case "assistant":
            calls = {"tool_calls": _tool_calls(message.calls)}
            native = message.native or {"content": message.text}
            return ChatMessageAssistant.model_validate(calls | {k: v for k, v in native.items() if k != STATE})
    raise ValueError("a tool message must name the call it answers")


def legal_name(name: str) -> str:
    """The name of a tool as every provider takes it back, whatever the model wrote."""
    return _ILLEGAL.sub("_", name.strip())[:LONGEST_NAME] or "unnamed"


def _make_legal(said: ChatMessageAssistant, taken: set[str]) -> None:
    """Give each call a legal name, and a legal id that no other call of the conversation has."""
    for call in said.tool_calls or ():
        call.function, call.id = legal_name(call.function), _legal_id(call.id or "", taken)
        taken.add(call.id)


def _legal_id(given: str, taken: Collection[str]) -> str:
    legal = _ILLEGAL.sub("_", given.strip()) or "call"
    return next(each for each in chain((legal,), (f"{legal}_{number}" for number in count(2))) if each not in taken)


def _native(said: ChatMessageAssistant, calls: tuple[Call, ...], state: ProviderState) -> dict[str, Any] | None:
    """None where text and calls hold everything."""
    if isinstance(said.content, str) and not said.metadata and not state:
        return None
    excluded = _DERIVED if _same_calls(said, calls) else _DERIVED - {"tool_calls"}
    native = said.model_dump(mode="json", exclude_none=True, exclude=excluded)
    return native | {STATE: state} if state else native


def _tool_calls(calls: tuple[Call, ...]) -> list[ToolCall] | None:
    return [ToolCall(call.id, legal_name(call.name), call.arguments, call.problem or None) for call in calls] or None


def _same_calls(said: ChatMessageAssistant, calls: tuple[Call, ...]) -> bool:
    """Whether Inspect's calls can be rebuilt from ours; those of another type than a function's cannot."""
    return all(
        (call.id, call.function, call.arguments, call.type) == (made.id, made.function, made.arguments, made.type)
        for call, made in zip(said.tool_calls or (), _tool_calls(calls) or (), strict=True)
    )


def _added(before: ProviderState, after: ProviderState) -> ProviderState:
    """The state that one answer added. An entry that replaced another counts; a list is kept whole if it changed."""
    added: ProviderState = {}
    for provider, tables in after.items():
        known = before.get(provider, {})
        entries = {name: _new(known.get(name), table) for name, table in tables.items()}
        added[provider] = {name: table for name, table in entries.items() if table}
    return added


def _new(then: Any, now: Any) -> Any:
    if isinstance(now, Mapping):
        known = then or {}
        return {key: entry for key, entry in now.items() if key not in known or known[key] is not entry}
    return None if now == then else now


def _state_to_store(added: ProviderState, said: ChatMessageAssistant) -> ProviderState:
    """Without what Inspect rebuilds from the message itself, so that a record does not hold it twice."""
    trimmed = {**added, "anthropic": _trimmed(added.get("anthropic", {}), said)}
    return {provider: replace_surrogates(tables) for provider, tables in trimmed.items() if tables}


def _trimmed(tables: Mapping[str, Any], said: ChatMessageAssistant) -> dict[str, Any]:
    """Inspect rebuilds plain thinking from its summary and signature, a missing internal name, and the last place."""
    parts = said.content if isinstance(said.content, list) else [said.content]
    rebuilt: dict[str, Sequence[Any]] = {
        "thinking_blocks": [
            {"type": "thinking", "thinking": part.summary, "signature": part.reasoning}
            for part in parts
            if isinstance(part, ContentReasoning)
        ],
        "tool_call_internal_names": [None],
        "client_tool_call_positions": [len(parts)],
    }
    kept = {
        name: {key: entry for key, entry in table.items() if entry not in rebuilt[name]} if name in rebuilt else table
        for name, table in tables.items()
    }
    return {name: table for name, table in kept.items() if table}
