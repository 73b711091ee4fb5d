"""Runs as training data: one sample for each context window, in OpenAI's fine-tuning format or as ATIF 1.8."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ecbench import __version__
from ecbench.errors import RunError
from ecbench.extras import require_extra
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Answer, Message, answer_from_json
from ecbench.players.session import IDLE_LIMIT
from ecbench.players.turn import Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.model_settings import brief_of
from ecbench.runs.record.atomic_write import refuse_used, write_folder
from ecbench.runs.record.lines import End
from ecbench.runs.results.export import refuse_damage
from ecbench.runs.terms import rules_of
from ecbench.runs.verify.run_check import check_said, own_turns
from ecbench.tools import tool_schemas
from ecbench.world.model import World

CANARY = "ecbench-canary-7c1f0a52-9d3e-4b86-a1c4-5e2f8b0d6937"
"""In every sample: filter a training set for it to keep ecbench's worlds out. It is a valid name of a message."""
ATIF = "ATIF-v1.8"
ATIF_SUFFIX = ".json"
ATIF_SOURCES = {"system": "system", "user": "user", "assistant": "agent"}

Fields = dict[str, Any]
TurnCredits = Mapping[int, Mapping[str, Any]]
"""By the number of a turn at its seat: what the turn cost, and what the engine says before and after it."""
FindCredits = Callable[[Run, int], TurnCredits]
UNREADABLE = "unreadable"  # in place of the name of a call that has none


@dataclass(frozen=True, slots=True)
class WindowMessage:
    """A message of a window. An assistant's message has the number of its turn."""

    message: Message
    turn: int = 0
    copied: bool = False  # from the window before

    @property
    def new(self) -> bool:
        """Whether it is a turn that was made in this window; everything else is context."""
        return self.turn > 0 and not self.copied


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """What the agent had before it when it made the last turn of the window, and that turn."""

    number: int
    messages: Sequence[WindowMessage]  # the last one is the assistant's
    replies: Sequence[Message]  # to the last turn, which the agent saw in the next window
    last: bool

    @property
    def new_turns(self) -> list[int]:
        return [each.turn for each in self.messages if each.new]


@dataclass(frozen=True, slots=True)
class ExportedYear:
    """One year at the seat of a run's entry, to be written in any format."""

    run: Run
    episode: int
    brief: Brief
    turns: Mapping[int, Turn]  # by number: the agent's own complete ones, without those that a fork took over
    end: End | None
    credits: TurnCredits

    @classmethod
    def read(cls, run: Run, episode: int, world: World, credits: TurnCredits) -> "ExportedYear":
        """Raises RunError for a record that cannot be read, or has contexts that do not follow."""
        recording, seat = read_episode(run, episode), run.seat(episode)
        refuse_damage(recording.damage)
        check_said(run, episode, world, recording)
        turns = {turn.state.turn: turn for turn in own_turns(run, episode, recording) if turn.state is not None}
        brief = brief_of(run.terms_of(episode), seat, world, len(recording.complete_turns(seat)) - len(turns))
        return cls(run, episode, brief, turns, recording.end(seat), credits)

    @property
    def by_model(self) -> bool:
        """Whether our own loop asked a model, so that its context is known."""
        return self.run.player.own_loop

    @property
    def tools(self) -> list[Fields]:
        return tool_schemas(rules_of(self.run.terms))

    def windows(self) -> Iterator[ContextWindow]:
        """The contexts that the agent saw, in their order. Raises RunError."""
        from ecbench.harness.model_player import open_conversation, replayed_contexts

        talk = open_conversation(self.brief)
        answers = {number: _answer(number, turn) for number, turn in self.turns.items()}
        said = ((answer, self.turns[number].replies) for number, answer in answers.items())
        turn_of = {answer.message: number for number, answer in answers.items()}
        request: list[Message] = []
        number, opening, last = 0, frozenset[Message](), None

        def window(then: Sequence[Message], *, final: bool) -> ContextWindow:
            assert last is not None, "a window has a turn"
            messages = [WindowMessage(each, turn_of.get(each, 0), each in opening) for each in (*request, last)]
            return ContextWindow(number, messages, [each for each in then if each.answers in last.calls], final)

        contexts = replayed_contexts(talk, said, IDLE_LIMIT)
        for answer, (evictions, _) in zip(answers.values(), contexts, strict=True):
            now = talk.live()
            if evictions and last is not None:
                yield window(now, final=False)
                number, opening = number + 1, frozenset(now)
            request, last = now, answer.message
        yield window(talk.live(), final=True)

    def facts(self, window: ContextWindow) -> Fields:
        """Where a window came from and how its year ended; None while it has not."""
        terms, end = self.run.terms_of(self.episode), self.end
        return {
            "canary": CANARY,
            "agent": self.run.label,
            "world": terms.world.name,
            "world_id": terms.world.id,
            "rules": terms.rule_set,
            "days": terms.days,
            "stake": terms.stake,
            "episode": self.episode,
            "ending": end.ending if end else None,
            "final_assets": end.assets if end else None,
            "window": window.number,
            "turns": window.new_turns,
        }


