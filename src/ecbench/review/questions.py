"""Asking the engine: many questions about one recorded year, here, in processes of this machine, or on a Ray cluster.

A question is independent of all others, so who answers it changes nothing but the time that takes. Each worker plays
the record once and stops at its own questions on the way.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import NamedTuple

from ecbench.review.engine import VARIANTS, final_assets
from ecbench.review.positions import YearPosition, played_again
from ecbench.review.rivals import seat_played_again
from ecbench.runs.arena.folder import SeatPlace
from ecbench.runs.errors import RunError
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.record.events import Terms
from ecbench.runs.record.reader import read_events
from ecbench.runs.workers.worker_process import LOST, Line, Task, Worker, heard_from, hire
from ecbench.world.load import load_world
from ecbench.world.model import World

PAUSE_SECONDS = 0.2  # between looks at the stop flag


class Question(NamedTuple):
    """What does a variant make of a position?"""

    position: YearPosition
    variant: int  # its number

    @property
    def key(self) -> tuple[str, int]:
        return self.position.check, self.variant


class Evaluation(NamedTuple):
    """What a variant made of a position."""

    check: str
    day: int
    variant: int
    assets: float

    @property
    def key(self) -> tuple[str, int]:
        return self.check, self.variant


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A year and what is to be found out about it, in a form that can be sent elsewhere."""

    terms: Terms
    world: str  # where it is found
    written: bytes  # the record
    questions: tuple[Question, ...]  # in the order of the year
    seat: SeatPlace | None = None  # of an arena, which must be within reach

    def parts(self, number: int) -> list["Inquiry"]:
        """Dealt out like cards: all parts are about equally long, since questions grow shorter through the year."""
        dealt = [self.questions[first::number] for first in range(number)]
        return [replace(self, questions=part) for part in dealt if part]


Ask = Callable[[Inquiry, int, StopFlag], Iterator[Evaluation]]
"""Answers as they come, with so many workers; fewer than there are questions once a stop is requested."""


def ask_here(inquiry: Inquiry, _jobs: int, stop: StopFlag) -> Iterator[Evaluation]:
    return answers(inquiry, load_world(inquiry.world), stop)


def answers(inquiry: Inquiry, world: World, stop: StopFlag) -> Iterator[Evaluation]:
    by_position = [(position, list(asked)) for position, asked in groupby(inquiry.questions, key=_position)]
    positions = [position for position, _ in by_position]
    if inquiry.seat is not None:
        years = seat_played_again(inquiry.seat, world, positions)
    else:
        years = played_again(inquiry.terms, world, read_events(inquiry.written, "the record"), positions)
    for (position, year), (_, asked) in zip(years, by_position, strict=True):
        for question in asked:
            if stop.requested:
                return
            assets = final_assets(year, VARIANTS[question.variant])
            yield Evaluation(position.check, position.day, question.variant, assets)


def _position(question: Question) -> YearPosition:
    return question.position


def ask_processes(inquiry: Inquiry, jobs: int, stop: StopFlag) -> Iterator[Evaluation]:
    return ask_workers([partial(send_answers, ask_here, part, 1) for part in inquiry.parts(jobs)], stop, end_workers)


def send_answers(ask: Ask, inquiry: Inquiry, jobs: int, line: Line, stop: StopFlag) -> None:
    """A worker's task: its answers, then what kept it from going on, or nothing."""
    with suppress(BrokenPipeError):
        try:
            for answer in ask(inquiry, jobs, stop):
                line.send(answer)
            line.send("")
        except RunError as problem:
            line.send(str(problem))


def ask_workers(tasks: Iterable[Task], stop: StopFlag, end: Callable[[Sequence[Worker]], None]) -> Iterator[Evaluation]:
    """What hired workers answer. None of them outlives this, and `end` is how they are made to go."""
    workers: list[Worker] = []
    with stop.ending(partial(end, workers)):
        try:
            workers.extend(hire(task) for task in tasks)
            yield from _heard(workers, stop)
        finally:
            end(workers)


def _heard(workers: Sequence[Worker], stop: StopFlag) -> Iterator[Evaluation]:
    working = dict(enumerate(workers))
    while working:
        if stop.requested:
            for worker in working.values():
                worker.tell_to_stop()
        for number, news in heard_from(working, PAUSE_SECONDS):
            if isinstance(news, Evaluation):
                yield news
                continue
            worker = working.pop(number)
            worker.dismiss()
            if news is LOST:
                raise RunError(
                    f"a worker was lost (exit code {worker.process.returncode}); what was found out is kept, so give "
                    "the command again"
                )
            if news:
                raise RunError(news)


def end_workers(workers: Sequence[Worker]) -> None:
    for worker in workers:
        worker.process.kill()
    for worker in workers:
        worker.kill()
