"""Traces of verifiers: an episode a line. Each window is a branch of the message graph, and a branch is a sample."""

from collections.abc import Iterator
from typing import Any

from ecbench.harness.messages import Message
from ecbench.runs.results.training_export.context_windows import ExportedYear
from ecbench.runs.results.training_export.openai_samples import json_text
from ecbench.runs.results.training_export.sample_facts import TurnCredits, credits_of, year_facts

VERIFIERS = "0.4.0"  # whose schema the traces have

Node = dict[str, Any]


def verifiers_episodes(year: ExportedYear, credits: TurnCredits) -> Iterator[dict[str, Any]]:
    """One episode with one trace; times are zero, so that equal runs give equal bytes."""
    nodes, turns = _nodes(year)
    if not nodes:
        return
    facts, end = year_facts(year), year.end
    growth = {"score": end.assets / year.terms.stake, "weight": 1.0} if end else None
    name = f"{facts['world']}-{facts['agent']}-{year.name}"
    task = {"type": "Year", "data": {"idx": year.episode, "name": name}}
    over = end is not None and not end.resumable
    trace = {
        "version": 1,
        "id": name,
        "verifiers": {"version": VERIFIERS},
        "task": task,
        "agent": {"config": {}, "name": facts["agent"]},
        "tools": nodes[0]["tools"],
        "nodes": nodes,
        "rewards": {"multiple": growth},
        "metrics": {"final_assets": facts["final_assets"], "turns": float(len(year.turns))},
        "info": facts | ({"credit": credits_of(turns, credits)} if credits else {}),
        "is_completed": over,
        "ok": over,
        "stop_condition": facts["ending"],
        "timing": {"start": 0.0},
    }
    yield {"id": name, "env": {"id": "ecbench"}, "task": task, "ok": over, "traces": [trace]}


def _nodes(year: ExportedYear) -> tuple[list[Node], list[int]]:
    """The graph, and the turns in the order of their sampled nodes.

    All branches share the system message and the first user message. A message that an eviction left is a new node
    behind them, and not sampled there.
    """
    tools = [{"type": "function", **tool["function"]} for tool in year.tools]
    nodes: list[Node] = []
    turns: list[int] = []
    for window in year.windows():
        parent: int | None = None
        for place, each in enumerate(window.messages):
            if window.number and place < 2:
                parent = place
                continue
            node: Node = {"parent": parent, "message": _message(each.message), "sampled": each.new, "timestamp": 0.0}
            nodes.append(node | ({} if parent is not None else {"tools": tools}))
            turns += [each.turn] if each.new else []
            parent = len(nodes) - 1
    return nodes, turns


def _message(message: Message) -> dict[str, Any]:
    if message.answers is not None:
        call = message.answers
        return {"role": "tool", "tool_call_id": call.id, "content": message.text, "name": call.name}
    if message.role != "assistant":
        return {"role": message.role, "content": message.text}
    said: dict[str, Any] = {"role": "assistant", "content": message.text}
    if message.reasoning:
        said["reasoning_content"] = message.reasoning
    if message.calls:
        said["tool_calls"] = [
            {"id": call.id, "name": call.name, "arguments": json_text(call.arguments)} for call in message.calls
        ]
    return said
