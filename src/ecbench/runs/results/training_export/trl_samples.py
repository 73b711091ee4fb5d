"""TRL's conversational format with `prompt`, `completion` and `tools`, which prime-rl's loader reads, too.

TRL knows no weights. The turns of earlier windows are in the prompt, those of this window in the completion: with
`completion_only_loss` and `assistant_only_loss` each turn is trained on once.
"""

from collections.abc import Iterator
from typing import Any

from ecbench.harness.messages import Message
from ecbench.runs.results.training_export.context_windows import ExportedYear, object_arguments
from ecbench.runs.results.training_export.openai_samples import json_text
from ecbench.runs.results.training_export.sample_facts import CANARY, TurnCredits, credits_of, sample_facts


def trl_samples(year: ExportedYear, credits: TurnCredits) -> Iterator[dict[str, Any]]:
    """A sample for each window. Tools are JSON text: as a column, all would get the parameters of all."""
    tools = json_text(year.tools)
    for window in year.windows():
        first = next(place for place, each in enumerate(window.messages) if each.new)
        messages = [_message(each.message) for each in window.messages]
        facts = sample_facts(year, window)
        del facts["canary"]
        credit = {"credit": json_text(credits_of(window.new_turns, credits))} if credits else {}
        yield {
            "prompt": messages[:first],
            "completion": messages[first:],
            "tools": tools,
            "canary": CANARY,
            "metadata": facts,
            **credit,
        }


def _message(message: Message) -> dict[str, Any]:
    if message.answers is not None:
        call = message.answers
        return {"role": "tool", "name": call.name, "tool_call_id": call.id, "content": message.text}
    said: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.reasoning:
        said["reasoning_content"] = message.reasoning
    if message.calls:
        said["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": object_arguments(call)}}
            for call in message.calls
        ]
    return said
