"""Time limits of turns where several seats share a table.

A second thread watches the clock: it reports a seat that keeps the others waiting, and interrupts a merchant by a
signal, which works in the main thread of a process only.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

from ecbench.cancellation import StopFlag
from ecbench.errors import MerchantFailure

CHECK_SECONDS = 0.1
FIRST_NOTICE_SECONDS = 10.0  # of a merchant, which takes milliseconds; then after twice as long, and so on
FIRST_NOTICE_OF_WAITING_SECONDS = 60.0
STOP_SECONDS = 1.0  # for a turn to end before a stop interrupts it
INTERRUPT_SECONDS = 1.0  # between two signals, for code that takes the first for an error of its own


class TurnOverdue(BaseException):
    """Raised in a merchant's own code; not an Exception, so that the merchant does not handle it."""


class SlowTurn(NamedTuple):
    """A seat keeps the others waiting."""

    seat: int
    day: int
    seconds: float
    waits: bool  # it may well take a while: a model, or an external client


@dataclass(slots=True)
class _Pending:
    seat: int
    day: int
    waits: bool
    limit: float | None  # seconds
    since: float
    next_notice: float  # seconds
    next_interrupt: float = 0.0


class TurnTimer:
    """The clock of one table, while `watching`. `seconds` is the limit of a turn; None: there is none.

    `report` is called from the thread that watches.
    """

    def __init__(self, stop: StopFlag, report: Callable[[SlowTurn], None], seconds: float | None = None) -> None:
        self.seconds = seconds
        self._stop = stop
        self._report = report
        self._pending: _Pending | None = None
        self._stopped_at: float | None = None
        self._done = threading.Event()
        self._thread = threading.get_ident()
        self._can_interrupt = threading.current_thread() is threading.main_thread()

    @contextmanager
    def watching(self) -> Iterator[None]:
        thread = threading.Thread(target=self._watch, daemon=True)
        before = signal.signal(signal.SIGUSR1, self._interrupt) if self._can_interrupt else None
        thread.start()
        try:
            yield
        finally:
            self._done.set()
            thread.join()
            if self._can_interrupt:
                signal.signal(signal.SIGUSR1, before or signal.SIG_DFL)

    @contextmanager
    def waiting_for(self, seat: int, day: int, *, waits: bool, limit: float | None) -> Iterator[None]:
        """Within it the time of that seat passes. Raises TurnOverdue if a merchant's is over, or a stop waits."""
        first = FIRST_NOTICE_OF_WAITING_SECONDS if waits else FIRST_NOTICE_SECONDS
        self._pending = _Pending(seat, day, waits, limit, monotonic(), first)
        try:
            yield
        except MerchantFailure as failure:
            if isinstance(failure.__cause__, TurnOverdue):
                raise failure.__cause__ from None
            raise
        finally:
            self._pending = None

    def rest(self) -> None:
        """No seat is waited for. A signal may arrive just when the waiting ends, and keep that from being noted."""
        self._pending = None

    def _watch(self) -> None:
        while not self._done.wait(CHECK_SECONDS):
            pending, now = self._pending, monotonic()
            if self._stop.requested and self._stopped_at is None:
                self._stopped_at = now
            if pending is None:
                continue
            waited = now - pending.since
            if waited >= pending.next_notice:
                pending.next_notice *= 2
                self._report(SlowTurn(pending.seat, pending.day, waited, pending.waits))
            due = self._can_interrupt and not pending.waits and now >= pending.next_interrupt
            if due and self._is_over(pending, now):
                pending.next_interrupt = now + INTERRUPT_SECONDS
                signal.pthread_kill(self._thread, signal.SIGUSR1)

    def _is_over(self, pending: _Pending, now: float) -> bool:
        stopped = self._stopped_at is not None and now - max(self._stopped_at, pending.since) >= STOP_SECONDS
        return stopped or (pending.limit is not None and now - pending.since >= pending.limit)

    def _interrupt(self, *_: object) -> None:
        pending = self._pending
        if pending is not None and not pending.waits and self._is_over(pending, monotonic()):
            raise TurnOverdue
