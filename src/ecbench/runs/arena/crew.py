"""Rounds side by side: a process for each. Each writes its own records; only progress arrives here."""

from collections import deque
from collections.abc import Sequence
from functools import partial
from threading import Lock

from ecbench.harness.messages import RetryNotice
from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.open_seats import STOPPED, OpenSeats
from ecbench.runs.arena.patience import Wait
from ecbench.runs.arena.play import ArenaListener, RoundResult, play_round
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.record.events import State
from ecbench.runs.workers.worker_process import LOST, Line, Worker, heard_from, hire

PAUSE_SECONDS = 0.2  # between looks at the stop flag

News = tuple[int, int, State | RetryNotice | Wait] | RoundResult


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
        return _Crew(run, rounds, jobs, listener, stop).play()
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


class _Crew:
    def __init__(
        self, run: ArenaRun, rounds: Sequence[int], jobs: int, listener: ArenaListener, stop: StopFlag
    ) -> None:
        self._run = run
        self._jobs = jobs
        self._listener = listener
        self._stop = stop
        self._waiting = deque(rounds)
        self._workers: dict[int, Worker] = {}
        self._results: list[RoundResult] = []

    def play(self) -> list[RoundResult]:
        with self._stop.ending(self._kill_all):
            try:
                while self._workers or (self._waiting and not self._stop.requested):
                    self._hire()
                    self._hear()
            finally:
                self._kill_all()
        return sorted(self._results, key=lambda result: result.number)

    def _hire(self) -> None:
        while self._waiting and len(self._workers) < self._jobs and not self._stop.requested:
            number = self._waiting.popleft()
            self._workers[number] = hire(partial(_work, self._run, number))
        if self._stop.requested:
            for worker in self._workers.values():
                worker.tell_to_stop()

    def _hear(self) -> None:
        for number, news in heard_from(self._workers, PAUSE_SECONDS):
            self._take(number, self._lost(number) if news is LOST else news)

    def _lost(self, number: int) -> RoundResult:
        worker = self._workers[number]
        worker.dismiss()
        return RoundResult(number, problem=f"its process was lost (exit code {worker.process.returncode})")

    def _take(self, number: int, news: News) -> None:
        if isinstance(news, RoundResult):
            self._workers.pop(number).dismiss()
            self._results.append(news)
            self._listener.closed(news)
        elif isinstance(news[2], State):
            self._listener.progressed(news[0], news[1], news[2])
        elif isinstance(news[2], Wait):
            self._listener.kept_waiting(news[0], news[1], news[2])
        else:
            self._listener.on_retry(news[0], news[1], news[2])

    def _kill_all(self) -> None:
        for worker in list(self._workers.values()):
            worker.kill()


class _Reporter:
    """A listener at the worker's end: of each seat a day at a time."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._days: dict[int, int] = {}
        self._speaking = Lock()  # who keeps others waiting is told from another thread

    def progressed(self, number: int, seat: int, state: State) -> None:
        if self._days.get(seat) != state.day:
            self._days[seat] = state.day
            self._send((number, seat, state))

    def on_retry(self, number: int, seat: int, notice: RetryNotice) -> None:
        self._send((number, seat, notice))

    def kept_waiting(self, number: int, seat: int, wait: Wait) -> None:
        self._send((number, seat, wait))

    def closed(self, result: RoundResult) -> None:
        self._send(result)

    def _send(self, news: News) -> None:
        with self._speaking:
            self._line.send(news)


def _work(run: ArenaRun, number: int, line: Line, stop: StopFlag) -> None:
    play_round(run, number, _Reporter(line), stop)
