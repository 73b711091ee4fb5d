"""Making a review: find the positions of a year, ask the engine about them in the pool, and combine the answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ecbench.analysis.review.curve import Point, result_point
from ecbench.analysis.review.engine import ENGINE, FREE, VARIANTS, EngineLimits, final_assets
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.recorded_year import (
    YearPosition,
    positions_of,
    record_head,
    replay_losses,
    replay_positions,
)
from ecbench.analysis.review.stored_review import StoredReview, read_stored, store_review
from ecbench.analysis.review.strategy import StrategyPart, StrategyPlan, plans_of
from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.market.calendar import WEEK
from ecbench.metrics.losses.account import by_day
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.lines import End, is_over
from ecbench.runs.record.reader import Recording
from ecbench.runs.terms import rules_of
from ecbench.runs.workers.pool import Executor, Finished, Lost, Send


class Question(NamedTuple):
    """What a variant makes of a position, under some limits."""

    position: YearPosition
    variant: int
    limits: EngineLimits = FREE

    @property
    def key(self) -> str:
        """Equal keys have equal answers, in all years under the same terms."""
        return f"{self.position.check}{self.limits.name}#{self.variant}"


class Evaluation(NamedTuple):
    question: Question
    assets: float


def ask_engine(run: Run, episode: int, questions: Sequence[Question], send: Send, stop: StopFlag) -> None:
    """Replay a recorded year once and send the answers to these questions on the way: the work of one worker."""
    asked = sorted(questions, key=lambda question: question.position.entries)
    years = replay_positions(run, episode, [question.position for question in asked])
    for question, year in zip(asked, years, strict=True):
        if stop.requested:
            return
        send(Evaluation(question, final_assets(year, VARIANTS[question.variant], question.limits)))


@dataclass(frozen=True, slots=True)
class Depth:
    """How closely a year is looked at. A quick look is a part of the full one, so nothing is asked twice."""

    quick: bool
    step: int  # days between positions
    variants: tuple[int, ...]


QUICK = Depth(quick=True, step=4 * WEEK, variants=(0, 5, 10, 15))  # each habit in half of them
FULL = Depth(quick=False, step=WEEK, variants=(0, 3, 5, 6, 9, 10, 12, 15))  # and each pair of habits in a quarter


class Progress(NamedTuple):
    """How many questions of a review are answered."""

    answered: int
    questions: int


Tell = Callable[[Progress], None]


def review_year(
    run: Run,
    episode: int,
    *,
    depth: Depth,
    executor: Executor,
    jobs: int,
    stop: StopFlag,
    tell: Tell,
    again: bool = False,
) -> Review | None:
    """The stored review of a year, else a new one; None if it was stopped. `again` asks everything anew.

    Raises RunError if nothing is recorded, or if the folder cannot be written to.
    """
    recording = _readable(run, episode)
    folder, terms = run.episode_folder(episode), run.terms_of(episode)
    stored = StoredReview() if again else read_stored(folder)
    kept = stored.review if stored.review and stored.review.record == record_head(recording) else None
    if kept is not None and (depth.quick or not kept.quick) and kept.variants >= len(depth.variants):
        return kept
    world = run.load_world(episode)  # whose id must be the recorded one
    losses, business = replay_losses(run, episode)
    plans = plans_of(business, rules_of(terms), len(world.store_types))
    positions = positions_of(recording, terms.stake, depth.step)
    limited = {limits: None for plan in plans for limits in (plan.limited, plan.freer)}
    questions = [Question(position, variant) for position in positions for variant in depth.variants]
    questions += [Question(positions[0], variant, limits) for limits in limited for variant in QUICK.variants]
    answers = Evaluations(folder, stored, questions, tell)
    missing = answers.missing()
    tasks = [partial(ask_engine, run, episode, missing[first::jobs]) for first in range(min(jobs, len(missing)))]
    executor.run(tasks, jobs, stop, answers)
    if answers.missing():
        return None
    review = Review(
        engine=ENGINE,
        record=record_head(recording),
        agent=run.player.agent,
        world=terms.world.name,
        episode=episode,
        days=terms.days,
        quick=depth.quick,
        points=_points(recording.end(0), positions, depth.variants, answers),
        strategy=tuple(_part(plan, positions[0], answers) for plan in plans),
        losses={cause: tuple(amounts) for cause, amounts in by_day(losses, len(business.sales) + 1)},
        business=business,
    )
    store_review(folder, review, answers.known)
    return review


def _points(
    end: End | None, positions: Sequence[YearPosition], variants: tuple[int, ...], answers: "Evaluations"
) -> tuple[Point, ...]:
    points = [
        Point(position.day, position.assets, tuple(answers.of(Question(position, variant)) for variant in variants))
        for position in positions
    ]
    return (*points, result_point(end.day, end.final_assets, len(variants))) if is_over(end) else tuple(points)


def _part(plan: StrategyPlan, opening: YearPosition, answers: "Evaluations") -> StrategyPart:
    free, limited = (
        tuple(answers.of(Question(opening, variant, limits)) for variant in QUICK.variants)
        for limits in (plan.freer, plan.limited)
    )
    return StrategyPart(plan.key, plan.had, free, limited)


def _readable(run: Run, episode: int) -> Recording:
    if run.seats > 1:
        raise RunError(f"{run.folder} is an arena; a review is of an episode that is alone in its market")
    recording = read_episode(run, episode)
    if recording.damage:
        raise RunError(f"{recording.damage}. What is damaged cannot be reviewed; see ecbench resume --salvage")
    if not recording.turns:
        raise RunError(f"{run.folder}, {run.called(episode)}: not one turn is recorded, so there is nothing to review")
    return recording


class Evaluations:
    """The answers to the questions about a year: what a folder has of them, and what arrives and is written there."""

    def __init__(self, folder: Path, stored: StoredReview, questions: Sequence[Question], tell: Tell) -> None:
        self._folder, self._tell = folder, tell
        self._before = stored.review  # it stays there until there is a better one
        self._questions = {question.key: question for question in questions}
        self.known: dict[str, float] = dict(stored.answers)
        self._tell_progress()

    def missing(self) -> list[Question]:
        return [question for key, question in self._questions.items() if key not in self.known]

    def of(self, question: Question) -> float:
        return self.known[question.key]

    def _tell_progress(self) -> None:
        self._tell(Progress(len(self._questions) - len(self.missing()), len(self._questions)))

    def __call__(self, _number: int, message: Evaluation | Finished | Lost) -> None:
        if isinstance(message, Lost):
            kept = "all answers are kept, so give the command again"
            raise RunError(f"a position cannot be evaluated: {message.problem}; {kept}")
        if isinstance(message, Evaluation) and message.question.key not in self.known:
            self.known[message.question.key] = message.assets
            store_review(self._folder, self._before, self.known)
            self._tell_progress()
