"""A round under way in a thread, and guests at its open seats. Nothing is waited for without end."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.open_seats import ExternalSeats, SeatSession, external_seats
from ecbench.runs.arena.play import RoundResult, play_round
from tests.runs.arena.test_rounds import Onlooker

from ecbench.runs.play.episodes import Result

SECONDS = 30
WAIT = {"name": "wait_for_next_day", "arguments": {}}
LOOK = {"name": "check_balance", "arguments": {}}

Calls = Sequence[dict[str, Any]]


@dataclass
class Guest:
    """Somebody at a seat, whose turns are handed in from a thread of their own."""

    visit: SeatSession
    threads: ThreadPoolExecutor

    def start(self, *calls: dict[str, Any]) -> Future[list[str]]:
        return self.threads.submit(self.visit.take, calls)

    def take(self, *calls: dict[str, Any]) -> list[str]:
        return self.start(*calls).result(SECONDS)

    def finish(self) -> Result:
        return self.threads.submit(self.visit.finish).result(SECONDS)


@dataclass
class Table:
    run: ArenaRun
    places: ExternalSeats
    threads: ThreadPoolExecutor
    playing: Future[RoundResult]
    onlooker: Onlooker

    def sit_down(self, seat: int) -> Guest:
        opening = self.threads.submit(SeatSession, self.run.seat_folder(0, seat), self.places[0, seat])
        return Guest(opening.result(SECONDS), self.threads)

    def result(self) -> RoundResult:
        return self.playing.result(SECONDS)

    def stop(self) -> RoundResult:
        self.onlooker.stop.request()
        return self.result()


@contextmanager
def under_way(run: ArenaRun) -> Iterator[Table]:
    onlooker, places = Onlooker(), external_seats(run)
    with ThreadPoolExecutor() as threads:
        playing = threads.submit(play_round, run, 0, onlooker, onlooker.stop, places)
        try:
            yield Table(run, places, threads, playing, onlooker)
        finally:
            onlooker.stop.request()  # which lets go of whoever still waits
