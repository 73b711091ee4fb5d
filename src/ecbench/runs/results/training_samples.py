"""Runs as training data: one sample for each context window, in OpenAI's fine-tuning format or as ATIF 1.8."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from ecbench import __version__
from ecbench.errors import RunError
from ecbench.harness.messages import Call, Message
from ecbench.players.turn import Turn
from ecbench.runs.folder import Run
from ecbench.runs.record.atomic_folder import refuse_used, write_folder
from ecbench.runs.results.context_windows import ContextWindow, ExportedYear, WindowMessage, exported_year
from ecbench.runs.results.export import refuse_damage

CANARY = "ecbench-canary-7c1f0a52-9d3e-4b86-a1c4-5e2f8b0d6937"
"""In every sample: filter a training set for it to keep ecbench's worlds out. It is a valid name of a message."""
ATIF = "ATIF-v1.8"
ATIF_SUFFIX = ".json"
ATIF_SOURCES = {"system": "system", "user": "user", "assistant": "agent"}
ALIASES = {"messages": "openai"}

Fields = dict[str, Any]
TurnCredits = Mapping[int, Mapping[str, Any]]
"""By the number of a turn at its seat: what the turn cost, and what the engine says before and after it."""
FindCredits = Callable[[Run, int], TurnCredits]


def no_credits(_run: Run, _episode: int) -> TurnCredits:
    """The default: credit is computed only on request."""
    return {}


def export_training(
    entries: Mapping[str, Run], folder: Path, form: str, *, whole: bool = False, credits: FindCredits = no_credits
) -> list[Path]:
    """Write the years of runs as training data into a folder that is empty or missing, each run into one of its name.

    A JSON lines file for each run, or a file for each trajectory of ATIF. Samples are written one by one, and nothing
    stays where one fails. Raises RunError, also where there is no turn to export.
    """
    form = ALIASES.get(form, form)
    refuse_used(folder)
    for run in entries.values():
        refuse_damage(run)
    return write_folder(folder, _files(entries, form, whole=whole, credits=credits))


def _files(
    entries: Mapping[str, Run], form: str, *, whole: bool, credits: FindCredits
) -> Iterator[tuple[str, Iterable[bytes]]]:
    for name, run in entries.items():
        samples = _samples(run, form, whole=whole, credits=credits)
        first = next(samples, None)
        if first is None:
            raise RunError(f"{run.folder}: not one turn is recorded, so there is nothing to export")
        if form != "atif":
            yield str(Path(name, f"{form}.jsonl")), (_line(each) for each in chain([first], samples))
            continue
        for each in chain([first], samples):
            yield str(Path(name, each["trajectory_id"] + ATIF_SUFFIX)), [_line(each)]


def _samples(run: Run, form: str, *, whole: bool, credits: FindCredits) -> Iterator[Fields]:
    for episode, world in run.on_their_worlds(range(run.episodes)):
        year = exported_year(run, episode, world, whole=whole)
        if year.turns:
            yield from TRAINING_FORMATS[form](year, credits(run, episode))


def _line(sample: Fields) -> bytes:
    """One line of JSON. Half of a surrogate pair, which no trainer reads, becomes a question mark."""
    return _json_text(sample).encode(errors="replace") + b"\n"


def _json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _facts(year: ExportedYear, window: ContextWindow) -> Fields:
    """Where a window came from and how its year ended; None while it has not."""
    terms, end = year.terms, year.end
    return {
        "canary": CANARY,
        "agent": year.run.label,
        "world": terms.world.name,
        "world_id": terms.world.id,
        "rules": terms.rule_set,
        "days": terms.days,
        "stake": terms.stake,
        "episode": year.episode,
        "ending": end.ending if end else None,
        "final_assets": end.assets if end else None,
        "window": window.number,
        "turns": window.new_turns,
    }


