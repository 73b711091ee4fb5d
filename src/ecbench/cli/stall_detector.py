"""Detect episodes without a new turn: a request to a model may take minutes to fail, and the user should know."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

FIRST_NOTICE_SECONDS = 60  # the next one after twice as long, and so on
POLL_SECONDS = 1.0


class StallDetector:
    """The time since the last turn of each episode. `now` comes from any one clock, in seconds."""

    def __init__(self) -> None:
        self._last: dict[int, float] = {}
        self._next_notice: dict[int, float] = {}

    def progressed(self, episode: int, now: float) -> None:
        self._last[episode] = now
        self._next_notice[episode] = FIRST_NOTICE_SECONDS

    def finished(self, episode: int) -> None:
        self._last.pop(episode, None)

    def idle_seconds(self, episode: int, now: float) -> float:
        return now - self._last.get(episode, now)

    def due_notices(self, now: float) -> list[tuple[int, float]]:
        """Episodes that need a notice now, and for how long they have been idle."""
        due = [(e, now - since) for e, since in list(self._last.items()) if now - since >= self._next_notice[e]]
        for episode, idle in due:
            while self._next_notice[episode] <= idle:
                self._next_notice[episode] *= 2
        return due


@contextmanager
def polling(poll: Callable[[], None]) -> Iterator[None]:
    """Call `poll` every second from a separate thread."""
    done = Event()

    def loop() -> None:
        while not done.wait(POLL_SECONDS):
            poll()

    thread = Thread(target=loop, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