def _answer(number: int, turn: Turn) -> Answer:
    """What the agent said. Calls are numbered, since ids may repeat; some chat templates ask for nine digits."""
    calls = [
        {**call, "id": f"{number:05}{index:04}", "name": _name(call.get("name"))}
        for index, call in enumerate(turn.calls)
    ]
    return answer_from_json({"text": "", **turn.message, "calls": calls})


def _name(given: object) -> str:
    return given if isinstance(given, str) and given else UNREADABLE


def export_training(
    entries: Mapping[str, Run], folder: Path, form: str, *, credits: FindCredits | None = None
) -> list[Path]:
    """Write a JSON lines file for each run, or an ATIF file for each trajectory, into a new folder. Raises RunError."""
    require_extra("harness", "exports for training")
    refuse_used(folder)

    def samples(run: Run) -> Iterator[Fields]:
        for episode, world in run.on_their_worlds(range(run.episodes)):
            year = ExportedYear.read(run, episode, world, credits(run, episode) if credits else {})
            if year.turns:
                yield from TRAINING_FORMATS[form](year)

    def files() -> Iterator[tuple[str, Iterable[bytes]]]:
        for name, run in entries.items():
            found = samples(run)
            first = next(found, None)
            if first is None:
                raise RunError(f"{run.folder}: not one turn is recorded, so there is nothing to export")
            found = chain([first], found)
            if form == "atif":
                yield from ((str(Path(name, each["trajectory_id"] + ATIF_SUFFIX)), [_line(each)]) for each in found)
            else:
                yield str(Path(name, f"{form}.jsonl")), map(_line, found)

    return write_folder(folder, files())


def _line(sample: Fields) -> bytes:
    return _json_text(sample).encode() + b"\n"


def _json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def openai_samples(year: ExportedYear) -> Iterator[Fields]:
    """`messages` with a weight for each turn, and `tools`. The format has no `metadata`, which is added with credit."""
    tools = year.tools
    for window in year.windows():
        sample = {"messages": list(map(_message, window.messages)), "tools": tools, "parallel_tool_calls": True}
        if year.credits:
            credit = [{"turn": turn, **year.credits[turn]} for turn in window.new_turns]
            sample["metadata"] = {**year.facts(window), "credit": credit}
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


def atif_trajectories(year: ExportedYear) -> Iterator[Fields]:
    """A trajectory for each window, which names the next; `trajectory_id` is the name of its file without suffix."""
    model = {"model_name": year.run.player.agent} if year.by_model else {}
    agent = {"name": "ecbench", "version": __version__, **model, "tool_definitions": year.tools}
    session = f"episode-{year.episode}"
    for window in year.windows():
        following = f"{session}-window-{window.number + 1}{ATIF_SUFFIX}"
        yield {
            "schema_version": ATIF,
            "session_id": session,
            "trajectory_id": f"{session}-window-{window.number}",
            "agent": agent,
            "steps": _steps(year, window),
            "notes": CANARY,
            **({} if window.last else {"continued_trajectory_ref": following}),
            "extra": year.facts(window),
        }


def _steps(year: ExportedYear, window: ContextWindow) -> list[Fields]:
    steps: list[Fields] = []
    for each in (*window.messages, *map(WindowMessage, window.replies)):
        message = each.message
        if message.answers is not None:
            result = {"source_call_id": message.answers.id, "content": message.text}
            steps[-1].setdefault("observation", {"results": []})["results"].append(result)
            continue
        step: Fields = {"step_id": len(steps) + 1, "source": ATIF_SOURCES[message.role], "message": message.text}
        if message.role == "assistant":
            step |= _agent_fields(year, message, each.turn)
            step["extra"] = {"turn": each.turn, **(year.credits.get(each.turn, {}) if each.new else {})}
        if each.copied:
            step["is_copied_context"] = True
        steps.append(step)
    return steps


def _agent_fields(year: ExportedYear, message: Message, turn: int) -> Fields:
    """ATIF asks for objects as arguments: others, which the tool refused, become empty."""
    state = year.turns[turn].state
    fields: Fields = {"timestamp": state.time if state else None, "llm_call_count": int(year.by_model)}
    if message.calls:
        fields["tool_calls"] = [
            {
                "tool_call_id": call.id,
                "function_name": call.name,
                "arguments": call.arguments if isinstance(call.arguments, dict) else {},
            }
            for call in message.calls
        ]
    if year.by_model and message.reasoning:
        fields["reasoning_content"] = message.reasoning
    return fields


TRAINING_FORMATS: Mapping[str, Callable[[ExportedYear], Iterator[Fields]]] = {
    "openai": openai_samples,
    "atif": atif_trajectories,
}
