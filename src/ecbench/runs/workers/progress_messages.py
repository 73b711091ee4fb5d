"""What a worker tells about episodes along its line, and how it reaches the listener at the other end."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from ecbench.harness.messages import RetryNotice
from ecbench.runs.play.episodes import EpisodeOpening, Listener, Result
from ecbench.runs.record.events import State
from ecbench.runs.workers.worker_process import Line

TURN_SECONDS = 1.0  # a merchant's hundreds of turns in that time are not told one by one

News = tuple[int, EpisodeOpening | State | RetryNotice | Result] | str
"""An episode and what happened to it; or the traceback of an error of our own."""


class Reporter:
    """A listener at the worker's end: a day at a time, or a turn where a day takes long."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._told: dict[int, tuple[int, float]] = {}

    def opened(self, episode: int, opening: EpisodeOpening) -> None:
        self._tell((episode, opening))

    def progressed(self, episode: int, state: State) -> None:
        day, when = self._told.get(episode, (-1, 0.0))
        if state.day != day or monotonic() - when > TURN_SECONDS:
            self._told[episode] = state.day, monotonic()
            self._tell((episode, state))

    def on_retry(self, episode: int, notice: RetryNotice) -> None:
        self._tell((episode, notice))

    def closed(self, result: Result) -> None:
        self._tell((result.episode, result))

    @contextmanager
    def telling_of_errors(self) -> Iterator[None]:
        try:
            yield
        except Exception:
            self._tell(traceback.format_exc())

    def _tell(self, news: News) -> None:
        # Nobody listens any more: the end that follows from it is on its way.
        with suppress(OSError):
            self._line.send(news)


def pass_on(news: News, listener: Listener) -> None:
    match news:
        case episode, EpisodeOpening() as opening:
            listener.opened(episode, opening)
        case episode, State() as state:
            listener.progressed(episode, state)
        case episode, RetryNotice() as notice:
            listener.on_retry(episode, notice)
        case _, Result() as result:
            listener.closed(result)
        case str():
            raise RuntimeError(f"a worker failed\n{news}")
