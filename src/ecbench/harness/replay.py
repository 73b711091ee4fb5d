"""A recording in place of a model: it returns the recorded answers, then asks the model itself."""

from collections import deque
from collections.abc import Iterable, Sequence

from ecbench.harness.messages import Answer, Message, ModelFailure
from ecbench.harness.model_player import Model


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
