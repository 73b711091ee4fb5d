"""How long nothing has been heard of an episode, and a word on it now and then: a request may take minutes to fail."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

FIRST_WORD_SECONDS = 60  # then after twice as long, and so on
LOOK_SECONDS = 1.0


class Silence:
    """The moments are those of any one clock, in seconds."""

    def __init__(self) -> None:
        self._heard: dict[int, float] = {}
        self._next_word: dict[int, float] = {}

    def heard(self, episode: int, now: float) -> None:
        self._heard[episode] = now
        self._next_word[episode] = FIRST_WORD_SECONDS

    def over(self, episode: int) -> None:
        self._heard.pop(episode, None)

    def lasts(self, episode: int, now: float) -> float:
        return now - self._heard.get(episode, now)

    def words(self, now: float) -> list[tuple[int, float]]:
        """Episodes of which something should be said now, and for how long they have been silent."""
        due = [(e, now - since) for e, since in list(self._heard.items()) if now - since >= self._next_word[e]]
        for episode, lasted in due:
            while self._next_word[episode] <= lasted:
                self._next_word[episode] *= 2
        return due


@contextmanager
def looking(look: Callable[[], None]) -> Iterator[None]:
    """Meanwhile look every second, from a thread of its own."""
    done = Event()

    def watch() -> None:
        while not done.wait(LOOK_SECONDS):
            look()

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
