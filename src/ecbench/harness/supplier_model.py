"""A model that suppliers speak through, for callers that are not asynchronous.

An episode runs its tools synchronously, also where many episodes share one event loop. The suppliers' model therefore
lives on a loop of its own in a thread beside them, and whoever needs a letter waits for it there.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from anyio.from_thread import start_blocking_portal

from ecbench.harness.messages import Answer, Message, Tell, tell_nobody
from ecbench.harness.models import open_model
from ecbench.harness.settings import ModelSettings
from ecbench.harness.voice import Ask


@contextmanager
def supplier_model(settings: ModelSettings, tell: Tell = tell_nobody) -> Iterator[Ask]:
    """Opens the model, checks that it can be reached, and closes it at the end; any thread may ask."""
    with start_blocking_portal() as portal:
        model = open_model(settings, []).telling(tell)

        def ask(system: str, user: str) -> Answer:
            return portal.call(model.answer, [Message("system", system), Message("user", user)])

        try:
            portal.call(model.check)
            yield ask
        finally:
            portal.call(model.close)
