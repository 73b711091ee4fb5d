"""The turn loop: one model call gives a batch of tool calls, the batch runs, each result goes back.

The loop is a function of the answers it is given. Fed with recorded answers it rebuilds the same transcript, the
same evictions and the same count of idle turns, which is how a stopped run is continued.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from anyio import CancelScope, to_thread

from ecbench.harness.brief import FIRST_USER_MESSAGE, Brief, system_message
from ecbench.harness.context import Eviction, Transcript
from ecbench.harness.messages import Answer, Call, Message, ModelFailure, Usage
from ecbench.harness.tokens import count_message, count_text

LONGEST_RESULT = 65_536  # characters of a tool result

Ending = Literal["year_end", "bankruptcy", "turn_limit", "idle", "stopped", "model_error"]


class Playable(Protocol):
    """As much of an episode as the loop needs."""

    @property
    def done(self) -> bool: ...
    @property
    def ending(self) -> str | None: ...
    def act(self, calls: Sequence[Mapping[str, Any]]) -> list[str]: ...
    def finish(self, ending: str) -> None: ...


class Model(Protocol):
    """Whoever answers: a provider's model, or a recording of one. Raises `ModelFailure` when it cannot."""

    async def answer(self, messages: Sequence[Message]) -> Answer: ...


class Observer(Protocol):
    """Told of everything that happens, in order; turns count from 1."""

    def evicted(self, turn: int, eviction: Eviction) -> None: ...
    def answered(self, turn: int, answer: Answer) -> None: ...
    def replied(self, turn: int, calls: Sequence[Call], replies: Sequence[str]) -> None: ...
    def reminded(self, turn: int, text: str) -> None: ...
    def ended(self, outcome: "Outcome") -> None: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an episode ended and what it took; `reason` explains a model error in one line."""

    ending: Ending
    turns: int
    calls: int
    evictions: int
    usage: Usage
    seconds: float  # waiting for the model
    reason: str = ""


@dataclass(slots=True)
class Stop:
    """A request to end after the turn at hand; a model call in flight is given up."""

    requested: bool = False
    _waiting: CancelScope | None = None

    def request(self) -> None:
        self.requested = True
        if self._waiting is not None:
            self._waiting.cancel()


@dataclass(slots=True)
class Conversation:
    """Where the loop stands; all of it follows from the answers so far."""

    transcript: Transcript[Message]
    turn: int = 0
    idle: int = 0
    calls: int = 0
    evictions: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0

    def say(self, message: Message, tokens: int | None = None) -> None:
        tokens = count_message(message) if tokens is None else tokens
        self.transcript.add(message.role, tokens, message, calls=len(message.calls))


def open_conversation(brief: Brief) -> Conversation:
    talk = Conversation(Transcript(policy=brief.policy))
    talk.say(Message("system", system_message(brief)))
    talk.say(Message("user", FIRST_USER_MESSAGE))
    return talk


async def play(
    episode: Playable,
    model: Model,
    brief: Brief,
    observer: Observer,
    *,
    stop: Stop | None = None,
    act_in_thread: bool = False,
) -> Outcome:
    """Play an episode to one of its endings; the episode is finished in all of them.

    `act_in_thread` runs the tools beside the event loop, which a supplier voice that asks a model needs.
    """
    stop = stop or Stop()
    talk = open_conversation(brief)
    reason = ""
    while (ending := _ending(episode, talk, brief, stop)) is None:
        _edit_context(talk, observer)
        try:
            answer = await _ask(model, talk, stop)
        except ModelFailure as failure:
            ending, reason = "model_error", failure.told()
            break
        if answer is None:
            continue
        _take(talk, answer, observer)
        if answer.message.calls:
            replies = await _run(episode, answer.message.calls, act_in_thread)
            _give_results(talk, answer.message.calls, replies, observer)
        else:
            _remind(talk, brief.idle_limit, observer)
    episode.finish(ending)
    outcome = Outcome(ending, talk.turn, talk.calls, talk.evictions, talk.usage, talk.seconds, reason)
    observer.ended(outcome)
    return outcome


def _ending(episode: Playable, talk: Conversation, brief: Brief, stop: Stop) -> Ending | None:
    if episode.done:
        return "bankruptcy" if episode.ending == "bankruptcy" else "year_end"
    if talk.idle >= brief.idle_limit:
        return "idle"
    if talk.turn >= brief.max_turns:
        return "turn_limit"
    return "stopped" if stop.requested else None


def _edit_context(talk: Conversation, observer: Observer) -> None:
    """One pass before the model call; what it freed is told on the last message."""
    eviction = talk.transcript.evict()
    if eviction is None:
        return
    talk.evictions += 1
    last = talk.transcript.entries[-1]
    notice = (
        f"<system_warning>The oldest tool-call groups were removed from this conversation: {eviction.freed} "
        f"tokens freed, {talk.transcript.total}/{talk.transcript.policy.window} in use</system_warning>"
    )
    amended = Message(last.body.role, f"{last.body.text}\n{notice}", answers=last.body.answers)
    talk.transcript.amend_last(count_message(amended), amended)
    observer.evicted(talk.turn + 1, eviction)


async def _ask(model: Model, talk: Conversation, stop: Stop) -> Answer | None:
    """The model's next turn, or None when a stop was requested meanwhile."""
    with CancelScope() as scope:
        stop._waiting = scope
        try:
            return await model.answer(talk.transcript.live())
        finally:
            stop._waiting = None
    return None


