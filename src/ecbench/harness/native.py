"""An answer as its provider wants it back, in a form that can be written down.

A provider takes back its own blocks or none: reasoning with its signature, items with their ids, calls in the places
where they stood. Inspect keeps part of that in the message and part in tables beside it, which last as long as the
process. Here both become `Message.native`, and what goes out is always made from there: a year that was broken off
and gone on with asks exactly what it would have asked.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentReasoning,
)
from inspect_ai.tool import ToolCall

from ecbench.harness.messages import Call, Message
from ecbench.harness.reading import whole

Tables = dict[str, dict[str, Any]]
"""What providers keep beside the messages: by provider and table."""

# Who keeps such tables, as Inspect's own checkpoints know them.
_KEEPERS = {"openai": "inspect_ai.model._openai_responses", "anthropic": "inspect_ai.model._providers.anthropic"}

BESIDE = "beside"
_FOLLOWS = {"tool_calls", "role", "source"}  # from the calls, or the same for every answer


def clear_tables() -> None:
    """From here on this task's tables hold nothing."""
    for provider, keeper in _keepers():
        vars(keeper)[f"init_sample_{provider}_assistant_internal"]()


def fill_tables(messages: Sequence[Message]) -> Tables:
    """Put back what these messages need beside them, and return the tables as they then are."""
    for provider, keeper in _keepers():
        fill = vars(keeper)[f"init_sample_{provider}_assistant_internal"]
        for message in messages:
            beside = message.native.get(BESIDE) if message.native else None
            if beside and provider in beside:
                fill(beside[provider])
    return _tables()


def assistant_message(said: ChatMessageAssistant, before: Tables) -> Message:
    """The answer in the loop's form. `before` is what `fill_tables` returned ahead of the request."""
    parts = said.content if isinstance(said.content, list) else []
    reasoning = [part for part in parts if isinstance(part, ContentReasoning)]
    beside = _needed(_added(before, _tables()), said)
    calls = tuple(
        Call(call.id, call.function, call.arguments, call.parse_error or "") for call in said.tool_calls or ()
    )
    return Message(
        role="assistant",
        text=said.text,
        # A redacted trace is opaque to us; at most its summary can be read and counted.
        reasoning="\n".join((part.summary or "") if part.redacted else part.reasoning for part in reasoning),
        calls=calls,
        native=_native(said, calls, beside),
    )


def chat_message(message: Message) -> ChatMessage:
    """The message as Inspect has it."""
    match message.role:
        case "system":
            return ChatMessageSystem(content=message.text)
        case "user":
            return ChatMessageUser(content=message.text)
        case "tool" if message.answers is not None:
            return ChatMessageTool(content=message.text, tool_call_id=message.answers.id, function=message.answers.name)
        case "assistant":
            calls = {"tool_calls": _tool_calls(message.calls)}
            native = message.native or {"content": message.text}
            return ChatMessageAssistant.model_validate(calls | {k: v for k, v in native.items() if k != BESIDE})
    raise ValueError("a tool message must name the call it answers")


def _native(said: ChatMessageAssistant, calls: tuple[Call, ...], beside: Tables) -> dict[str, Any] | None:
    """Nothing where text and calls hold it all."""
    if isinstance(said.content, str) and not said.metadata and not beside:
        return None
    kept = _FOLLOWS if _same_calls(said, calls) else _FOLLOWS - {"tool_calls"}
    native = said.model_dump(mode="json", exclude_none=True, exclude=kept)
    return native | {BESIDE: beside} if beside else native


def _tool_calls(calls: tuple[Call, ...]) -> list[ToolCall] | None:
    return [ToolCall(call.id, call.name, call.arguments, call.problem or None) for call in calls] or None


def _same_calls(said: ChatMessageAssistant, calls: tuple[Call, ...]) -> bool:
    """A call of another type than a function's, or with anything else to it, does not follow from ours."""
    return all(
        (call.id, call.function, call.arguments, call.type) == (made.id, made.function, made.arguments, made.type)
        for call, made in zip(said.tool_calls or (), _tool_calls(calls) or (), strict=True)
    )


def _keepers() -> Iterator[tuple[str, ModuleType]]:
    """A provider that nobody has loaded has nothing to keep, and takes a second to load."""
    for provider, module in _KEEPERS.items():
        if module in sys.modules:
            yield provider, sys.modules[module]


def _tables() -> Tables:
    dumped = {name: vars(keeper)[f"dump_{name}_assistant_internal"]() for name, keeper in _keepers()}
    return {name: tables for name, tables in dumped.items() if tables}


def _added(before: Tables, after: Tables) -> Tables:
    """What an answer added. An entry under an old name is new all the same; a list is kept whole when it changed."""
    added: Tables = {}
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


def _needed(added: Tables, said: ChatMessageAssistant) -> Tables:
    """Without what Inspect makes again from the message itself, so that a record does not hold it twice."""
    trimmed = {**added, "anthropic": _trimmed(added.get("anthropic", {}), said)}
    return {provider: whole(tables) for provider, tables in trimmed.items() if tables}


def _trimmed(tables: Mapping[str, Any], said: ChatMessageAssistant) -> dict[str, Any]:
    """Plain thinking follows from its summary and signature, a tool's name from its call, the last place from none."""
    parts = said.content if isinstance(said.content, list) else [said.content]
    rebuilt = [
        {"type": "thinking", "thinking": part.summary, "signature": part.reasoning}
        for part in parts
        if isinstance(part, ContentReasoning)
    ]
    spared: dict[str, Sequence[Any]] = {
        "thinking_blocks": rebuilt,
        "tool_call_internal_names": [None],
        "client_tool_call_positions": [len(parts)],
    }
    kept = {
        name: {key: entry for key, entry in table.items() if entry not in spared[name]} if name in spared else table
        for name, table in tables.items()
    }
    return {name: table for name, table in kept.items() if table}
