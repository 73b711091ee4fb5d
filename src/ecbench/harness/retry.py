"""How a request to a model is repeated, with exponential backoff and jitter, and how a stop of the run gives it up."""

from asyncio import get_running_loop
from collections.abc import Awaitable, Callable
from random import uniform
from time import monotonic

from anyio import CancelScope, sleep
from msgspec.structs import replace

from ecbench.cancellation import StopFlag
from ecbench.harness.messages import Answer, ModelFailure, OnRetry, Retry

REFUSAL_RETRIES = 2  # a refused answer is requested this many more times
FIRST_BACKOFF, LONGEST_BACKOFF = 1.0, 60.0  # seconds; each backoff is twice the one before
JITTER = 0.25  # of a backoff, so that episodes that failed together do not retry together


async def answer_with_retries(
    attempt: Callable[[], Awaitable[Answer]], give_up_seconds: float, on_retry: OnRetry
) -> Answer:
    """Run `attempt` until it answers. Raises the last `ModelFailure` once another attempt is not worth it."""
    begun = monotonic()
    retries: list[Retry] = []
    while True:
        sent = monotonic()
        try:
            return replace(await attempt(), retries=tuple(retries))
        except ModelFailure as failure:
            backoff = min(FIRST_BACKOFF * 2.0 ** len(retries), LONGEST_BACKOFF) * uniform(1, 1 + JITTER)
            pause = max(failure.retry_after, backoff)
            waited = monotonic() - begun
            refused = sum(retry.cause == failure.cause for retry in retries)
            final = refused >= REFUSAL_RETRIES if failure.kind == "refused" else failure.kind == "final"
            if final or waited + pause >= give_up_seconds:
                failure.retries = tuple(retries)
                raise
            retries.append(Retry(failure.cause, round(monotonic() - sent + pause, 3), failure.usage))
            on_retry(f"{failure}; asked again in {pause:,.0f} s (retry {len(retries)}, {waited:,.0f} s waited so far)")
        await sleep(pause)


async def answer_unless_stopped(attempt: Callable[[], Awaitable[Answer]], stop: StopFlag) -> Answer | None:
    """Run `attempt`; None if a stop, which may be requested from any thread, gave it up."""
    loop, scope = get_running_loop(), CancelScope()

    def cancel() -> None:
        loop.call_soon_threadsafe(scope.cancel)

    with scope, stop.also(cancel):
        return None if stop.cancelling else await attempt()
    return None
