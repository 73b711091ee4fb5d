"""Runs as training data: one sample for each context window, in OpenAI's fine-tuning format or as ATIF 1.8.

A recorded year is told as the context windows that its agent saw; each turn is new in exactly one of them.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ecbench import __version__
from ecbench.errors import RunError
from ecbench.extras import require_extra
from ecbench.harness.brief import FIRST_USER_MESSAGE, SEVERAL_CALLS_A_TURN, Brief, client_message
from ecbench.harness.messages import Answer, Call, Message, answer_from_json
from ecbench.players.session import IDLE_LIMIT
from ecbench.players.turn import Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.model_settings import brief_of
from ecbench.runs.record.atomic_folder import refuse_used, write_folder
from ecbench.runs.record.lines import End
from ecbench.runs.results.export import refuse_damage
from ecbench.runs.terms import Terms, rules_of
from ecbench.runs.verify.year_check import has_own_loop, own_turns
from ecbench.tools import tool_schemas
from ecbench.world.model import World

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
    messages: tuple[WindowMessage, ...]  # the last one is the assistant's
    replies: tuple[Message, ...]  # to the last turn, which the agent saw in the next window
    last: bool

    @property
    def new_turns(self) -> list[int]:
        return [each.turn for each in self.messages if each.new]


@dataclass(frozen=True, slots=True)
class ExportedYear:
    """One year at the seat of a run's entry, to be written in any format."""

    run: Run
    episode: int
    terms: Terms
    brief: Brief
    turns: Sequence[Turn]  # the agent's own complete ones, without those that a fork took over
    end: End | None
    whole: bool  # one sample with the whole text instead of windows

    @property
    def by_model(self) -> bool:
        """Whether our own loop asked a model, so that its context is known."""
        return has_own_loop(self.run.player)

    @property
    def name(self) -> str:
        return f"episode-{self.episode}"

    @property
    def tools(self) -> list[dict[str, Any]]:
        return tool_schemas(rules_of(self.terms))

    def windows(self) -> Iterator[ContextWindow]:
        """In their order; none where the agent has made no turn. Raises RunError."""
        return _whole_text(self) if self.whole else _windows(self)


def exported_year(run: Run, episode: int, world: World, *, whole: bool) -> ExportedYear:
    """Raises RunError for a record that cannot be read, and where the extra `harness` is missing."""
    require_extra("harness", "exports for training")
    recording, seat = read_episode(run, episode), run.seat(episode)
    turns = [turn for turn in own_turns(run, episode, recording) if turn.state is not None]
    terms = run.terms_of(episode)
    brief = brief_of(terms, seat, world, len(recording.complete_turns(seat)) - len(turns))
    return ExportedYear(run, episode, terms, brief, turns, recording.end(seat), whole)


def _windows(year: ExportedYear) -> Iterator[ContextWindow]:
    from ecbench.harness.model_player import open_conversation
    from ecbench.harness.replay import replayed_contexts

    talk = open_conversation(year.brief)
    answers = [_answer(turn) for turn in year.turns]
    contexts = replayed_contexts(talk, zip(answers, [turn.replies for turn in year.turns], strict=True), IDLE_LIMIT)
    turn_of = {answer.message: turn.state.turn for answer, turn in zip(answers, year.turns, strict=True) if turn.state}
    request: list[Message] = []
    number, opening, last = 0, frozenset[Message](), None
    for answer, (evictions, tokens) in zip(answers, contexts, strict=True):
        _check_context(year, turn_of[answer.message], answer, tokens)
        now = talk.transcript.live()
        if evictions and last is not None:
            yield _window(number, request, last, opening, turn_of, now)
            number, opening = number + 1, frozenset(now)
        request, last = now, answer.message
    if last is not None:
        yield _window(number, request, last, opening, turn_of, talk.transcript.live(), final=True)


def _window(
    number: int,
    request: Sequence[Message],
    last: Message,
    opening: frozenset[Message],
    turn_of: dict[Message, int],
    then: Sequence[Message],
    *,
    final: bool = False,
) -> ContextWindow:
    messages = tuple(WindowMessage(each, turn_of.get(each, 0), copied=each in opening) for each in (*request, last))
    replies = tuple(each for each in then if each.answers in last.calls)
    return ContextWindow(number, messages, replies, final)


def _check_context(year: ExportedYear, turn: int, answer: Answer, tokens: int) -> None:
    """The recorded count of tokens proves that the text is the one that the model read."""
    if year.by_model and answer.context != tokens:
        raise RunError(
            f"{year.run.folder}, {year.run.seat_called(year.episode)}, turn {turn}: the model read {answer.context:,} "
            f"tokens and the rebuilt context has {tokens:,}, so it is not what the model saw; --whole needs no context"
        )


def _whole_text(year: ExportedYear) -> Iterator[ContextWindow]:
    """Every reply in full, nothing evicted, no count of tokens; the brief does not mention a window."""
    from ecbench.harness.model_player import reminder

    system = client_message(year.brief, SEVERAL_CALLS_A_TURN)
    messages = [WindowMessage(Message("system", system)), WindowMessage(Message("user", FIRST_USER_MESSAGE))]
    replies: list[Message] = []
    idle = 0
    for turn in year.turns:
        assert turn.state is not None, "only complete turns are exported"
        message = _answer(turn).message
        messages += [*map(WindowMessage, replies), WindowMessage(message, turn.state.turn)]
        replies = [Message("tool", text, answers=call) for call, text in zip(message.calls, turn.replies, strict=True)]
        idle = 0 if replies else idle + 1
        replies = replies or [Message("user", reminder(idle, IDLE_LIMIT))]
    if year.turns:
        answered = tuple(each for each in replies if each.role == "tool")
        yield ContextWindow(0, tuple(messages), answered, last=True)


def _answer(turn: Turn) -> Answer:
    """What the agent said. Calls are numbered: an agent's own ids may repeat or be missing."""
    assert turn.state is not None, "only complete turns are exported"
    calls = [
        {**call, "id": call_id(turn.state.turn, number), "name": call.get("name") or UNREADABLE}
        for number, call in enumerate(turn.calls)
    ]
    return answer_from_json({"text": "", "usage": {}, "seconds": 0.0, **turn.message, "calls": calls})


def call_id(turn: int, number: int) -> str:
    """Nine digits, since some chat templates take ids of no other length."""
    return f"{turn:05}{number:04}"


def no_credits(_run: Run, _episode: int) -> TurnCredits:
    """The default: credit is computed only on request."""
    return {}


def export_training(
    entries: Mapping[str, Run], folder: Path, form: str, *, whole: bool = False, credits: FindCredits = no_credits
) -> list[Path]:
    """Write the years of runs as training data into a folder that is empty or missing, each run into one of its name.

    A JSON lines file for each run, or a file for each trajectory of ATIF. Samples are written one by one, and nothing
    stays if one fails. Raises RunError, also if there is no turn to export.
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
