"""Questions to the engine about one recorded year: what does a variant make of a position? Tasks of the worker pool.

A question is independent of all others, so it does not matter which worker answers it. The questions about one position
are one task. A worker replays the record forward from the position of one task to that of its next.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ecbench.cancellation import StopFlag
from ecbench.episode import Episode
from ecbench.errors import RunError
from ecbench.review.engine import VARIANTS, final_assets
from ecbench.review.positions import YearPosition, replay_positions
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.reader import read_record
from ecbench.runs.terms import Terms
from ecbench.runs.workers.pool import Send
from ecbench.runs.workers.sent_worlds import WorldFiles, packed_world, unpacked_world

Years = Iterator[tuple[YearPosition, Episode]]


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
class Questions:
    """The variants that are asked about one of the positions of a year; the answers are sent as messages."""

    positions: tuple[YearPosition, ...]  # all that are asked about, in the order of the year
    number: int
    variants: tuple[int, ...]

    def answer(self, place: str, replay: Callable[[], Years], send: Send, stop: StopFlag) -> None:
        position = self.positions[self.number]
        year = replayed_year(place, replay, self.number, position)
        for variant in self.variants:
            if stop.requested:
                return
            send(Evaluation(position.check, position.day, variant, final_assets(year, VARIANTS[variant])))


class ReplayedYear(NamedTuple):
    """A year that a worker has replayed up to a position."""

    place: str  # of the year
    number: int
    years: Years


_replayed: list[ReplayedYear] = []  # at most one, for the next task of this worker


def replayed_year(place: str, replay: Callable[[], Years], number: int, position: YearPosition) -> Episode:
    """The year at a position, replayed from an earlier one where this process stands there."""
    last = _replayed.pop() if _replayed else None
    years = last.years if last is not None and last.place == place and last.number < number else replay()
    year = next(year for each, year in years if each == position)
    _replayed.append(ReplayedYear(place, number, years))
    return year


def release_year() -> None:
    """Free the year that a task left in this process for the next one."""
    _replayed.clear()


@dataclass(frozen=True, slots=True)
class AskEngine:
    """Work: answer the questions about a position of a recorded year."""

    run: Run
    episode: int
    questions: Questions

    def __call__(self, send: Send, stop: StopFlag) -> None:
        place = self.run.results_folder(self.episode)  # which no other seat has
        self.questions.answer(str(place), self._replay, send, stop)

    def _replay(self) -> Years:
        run, episode = self.run, self.episode
        recording, world = read_episode(run, episode), run.load_world(episode)
        return replay_positions(run.terms_of(episode), world, recording, self.questions.positions)

    def detach(self, _send: Send) -> "DetachedQuestions":
        return DetachedQuestions(self)


class DetachedQuestions:
    """Questions that another machine answers: the record and its world are sent there."""

    def __init__(self, asked: AskEngine) -> None:
        self.remote = AskEngineRemotely(asked.run.terms_of(asked.episode), asked.questions)
        self.shared_key = asked.run.events_path(asked.episode)
        self._asked = asked

    def shared(self) -> tuple[WorldFiles, bytes]:
        run, episode = self._asked.run, self._asked.episode
        return packed_world(run.load_world(episode)), read_episode(run, episode).written

    def received(self, answer: Evaluation) -> Evaluation:
        return answer

    def finished(self, _result: None) -> None:
        """The answers have arrived."""

    def failed(self, problem: RunError) -> None:
        raise problem

    def close(self) -> None:
        """Nothing is open here."""


@dataclass(frozen=True, slots=True)
class AskEngineRemotely:
    """Work on another machine: answer the questions about a position."""

    terms: Terms
    questions: Questions

    def __call__(self, shared: tuple[WorldFiles, bytes], send: Send, stop: StopFlag) -> None:
        files, written = shared

        def replay() -> Years:
            recording = read_record(written, "the record")
            return replay_positions(self.terms, unpacked_world(files), recording, self.questions.positions)

        self.questions.answer(self.questions.positions[-1].check, replay, send, stop)
