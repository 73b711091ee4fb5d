"""A model as a player: each answer is a batch of tool calls, and each result goes back into its context."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from ecbench.cancellation import StopFlag
from ecbench.gate import TurnRefused, admit, whole_json
from ecbench.harness.brief import FIRST_USER_MESSAGE, Brief, system_message
from ecbench.harness.context import OVERFLOW, SCHEMAS, ContextPolicy, Conversation, overflow_advice
from ecbench.harness.messages import Answer, Message, ModelFailure, answer_from_json, answer_to_json
from ecbench.harness.retry import answer_unless_stopped
from ecbench.harness.tokens import count_message, count_text, first_tokens
from ecbench.players.session import Seat
from ecbench.players.turn import Move, Record, Turn, shortened
from ecbench.redaction import redacted_json
from ecbench.tools.outcome import Outcome

SHORTEST_RESULT = 60  # tokens of a result that a small window shows, however many calls a turn has


class Model(Protocol):
    """Answers the conversation: a provider's model, or a recording of one. Raises `ModelFailure` when it cannot."""

    async def answer(self, messages: Sequence[Message]) -> Answer: ...


class RecordedModel:
    """Returns the recorded answers in order, without a request, and then those of `then`."""

    def __init__(self, answers: Iterable[Answer], then: Model) -> None:
        self._answers = deque(answers)
        self._then = then

    async def answer(self, messages: Sequence[Message]) -> Answer:
        return self._answers.popleft() if self._answers else await self._then.answer(messages)


def open_conversation(brief: Brief) -> Conversation:
    talk = Conversation(brief.policy)
    say(talk, Message("system", system_message(brief)))
    say(talk, Message("user", FIRST_USER_MESSAGE))
    return talk


def say(talk: Conversation, message: Message) -> None:
    talk.add(message, count_message(message))


class ModelPlayer:
    """A model at a seat. Fed with recorded answers it rebuilds the same transcript, evictions and idle turns."""

    waits = True

    def __init__(
        self,
        model: Model,
        talk: Conversation,
        seat: Seat,
        stop: StopFlag | None = None,
        policies: Mapping[int, ContextPolicy] | None = None,
    ) -> None:
        """`policies` are changes of the context policy, each by the number of the player's turns before it."""
        self.talk = talk
        self._policies = policies or {}
        self._model = model
        self._seat = seat
        self._stop = stop or StopFlag()
        self._answer: Answer | None = None

    async def move(self) -> Move | None:
        """The model's next turn; None when a stop was requested before it came. Raises ModelFailure."""
        changed = self._policies.get(self.talk.turns)
        if changed is not None:
            change_policy(self.talk, changed)
        evictions = edit_context(self.talk)
        answer = await self._ask()
        if answer is None:
            return None
        window = changed.to_json() if changed else None
        self._answer, said, calls = _admitted(replace(answer, context=self.talk.total, window=window))
        return Move(calls, said, evictions)

    def on_results(self, move: Move, outcomes: Sequence[Outcome]) -> None:
        """The model will see the replies, or a reminder where it called no tool."""
        assert self._answer is not None, "a model hears of its own turns"
        del move  # its calls are in the answer
        replies = [outcome.text for outcome in outcomes]
        take_in(self.talk, self._answer, replies, self._seat.idle, self._seat.session.idle_limit)

    def close(self) -> None: ...

    async def _ask(self) -> Answer | None:
        attempt = partial(self._model.answer, self.talk.live())
        try:
            if self._seat.next_recorded:  # a stop waits until the record is replayed
                return await attempt()
            return None if self._stop.requested else await answer_unless_stopped(attempt, self._stop)
        except ModelFailure as failure:
            if failure.cause == OVERFLOW:
                advice = overflow_advice(str(failure), self.talk)
                raise failure.reworded(f"{failure}; {advice}") from failure
            raise


