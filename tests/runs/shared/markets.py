"""Runs in which several agents share a market, and external agents at their seats. No wait is without end."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.runs.conftest import Diary

from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result
from ecbench.runs.play.external_seats import ExternalSeat, ExternalSeats, external_seats
from ecbench.runs.play.play_here import play_here
from ecbench.runs.record.lines import End

SECONDS = 30
WAIT = {"name": "wait_for_next_day", "arguments": {}}
LOOK = {"name": "check_balance", "arguments": {}}


def endings(result: Result) -> list[str]:
    return [end.ending for end in result.ends]


@dataclass
class Guest:
    """An external agent at a seat, whose turns are handed in from a thread of their own."""

    session: ExternalSeat
    threads: ThreadPoolExecutor

    def start(self, *calls: dict[str, Any]) -> Future[list[str]]:
        return self.threads.submit(lambda: [outcome.text for outcome in self.session.take(calls)])

    def take(self, *calls: dict[str, Any]) -> list[str]:
        return self.start(*calls).result(SECONDS)

    def finish(self) -> End:
        return self.threads.submit(self.session.finish).result(SECONDS)


@dataclass
class SharedMarket:
    """An episode that is played in a thread."""

    run: Run
    external: ExternalSeats
    threads: ThreadPoolExecutor
    playing: Future[Result]
    diary: Diary

    def sit_down(self, seat: int) -> Guest:
        return Guest(self.threads.submit(self.external[0][seat].opened).result(SECONDS), self.threads)

    def result(self) -> Result:
        return self.playing.result(SECONDS)

    def stop(self) -> Result:
        self.diary.stop.request()
        return self.result()


@contextmanager
def under_way(run: Run) -> Iterator[SharedMarket]:
    diary, external = Diary(), external_seats(run)
    with ThreadPoolExecutor() as threads:
        playing = threads.submit(play_here, run, 0, diary, diary.stop, external=external[0])
        try:
            yield SharedMarket(run, external, threads, playing, diary)
        finally:
            diary.stop.request()  # releases a thread that still waits
