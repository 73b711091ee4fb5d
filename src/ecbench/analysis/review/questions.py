"""Questions to the engine about one recorded year: what does a variant make of a position? Tasks of the worker pool.

A question is independent of all others, so it does not matter which worker answers it. The questions about one position
are one task. A worker replays the record forward from the position of one task to that of its next.
"""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ecbench.analysis.review.engine import FREE, VARIANTS, EngineLimits, final_assets
from ecbench.analysis.review.positions import YearPosition, replay_positions
from ecbench.cancellation import StopFlag
from ecbench.episode import Episode
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.workers.pool import Send

Years = Iterator[tuple[YearPosition, Episode]]


class Evaluation(NamedTuple):
    """What a variant made of a position."""

    check: str  # of the position, with the name of the limits
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
    limits: EngineLimits = FREE

    def answer(self, place: str, replay: Callable[[], Years], send: Send, stop: StopFlag) -> None:
        position = self.positions[self.number]
        year = replayed_year(place, replay, self.number, position)
        for variant in self.variants:
            if stop.requested:
                return
            assets = final_assets(year, VARIANTS[variant], self.limits)
            send(Evaluation(position.check + self.limits.name, position.day, variant, assets))


class ReplayedYear(NamedTuple):
    """A year that a worker has replayed up to a position."""

    place: str  # of the year
    number: int
    years: Years


class _Latest(threading.local):
    """What a thread replayed last, for its next task; tasks in other threads replay years of their own."""

    replayed: ReplayedYear | None = None


_latest = _Latest()


def replayed_year(place: str, replay: Callable[[], Years], number: int, position: YearPosition) -> Episode:
    """The year at a position, replayed from an earlier one where this thread stands there."""
    last, _latest.replayed = _latest.replayed, None
    years = last.years if last is not None and last.place == place and last.number < number else replay()
    year = next(year for each, year in years if each == position)
    _latest.replayed = ReplayedYear(place, number, years)
    return year


def release_year() -> None:
    """Free the year that a task left in this thread for the next one."""
    _latest.replayed = None


@dataclass(frozen=True, slots=True)
class AskEngine:
    """Work: answer the questions about a position of a recorded year."""

    run: Run
    episode: int
    questions: Questions

    def __call__(self, send: Send, stop: StopFlag) -> None:
        place = self.run.review_folder(self.episode)  # which no other seat has
        self.questions.answer(str(place), self._replay, send, stop)

    def _replay(self) -> Years:
        run, episode = self.run, self.episode
        recording, world = read_episode(run, episode), run.load_world(episode)
        return replay_positions(run.terms_of(episode), world, recording, self.questions.positions, run.seat(episode))