def _admitted(answer: Answer) -> tuple[Answer, Record, list[Record]]:
    """The answer as it is recorded, without secrets, what it said, and its calls as the gate admits them."""
    received = answer_to_json(answer)
    said = whole_json(redacted_json(received))
    try:
        calls = admit(said["calls"])
    except TurnRefused as refusal:
        raise ModelFailure(f"its answer is refused: {refusal}") from refusal
    if calls != said["calls"] or said != received:
        answer = answer_from_json({**said, "calls": calls})
    del said["calls"]
    return answer, said, calls


def recorded_answer(turn: Turn) -> Answer:
    """What the model said in a recorded turn."""
    return answer_from_json({**turn.message, "calls": turn.calls})


def replayed_contexts(
    talk: Conversation, answers: Iterable[tuple[Answer, Sequence[str]]], idle_limit: int
) -> Iterator[tuple[list[Record], int]]:
    """What left the context before each recorded answer, which `talk` takes in with its replies, and its tokens."""
    idle = 0
    for answer, replies in answers:
        if answer.window:
            change_policy(talk, ContextPolicy(**answer.window))
        yield edit_context(talk), talk.total
        idle = 0 if answer.message.calls else idle + 1
        take_in(talk, answer, replies, idle, idle_limit)


def change_policy(talk: Conversation, policy: ContextPolicy) -> None:
    """From here on the window is another one, and the last message reports it."""
    talk.policy = policy
    replies = "" if policy.replies is None else f"; at most {policy.replies} tokens of a turn's replies are shown"
    _amend(
        talk,
        f"<system_warning>Your context window now holds {policy.window} tokens; the oldest tool-call groups are "
        f"removed once {policy.trigger} are reached{replies}</system_warning>",
    )


def edit_context(talk: Conversation) -> list[Record]:
    """One pass before the model call; the last message reports what it freed."""
    eviction = talk.evict()
    if eviction is None:
        return []
    _amend(
        talk,
        f"<system_warning>The oldest tool-call groups were removed from this conversation: {eviction['freed']} "
        f"tokens freed, {talk.total}/{talk.policy.window} in use</system_warning>",
    )
    return [eviction]


def _amend(talk: Conversation, notice: str) -> None:
    last = talk.live()[-1]
    amended = replace(last, text=f"{last.text}\n{notice}")
    talk.amend_last(amended, count_message(amended) - count_message(last))


def take_in(talk: Conversation, answer: Answer, replies: Sequence[str], idle: int, idle_limit: int) -> None:
    """The answer becomes part of the conversation, with the replies to its calls, or a reminder if it has none."""
    talk.turns += 1
    if answer.context:
        talk.ratio = max(talk.ratio, answer.usage.read_tokens / (answer.context + SCHEMAS))
    say(talk, answer.message)
    if answer.message.calls:
        give_results(talk, answer, replies)
    elif idle < idle_limit:
        say(talk, Message("user", reminder(idle, idle_limit)))


def give_results(talk: Conversation, answer: Answer, replies: Sequence[str]) -> None:
    """Each call is answered with its reply and a line on the tokens in use."""
    for call, reply in zip(answer.message.calls, replies, strict=True):
        result = shortened(f"{reply}\nYou wrote: {call.written}" if call.written else reply)
        if talk.policy.replies is not None:
            result = cut_to_share(result, talk.policy.replies // len(replies))
        # The line break ends a piece of the tokenizer, so the two counts add up to the message's own.
        result += "\n"
        tokens = count_text(result)
        line = gauge(talk.total + tokens, talk.policy.window)
        talk.add(Message("tool", result + line, answers=call), tokens + count_text(line))


def cut_to_share(result: str, share: int) -> str:
    """A result no longer than its part of what a small window shows of a turn's replies; the record has the whole."""
    beginning = first_tokens(result, max(SHORTEST_RESULT, share))
    if beginning == result:
        return result
    return (
        f"{beginning}\n[cut: {len(beginning):,} of {len(result):,} characters shown, as your window is small; for the "
        "rest ask for less at a time: one type, category, store or supplier, and fewer calls in a turn]"
    )


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
