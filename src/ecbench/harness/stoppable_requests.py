"""Requests to a model that a stop of the run gives up."""

from asyncio import get_running_loop
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from anyio import CancelScope

from ecbench.cancellation import StopFlag
from ecbench.harness.messages import Answer, Message, ModelFailure
from ecbench.harness.model_voice import Ask, AsyncAnswer


async def answer_unless_stopped(attempt: Callable[[], Awaitable[Answer]], stop: StopFlag) -> Answer | None:
    """Run `attempt`; None if a stop, which may be requested from any thread, gave it up."""
    loop, scope = get_running_loop(), CancelScope()

    def cancel() -> None:
        loop.call_soon_threadsafe(scope.cancel)

    with scope, stop.also(cancel):
        return None if stop.cancelling else await attempt()
    return None


def asking(
    run: Callable[[AsyncAnswer, Sequence[Message]], Answer], answer: AsyncAnswer, stop: StopFlag | None = None
) -> Ask:
    """For tools in a thread beside the event loop of the model; `run` calls `answer` there and waits for it.

    A stop gives the letter up, and the template writes it: the turn that asked for it is paid already.
    """

    async def letter(messages: Sequence[Message]) -> Answer:
        answered = await answer_unless_stopped(partial(answer, messages), stop or StopFlag())
        if answered is None:
            raise ModelFailure("the run was stopped before the letter was written")
        return answered

    return lambda system, user: run(letter, [Message("system", system), Message("user", user)])
