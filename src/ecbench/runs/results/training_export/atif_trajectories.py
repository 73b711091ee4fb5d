"""ATIF 1.8, the agent trajectory interchange format: a document for each window, which names the next one."""

from collections.abc import Iterator
from typing import Any

from ecbench import __version__
from ecbench.harness.messages import Message
from ecbench.players.turn import Turn
from ecbench.runs.results.training_export.context_windows import (
    ContextWindow,
    ExportedYear,
    WindowMessage,
    object_arguments,
)
from ecbench.runs.results.training_export.sample_facts import CANARY, TurnCredits, sample_facts

VERSION = "ATIF-v1.8"
SUFFIX = ".json"
SOURCES = {"system": "system", "user": "user", "assistant": "agent"}

Step = dict[str, Any]


def atif_trajectories(year: ExportedYear, credits: TurnCredits) -> Iterator[dict[str, Any]]:
    """A trajectory for each window; `trajectory_id` is the name of its file without the suffix."""
    model = {"model_name": year.run.player.agent} if year.by_model else {}
    agent = {"name": "ecbench", "version": __version__, **model, "tool_definitions": year.tools}
    turns = {turn.state.turn: turn for turn in year.turns if turn.state}
    for window in year.windows():
        following = _identifier(year, window.number + 1) + SUFFIX
        yield {
            "schema_version": VERSION,
            "session_id": year.name,
            "trajectory_id": _identifier(year, window.number),
            "agent": agent,
            "steps": _steps(year, window, turns, credits),
            "notes": CANARY,
            **({} if window.last else {"continued_trajectory_ref": following}),
            "extra": sample_facts(year, window),
        }


def _identifier(year: ExportedYear, number: int) -> str:
    return f"{year.name}-window-{number}"


def _steps(year: ExportedYear, window: ContextWindow, turns: dict[int, Turn], credits: TurnCredits) -> list[Step]:
    """Tool messages are the observation of the step whose calls they answer."""
    steps: list[Step] = []
    for each in (*window.messages, *map(WindowMessage, window.replies)):
        message = each.message
        if message.answers is not None:
            result = {"source_call_id": message.answers.id, "content": message.text}
            steps[-1].setdefault("observation", {"results": []})["results"].append(result)
            continue
        step: Step = {"step_id": len(steps) + 1, "source": SOURCES[message.role], "message": message.text}
        if message.role == "assistant":
            step |= _agent_fields(message, turns[each.turn], by_model=year.by_model)
            step["extra"] = {"turn": each.turn, **(credits.get(each.turn, {}) if each.new else {})}
        if each.copied:
            step["is_copied_context"] = True
        steps.append(step)
    return steps


def _agent_fields(message: Message, turn: Turn, *, by_model: bool) -> Step:
    """A script has no model calls, and therefore neither usage nor reasoning."""
    assert turn.state is not None, "only complete turns are exported"
    fields: Step = {"timestamp": turn.state.time, "llm_call_count": int(by_model)}
    if message.calls:
        fields["tool_calls"] = [
            {"tool_call_id": call.id, "function_name": call.name, "arguments": object_arguments(call)}
            for call in message.calls
        ]
    if by_model and message.reasoning:
        fields["reasoning_content"] = message.reasoning
    return fields
