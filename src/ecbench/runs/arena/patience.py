"""How long a round waits for a seat: who keeps it waiting is named, and a merchant that never yields is interrupted.

A merchant runs on the round's own thread, so nothing there can end an endless loop of its own. A thread beside it looks
at the clock, and strikes with a signal whose handler raises within the merchant's own code. That works in the main
thread of a process alone, and not on Windows; elsewhere such a merchant ends with its process.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from ecbench.runs.errors import MerchantFailure
from ecbench.runs.play.cancellation import StopFlag

LOOK_SECONDS = 0.1
FIRST_WORD_SECONDS = 10.0  # of a merchant, which takes milliseconds; then after twice as long, and so on
FIRST_WORD_OF_THINKERS_SECONDS = 60.0
STOP_SECONDS = 1.0  # for a turn to come to its end before a stop interrupts it
STRIKE_SECONDS = 1.0  # between two strikes, for code that takes the first for an error of its own


class Overdue(BaseException):
    """Raised in a merchant's own code, which should not take it for an error of its own."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A seat keeps the others waiting."""

    seconds: float
    day: int
    thinks: bool  # it may well take a while: a model, or somebody outside


Tell = Callable[[int, Wait], None]


@dataclass(slots=True)
class _Asked:
    seat: int
    day: int
    thinks: bool
    seconds: float | None  # it has
    since: float
    next_word: float
    next_strike: float = 0.0

    @classmethod
    def now(cls, seat: int, day: int, thinks: bool, seconds: float | None) -> "_Asked":
        first = FIRST_WORD_OF_THINKERS_SECONDS if thinks else FIRST_WORD_SECONDS
        return cls(seat, day, thinks, seconds, monotonic(), first)


class Patience:
    """Of one round, while it is entered."""

    def __init__(self, stop: StopFlag, tell: Tell) -> None:
        self._stop = stop
        self._tell = tell
        self._asked: _Asked | None = None
        self._stopped_at: float | None = None
        self._done = threading.Event()
        self._round = threading.get_ident()
        self._strikes = _can_strike()

    @contextmanager
    def looking(self) -> Iterator[None]:
        thread = threading.Thread(target=self._look, daemon=True)
        before = signal.signal(signal.SIGUSR1, self._struck) if self._strikes else None
        thread.start()
        try:
            yield
        finally:
            self._done.set()
            thread.join()
            if self._strikes:
                signal.signal(signal.SIGUSR1, before or signal.SIG_DFL)

    @contextmanager
    def waiting_for(self, seat: int, day: int, thinks: bool, seconds: float | None) -> Iterator[None]:
        """Meanwhile it is that seat's time which passes. Raises Overdue if a merchant's is over, or a stop waits."""
        self._asked = _Asked.now(seat, day, thinks, seconds)
        try:
            yield
        except MerchantFailure as failure:
            if isinstance(failure.__cause__, Overdue):
                raise failure.__cause__ from None
            raise
        finally:
            self._asked = None

    def rest(self) -> None:
        """Nobody is waited for. A strike may come just when the waiting ends, and keep that from being noted."""
        self._asked = None

    def _look(self) -> None:
        while not self._done.wait(LOOK_SECONDS):
            asked, now = self._asked, monotonic()
            if self._stop.requested and self._stopped_at is None:
                self._stopped_at = now
            if asked is None:
                continue
            waited = now - asked.since
            if waited >= asked.next_word:
                asked.next_word *= 2
                self._tell(asked.seat, Wait(waited, asked.day, asked.thinks))
            if self._strikes and not asked.thinks and now >= asked.next_strike and self._is_over(asked, now):
                asked.next_strike = now + STRIKE_SECONDS
                signal.pthread_kill(self._round, signal.SIGUSR1)

    def _is_over(self, asked: _Asked, now: float) -> bool:
        stopped = self._stopped_at is not None and now - max(self._stopped_at, asked.since) >= STOP_SECONDS
        return stopped or (asked.seconds is not None and now - asked.since >= asked.seconds)

    def _struck(self, *_: object) -> None:
        asked = self._asked
        if asked is not None and not asked.thinks and self._is_over(asked, monotonic()):
            raise Overdue


def _can_strike() -> bool:
    return hasattr(signal, "pthread_kill") and threading.current_thread() is threading.main_thread()
