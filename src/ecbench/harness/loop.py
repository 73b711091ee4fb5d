"""The turn loop: one model call gives a batch of tool calls, the seat runs the batch, each result goes back.

The loop is a function of the answers it is given. Fed with recorded answers it rebuilds the same transcript, the
same evictions and the same count of idle turns, which is how a stopped run is continued.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Protocol

from anyio import CancelScope, to_thread

from ecbench.harness.brief import FIRST_USER_MESSAGE, Brief, system_message
from ecbench.harness.context import Eviction, Transcript
from ecbench.harness.messages import Answer, Message, ModelFailure, Usage, answer_to_json
from ecbench.harness.tokens import count_message, count_text
from ecbench.seat import Ending, Record, Seat, Turn, cut


class Model(Protocol):
    """Whoever answers: a provider's model, or a recording of one. Raises `ModelFailure` when it cannot."""

    async def answer(self, messages: Sequence[Message]) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """Why the model took no further turn, and what it took; `reason` explains a model error in one line."""

    ending: Ending
    turns: int
    calls: int
    evictions: int
    usage: Usage
    seconds: float  # waiting for the model
    reason: str = ""


@dataclass(slots=True)
class Stop:
    """A request to end after the current turn; a model call in flight is cancelled."""

    requested: bool = False
    _waiting: CancelScope | None = None

    def request(self) -> None:
        self.requested = True
        if self._waiting is not None:
            self._waiting.cancel()


@dataclass(slots=True)
class Conversation:
    """What the model is shown and what it has used; all of it follows from the answers so far."""

    transcript: Transcript[Message]
    turns: int = 0
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


class Proposal:
    """A model's turn before it is run: the answer, and what left the context to make room for it."""

    __slots__ = ("answer", "calls", "evictions", "said")

    def __init__(self, answer: Answer, evictions: Sequence[Record]) -> None:
        self.answer = answer
        self.evictions = evictions
        self.said = answer_to_json(answer)
        self.calls: list[Record] = self.said.pop("calls")


async def play(
    seat: Seat,
    model: Model,
    talk: Conversation,
    *,
    stop: Stop | None = None,
    act_in_thread: bool = False,
) -> Outcome:
    """Play a seat until it takes no further turn, the model fails, or a stop is requested. The year is left as it is.

    `act_in_thread` runs the tools beside the event loop, which a supplier voice that asks a model needs.
    """
    stop = stop or Stop()
    ending: Ending | None
    while (ending := seat.ending or _stopped(seat, stop)) is None:
        try:
            turn = await propose(model, talk, stop)
        except ModelFailure as failure:
            return _outcome(talk, "model_error", failure.summary())
        if turn is not None:
            replies = await to_thread.run_sync(seat.run, turn.calls) if act_in_thread else seat.run(turn.calls)
            hear(talk, seat, turn, replies)
    return _outcome(talk, ending)


async def propose(model: Model, talk: Conversation, stop: Stop) -> Proposal | None:
    """The model's next turn, or None when a stop was requested meanwhile. Raises ModelFailure."""
    evictions = _edit_context(talk)
    answer = await _ask(model, talk, stop)
    return None if answer is None else Proposal(replace(answer, context=talk.transcript.total), evictions)


def hear(talk: Conversation, seat: Seat, turn: Proposal, replies: Sequence[str]) -> None:
    """The turn has been run: it is kept, and the model will see the replies."""
    seat.keep(Turn(turn.calls, replies, turn.said, turn.evictions))
    _take_in(talk, turn.answer)
    if turn.calls:
        _give_results(talk, turn.answer, replies)
    elif seat.ending != "idle":
        talk.say(Message("user", reminder(seat.idle, seat.idle_limit)))


def _stopped(seat: Seat, stop: Stop) -> Ending | None:
    """A year that is still being replayed cannot stop before its record does."""
    return "stopped" if stop.requested and not seat.repeating else None


def _outcome(talk: Conversation, ending: Ending, reason: str = "") -> Outcome:
    return Outcome(ending, talk.turns, talk.calls, talk.evictions, talk.usage, talk.seconds, reason)


def _edit_context(talk: Conversation) -> list[Record]:
    """One eviction pass before the model call; a notice on the last message says what it freed."""
    eviction = talk.transcript.evict()
    if eviction is None:
        return []
    talk.evictions += 1
    last = talk.transcript.entries[-1]
    notice = (
        f"<system_warning>The oldest tool-call groups were removed from this conversation: {eviction.freed} "
        f"tokens freed, {talk.transcript.total}/{talk.transcript.policy.window} in use</system_warning>"
    )
    amended = Message(last.body.role, f"{last.body.text}\n{notice}", answers=last.body.answers)
    talk.transcript.amend_last(count_message(amended), amended)
    return [_recorded(eviction)]


def _recorded(eviction: Eviction) -> Record:
    return asdict(eviction) | {"cleared": list(eviction.cleared)}


async def _ask(model: Model, talk: Conversation, stop: Stop) -> Answer | None:
    with CancelScope() as scope:
        stop._waiting = scope
        try:
            return await model.answer(talk.transcript.live())
        finally:
            stop._waiting = None
    return None


def _take_in(talk: Conversation, answer: Answer) -> None:
    talk.turns += 1
    talk.calls += len(answer.message.calls)
    talk.usage += answer.usage
    talk.seconds += answer.seconds
    talk.say(answer.message)


def _give_results(talk: Conversation, answer: Answer, replies: Sequence[str]) -> None:
    for call, reply in zip(answer.message.calls, replies, strict=True):
        # The line break ends a piece of the tokenizer, so the two counts add up to the message's own.
        result = cut(reply) + "\n"
        tokens = count_text(result)
        line = gauge(talk.transcript.total + tokens, talk.transcript.policy.window)
        talk.say(Message("tool", result + line, answers=call), tokens + count_text(line))


def reminder(idle: int, limit: int) -> str:
    """The message to an agent that called no tool."""
    return (
        f"Your last turn called no tool ({idle} of {limit}; at {limit} in a row the simulation "
        "ends). Nobody else will act for you: go on with a tool call."
    )


def gauge(used: int, window: int) -> str:
    left = max(0, window - used)
    return (
        f"<system_warning>Token usage: {used}/{window} tokens ({used * 100 // window}%); "
        f"{left} remaining</system_warning>"
    )
