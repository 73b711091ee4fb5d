"""The ATIF export of a run, checked by Harbor's validator and converted for TRL and verifiers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harbor.utils.trajectory_validator import TrajectoryValidator

Fields = dict[str, Any]
ROLES = {"system": "system", "user": "user", "agent": "assistant"}
SHARED = 2  # messages that all windows of an episode begin with: the system message and the first user message


def trajectories(folder: Path) -> list[Fields]:
    """The windows of an export in their order. Raises ValueError with what Harbor's validator finds wrong."""
    found = []
    for path in folder.iterdir():
        validator = TrajectoryValidator()
        if not validator.validate(path):
            raise ValueError("; ".join(validator.errors))
        found.append(json.loads(path.read_text()))
    return sorted(found, key=lambda each: (each["extra"]["episode"], each["extra"]["window"]))


def is_new(step: Fields) -> bool:
    """Whether the agent made this turn in this window: it is trained on here, and context in later windows."""
    return step["source"] == "agent" and not step.get("is_copied_context")


def trl_samples(folder: Path) -> Iterator[Fields]:
    """A sample for each window, to train on with `completion_only_loss` and `assistant_only_loss`.

    The turns of earlier windows are in the prompt, those of this window in the completion.
    """
    for window in trajectories(folder):
        messages = list(_messages(window["steps"]))
        first = next(index for index, (step, _) in enumerate(messages) if is_new(step))
        chat = [message for _, message in messages]
        yield {
            "prompt": chat[:first],
            "completion": chat[first:],
            "tools": json.dumps(window["agent"]["tool_definitions"]),  # as a column, each would get all parameters
            "canary": window["notes"],
        }


def verifiers_episodes(folder: Path) -> Iterator[Fields]:
    """An episode with one trace for each year; a window is a branch of its nodes, of which `sampled` are trained on."""
    years: dict[str, list[Fields]] = {}
    for window in trajectories(folder):
        years.setdefault(window["session_id"], []).append(window)
    for name, windows in years.items():
        facts, nodes = windows[0]["extra"], _nodes(windows)
        task = {"type": "Year", "data": {"idx": facts["episode"], "name": name}}
        assets = facts["final_assets"]
        reward = None if assets is None else {"score": assets / facts["stake"], "weight": 1.0}
        trace = {
            "version": 1,
            "id": name,
            "verifiers": {"version": "0.4.0"},
            "task": task,
            "agent": {"config": {}, "name": facts["agent"]},
            "tools": nodes[0]["tools"],
            "nodes": nodes,
            "rewards": {"multiple": reward},
            "metrics": {"final_assets": assets},
            "info": facts,
            "is_completed": assets is not None,
            "ok": assets is not None,
            "stop_condition": facts["ending"],
            "timing": {"start": 0.0},
        }
        yield {"id": name, "env": {"id": "ecbench"}, "task": task, "ok": trace["ok"], "traces": [trace]}


def _nodes(windows: list[Fields]) -> list[Fields]:
    tools = [{"type": "function", **tool["function"]} for tool in windows[0]["agent"]["tool_definitions"]]
    nodes: list[Fields] = []
    for number, window in enumerate(windows):
        messages = list(_messages(window["steps"], arguments_as_text=True))
        parent = SHARED - 1 if number else None
        for step, message in messages[SHARED if number else 0 :]:
            sampled = is_new(step) and message["role"] == "assistant"
            root = {} if nodes else {"tools": tools}
            nodes.append({"parent": parent, "message": message, "sampled": sampled, "timestamp": 0.0, **root})
            parent = len(nodes) - 1
    return nodes


def _messages(steps: list[Fields], *, arguments_as_text: bool = False) -> Iterator[tuple[Fields, Fields]]:
    """Each message with its step; the replies to the last turn are left out, since no turn of the window read them."""
    for step in steps:
        calls = step.get("tool_calls", [])
        message: Fields = {"role": ROLES[step["source"]], "content": step["message"]}
        if "reasoning_content" in step:
            message["reasoning_content"] = step["reasoning_content"]
        if calls:
            message["tool_calls"] = [_call(call, as_text=arguments_as_text) for call in calls]
        yield step, message
        if step is steps[-1]:
            return
        names = {call["tool_call_id"]: call["function_name"] for call in calls}
        for result in step.get("observation", {"results": []})["results"]:
            identifier = result["source_call_id"]
            reply = {
                "role": "tool",
                "name": names[identifier],
                "tool_call_id": identifier,
                "content": result["content"],
            }
            yield {"source": "tool"}, reply


def _call(call: Fields, *, as_text: bool) -> Fields:
    """As verifiers has it, with arguments as text, or as TRL's chat templates do, with an object."""
    if as_text:
        return {"id": call["tool_call_id"], "name": call["function_name"], "arguments": json.dumps(call["arguments"])}
    function = {"name": call["function_name"], "arguments": call["arguments"]}
    return {"id": call["tool_call_id"], "type": "function", "function": function}
