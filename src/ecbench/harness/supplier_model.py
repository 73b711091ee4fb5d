"""A model that writes suppliers' letters, for synchronous callers.

An episode runs its tools synchronously, even where many episodes share one event loop. The suppliers' model therefore
has its own event loop in another thread, and the caller blocks until the letter is there.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from anyio.from_thread import start_blocking_portal

from ecbench.cancellation import StopFlag
from ecbench.harness.checkup import check_before_run
from ecbench.harness.messages import OnRetry, OnUsage, ignore_retries, ignore_usage
from ecbench.harness.model_voice import Ask
from ecbench.harness.models import open_model
from ecbench.harness.settings import ModelSettings
from ecbench.harness.stoppable_requests import asking


@contextmanager
def supplier_model(
    settings: ModelSettings,
    on_retry: OnRetry = ignore_retries,
    on_usage: OnUsage = ignore_usage,
    stop: StopFlag | None = None,
) -> Iterator[Ask]:
    """Open the model, check that it can be reached, and close it at the end; any thread may call the result."""
    with start_blocking_portal() as portal:
        model = open_model(settings, []).notifying(on_retry, on_usage)
        try:
            portal.call(check_before_run, model, None)
            yield asking(portal.call, model.answer, stop)
        finally:
            portal.call(model.close)