def openai_samples(year: ExportedYear, credits: TurnCredits) -> Iterator[Fields]:
    """`messages` with a weight for each turn, and `tools`. The format has no `metadata`, which is added with credit."""
    tools = year.tools
    for window in year.windows():
        sample = {"messages": list(map(_message, window.messages)), "tools": tools, "parallel_tool_calls": True}
        if credits:
            credit = [{"turn": turn, **credits[turn]} for turn in window.new_turns]
            sample["metadata"] = _facts(year, window) | {"credit": credit}
        yield sample


def _message(each: WindowMessage) -> Fields:
    message = each.message
    if message.answers is not None:
        return {"role": "tool", "tool_call_id": message.answers.id, "content": message.text}
    if message.role != "assistant":
        canary = {"name": CANARY} if message.role == "system" else {}
        return {"role": message.role, **canary, "content": message.text}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": _json_text(call.arguments)}}
        for call in message.calls
    ]
    said: Fields = {"role": "assistant", "content": message.text or (None if calls else "")}
    return said | ({"tool_calls": calls} if calls else {}) | {"weight": int(each.new)}


def atif_trajectories(year: ExportedYear, credits: TurnCredits) -> Iterator[Fields]:
    """A trajectory for each window, which names the next; `trajectory_id` is the name of its file without suffix."""
    model = {"model_name": year.run.player.agent} if year.by_model else {}
    agent = {"name": "ecbench", "version": __version__, **model, "tool_definitions": year.tools}
    turns = {turn.state.turn: turn for turn in year.turns if turn.state}
    for window in year.windows():
        following = _identifier(year, window.number + 1) + ATIF_SUFFIX
        yield {
            "schema_version": ATIF,
            "session_id": year.name,
            "trajectory_id": _identifier(year, window.number),
            "agent": agent,
            "steps": _steps(year, window, turns, credits),
            "notes": CANARY,
            **({} if window.last else {"continued_trajectory_ref": following}),
            "extra": _facts(year, window),
        }


def _identifier(year: ExportedYear, number: int) -> str:
    return f"{year.name}-window-{number}"


def _steps(year: ExportedYear, window: ContextWindow, turns: dict[int, Turn], credits: TurnCredits) -> list[Fields]:
    """Tool messages are the observation of the step whose calls they answer."""
    steps: list[Fields] = []
    for each in (*window.messages, *map(WindowMessage, window.replies)):
        message = each.message
        if message.answers is not None:
            result = {"source_call_id": message.answers.id, "content": message.text}
            steps[-1].setdefault("observation", {"results": []})["results"].append(result)
            continue
        step: Fields = {"step_id": len(steps) + 1, "source": ATIF_SOURCES[message.role], "message": message.text}
        if message.role == "assistant":
            step |= _agent_fields(message, turns[each.turn], by_model=year.by_model)
            step["extra"] = {"turn": each.turn, **(credits.get(each.turn, {}) if each.new else {})}
        if each.copied:
            step["is_copied_context"] = True
        steps.append(step)
    return steps


def _agent_fields(message: Message, turn: Turn, *, by_model: bool) -> Fields:
    """A script has no model calls, and therefore neither usage nor reasoning."""
    assert turn.state is not None, "only complete turns are exported"
    fields: Fields = {"timestamp": turn.state.time, "llm_call_count": int(by_model)}
    if message.calls:
        fields["tool_calls"] = [
            {"tool_call_id": call.id, "function_name": call.name, "arguments": _object_arguments(call)}
            for call in message.calls
        ]
    if by_model and message.reasoning:
        fields["reasoning_content"] = message.reasoning
    return fields


def _object_arguments(call: Call) -> Fields:
    """The tool refused arguments that are JSON but not an object; ATIF asks for an object, so they become empty."""
    return call.arguments if isinstance(call.arguments, dict) else {}


TRAINING_FORMATS: Mapping[str, Callable[[ExportedYear, TurnCredits], Iterator[Fields]]] = {
    "openai": openai_samples,
    "atif": atif_trajectories,
}
