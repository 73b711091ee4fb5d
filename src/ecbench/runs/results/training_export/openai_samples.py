"""OpenAI's fine-tuning format: `messages` with a weight for each turn, and `tools`."""

import json
from collections.abc import Iterator
from typing import Any

from ecbench.runs.results.training_export.context_windows import ExportedYear, WindowMessage
from ecbench.runs.results.training_export.sample_facts import CANARY, TurnCredits, credits_of, sample_facts


def openai_samples(year: ExportedYear, credits: TurnCredits) -> Iterator[dict[str, Any]]:
    """A sample for each window. `metadata` is there only with credit, since the format has no such field."""
    tools = year.tools
    for window in year.windows():
        sample = {
            "messages": [_message(each) for each in window.messages],
            "tools": tools,
            "parallel_tool_calls": True,
        }
        if credits:
            sample["metadata"] = sample_facts(year, window) | {"credit": credits_of(window.new_turns, credits)}
        yield sample


def _message(each: WindowMessage) -> dict[str, Any]:
    message = each.message
    if message.answers is not None:
        return {"role": "tool", "tool_call_id": message.answers.id, "content": message.text}
    if message.role != "assistant":
        canary = {"name": CANARY} if message.role == "system" else {}
        return {"role": message.role, **canary, "content": message.text}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": json_text(call.arguments)}}
        for call in message.calls
    ]
    said: dict[str, Any] = {"role": "assistant", "content": message.text or (None if calls else "")}
    return said | ({"tool_calls": calls} if calls else {}) | {"weight": int(each.new)}


def json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
