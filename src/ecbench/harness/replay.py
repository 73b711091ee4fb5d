"""A recording in place of a model: it returns the recorded answers, then asks the model itself."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from ecbench.harness.context import ContextPolicy
from ecbench.harness.messages import Answer, Message, ModelFailure, answer_from_json
from ecbench.harness.model_player import (
    Conversation,
    Model,
    change_policy,
    edit_context,
    give_results,
    reminder,
    take_in,
)
from ecbench.players.turn import Record, Turn


class RecordedModel:
    """Returns the recorded answers in order, without a request, and then those of `then`."""

    def __init__(self, answers: Iterable[Answer], then: Model | None = None) -> None:
        self._answers = deque(answers)
        self._then = then

    async def answer(self, messages: Sequence[Message]) -> Answer:
        if self._answers:
            return self._answers.popleft()
        if self._then is None:
            raise ModelFailure("the recording ends here, and no model was given to go on with")
        return await self._then.answer(messages)


def recorded_answer(turn: Turn) -> Answer:
    """What the model said in a recorded turn."""
    return answer_from_json({**turn.message, "calls": turn.calls})


def replayed_contexts(
    talk: Conversation, answers: Iterable[tuple[Answer, Sequence[str]]], idle_limit: int
) -> Iterator[tuple[list[Record], int]]:
    """Before each recorded answer: what left the context, and the tokens that were left in it.

    `answers` come with the replies to their calls, and `talk` takes them in.
    """
    idle = 0
    for answer, replies in answers:
        if answer.window:
            change_policy(talk, ContextPolicy(**answer.window))
        yield edit_context(talk), talk.transcript.total
        take_in(talk, answer)
        idle = 0 if answer.message.calls else idle + 1
        if answer.message.calls:
            give_results(talk, answer, replies)
        elif idle < idle_limit:
            talk.say(Message("user", reminder(idle, idle_limit)))
