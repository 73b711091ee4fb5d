"""Tool arguments, read strictly.

Inspect mends arguments that are not JSON: a bare word becomes the tool's first argument, stray quotes are dropped.
That would let one model's slips through where another's fail, so the texts that the provider sent are read again
and anything but a JSON object fails its call.
"""

import json
from collections.abc import Mapping
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelCall, ModelOutput
from inspect_ai.tool import ToolChoice, ToolInfo

Generated = ModelOutput | tuple[ModelOutput | Exception, ModelCall]


def read_arguments_strictly(api: ModelAPI) -> None:
    """From now on this provider's tool calls carry a parse error wherever their text is not a JSON object."""
    lenient = api.generate

    async def generate(
        input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> Generated:
        result = await lenient(input, tools, tool_choice, config)
        if isinstance(result, tuple) and isinstance(result[0], ModelOutput):
            mark_unreadable(result[0], result[1].response or {})
        return result

    # Inspect offers no place between a provider and its reading of the arguments.
    api.generate = generate  # type: ignore[method-assign]


def mark_unreadable(output: ModelOutput, response: Mapping[str, Any]) -> None:
    calls = (output.choices[0].message.tool_calls or []) if output.choices else []
    texts = sent_arguments(response)
    if len(texts) != len(calls):
        return
    for call, text in zip(calls, texts, strict=True):
        problem = unreadable(call.function, text)
        if problem:
            call.arguments, call.parse_error = {}, problem


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
    return ""