def _take(talk: Conversation, answer: Answer, observer: Observer) -> None:
    talk.turn += 1
    talk.usage += answer.usage
    talk.seconds += answer.seconds
    answer = replace(answer, context=talk.transcript.total)
    talk.say(answer.message)
    observer.answered(talk.turn, answer)


async def _run(episode: Playable, calls: Sequence[Call], in_thread: bool) -> list[str]:
    return await to_thread.run_sync(_act, episode, calls) if in_thread else _act(episode, calls)


def _act(episode: Playable, calls: Sequence[Call]) -> list[str]:
    """One result per call; a call whose arguments could not be read fails alone and costs no time."""
    readable = [{"name": call.name, "arguments": call.arguments} for call in calls if not call.problem]
    replies = iter(episode.act(readable) if readable else [])
    return [
        json.dumps({"error": call.problem}, ensure_ascii=False) if call.problem else next(replies) for call in calls
    ]


def _give_results(talk: Conversation, calls: Sequence[Call], replies: Sequence[str], observer: Observer) -> None:
    talk.idle = 0
    talk.calls += len(calls)
    for call, reply in zip(calls, replies, strict=True):
        # The line break ends a piece of the tokenizer, so the two counts add up to the message's own.
        result = cut(reply) + "\n"
        tokens = count_text(result)
        line = gauge(talk.transcript.total + tokens, talk.transcript.policy.window)
        talk.say(Message("tool", result + line, answers=call), tokens + count_text(line))
    observer.replied(talk.turn, calls, replies)


def _remind(talk: Conversation, idle_limit: int, observer: Observer) -> None:
    talk.idle += 1
    if talk.idle >= idle_limit:
        return
    text = (
        f"Your last turn called no tool ({talk.idle} of {idle_limit}; at {idle_limit} in a row the simulation "
        "ends). Nobody else will act for you: go on with a tool call."
    )
    talk.say(Message("user", text))
    observer.reminded(talk.turn, text)


def cut(result: str) -> str:
    """A result no longer than a tool message may be, and a mark where something is missing."""
    if len(result) <= LONGEST_RESULT:
        return result
    return f"{result[:LONGEST_RESULT]}\n[cut: {LONGEST_RESULT:,} of {len(result):,} characters shown]"


def gauge(used: int, window: int) -> str:
    left = max(0, window - used)
    return (
        f"<system_warning>Token usage: {used}/{window} tokens ({used * 100 // window}%); "
        f"{left} remaining</system_warning>"
    )
