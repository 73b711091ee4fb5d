"""Rounds of an arena as tasks of the worker pool. Each writes its own records."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from ecbench.harness.messages import RetryNotice
from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.open_seats import STOPPED, OpenSeats
from ecbench.runs.arena.patience import Wait
from ecbench.runs.arena.play import ArenaListener, RoundResult, play_round
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.record.events import State
from ecbench.runs.workers.pool import Send, Task, run_pool
from ecbench.runs.workers.processes import Processes


def play_rounds(
    run: ArenaRun,
    rounds: Sequence[int],
    jobs: int,
    listener: ArenaListener,
    stop: StopFlag,
    open_seats: OpenSeats | None = None,
) -> list[RoundResult]:
    """At most `jobs` at a time, or one after another in this process where `open_seats` are taken from outside.

    When a stop is requested, rounds that have not begun do not begin.
    """
    if jobs > 1 and len(rounds) > 1 and not open_seats:
        receiver = RoundReceiver(listener)
        tasks = [Task(number, PlayRound(run, number)) for number in rounds]
        run_pool(tasks, receiver, executor=Processes(), jobs=jobs, stop=stop)
        return sorted(receiver.results, key=lambda result: result.number)
    results = []
    try:
        for number in rounds:
            if stop.requested:
                break
            results.append(play_round(run, number, listener, stop, open_seats))
    finally:
        for place in (open_seats or {}).values():
            place.abandon(STOPPED)  # somebody may wait for a round that does not begin
    return results


@dataclass(frozen=True, slots=True)
class PlayRound:
    """Work: play a round from where its records stand."""

    run: ArenaRun
    number: int

    def __call__(self, send: Send, stop: StopFlag) -> RoundResult:
        return play_round(self.run, self.number, _RoundSender(send), stop)


class _RoundSender:
    """A listener at the worker's end: reports a day of each seat at a time."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._days: dict[int, int] = {}
        self._sending = Lock()  # a wait is reported from another thread

    def progressed(self, _number: int, seat: int, state: State) -> None:
        if self._days.get(seat) != state.day:
            self._days[seat] = state.day
            with self._sending:
                self._send((seat, state), progress=True)

    def on_retry(self, _number: int, seat: int, notice: RetryNotice) -> None:
        with self._sending:
            self._send((seat, notice))

    def kept_waiting(self, _number: int, seat: int, wait: Wait) -> None:
        with self._sending:
            self._send((seat, wait))

    def closed(self, result: RoundResult) -> None:
        """The result of a task is reported by its worker."""


class RoundReceiver:
    """Passes the messages and results of rounds on to a listener, and collects the results."""

    def __init__(self, listener: ArenaListener) -> None:
        self.results: list[RoundResult] = []
        self._listener = listener

    def received(self, number: int, message: tuple[int, State | RetryNotice | Wait]) -> None:
        match message:
            case seat, State() as state:
                self._listener.progressed(number, seat, state)
            case seat, Wait() as wait:
                self._listener.kept_waiting(number, seat, wait)
            case seat, RetryNotice() as notice:
                self._listener.on_retry(number, seat, notice)

    def finished(self, _number: int, result: RoundResult) -> None:
        self.results.append(result)
        self._listener.closed(result)

    def given_up(self, number: int, problem: str) -> None:
        self.finished(number, RoundResult(number, problem=problem))
