"""Making a review: find the positions of a year, ask the engine about them, and put the answers together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ecbench.analysis.review.business import replay_losses
from ecbench.analysis.review.curve import MARKS, Point, result_point, weeks_of
from ecbench.analysis.review.engine import ENGINE, FREE, VARIANTS, EngineLimits
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.positions import YearPosition, positions_of, record_head
from ecbench.analysis.review.questions import AskEngine, Evaluation, Questions, release_year
from ecbench.analysis.review.stored_review import (
    Evaluations,
    Key,
    delete_review,
    opened_evaluations,
    read_review,
    store_review,
)
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
from ecbench.runs.workers.pool import Executor, Finished, Lost

MONTHS_LOOKED_INTO = 3  # by a quick review, week by week
SETUP_DAYS = 12  # of play, about as long as the engine takes to look around first


@dataclass(frozen=True, slots=True)
class Depth:
    """How closely a year is looked at. Each look is a part of the next closer one, so nothing is asked twice."""

    quick: bool
    step: int  # days between positions
    variants: tuple[int, ...]


QUICK = Depth(quick=True, step=4 * WEEK, variants=(0, 5, 10, 15))  # each habit in half of them
FULL = Depth(quick=False, step=WEEK, variants=(0, 3, 5, 6, 9, 10, 12, 15))  # and each pair of habits in a quarter
THOROUGH = Depth(quick=False, step=WEEK, variants=tuple(range(len(VARIANTS))))


class PositionAsked(NamedTuple):
    """A position, the limits under which the engine takes it over, and its variants."""

    position: YearPosition
    limits: EngineLimits = FREE
    variants: tuple[int, ...] = ()

    @property
    def check(self) -> str:
        return self.position.check + self.limits.name


class Progress(NamedTuple):
    """How far a review has come."""

    answered: int
    questions: int
    work: float  # the share of the work that is done: early positions take longest


Tell = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A review, or none where it was stopped; and why it could not be stored."""

    review: Review | None
    problem: str = ""


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
) -> Reviewed:
    """From the folder where it lies already, else made and stored there; raises RunError where nothing is recorded.

    `again` deletes what is stored first.
    """
    recording = _readable(run, episode)
    folder, terms = run.review_folder(episode), run.terms_of(episode)
    if again:
        delete_review(folder)
    stored = read_review(folder, record_head(recording))
    if stored is not None and (depth.quick or not stored.quick) and stored.variants >= len(depth.variants):
        return Reviewed(stored)
    world = run.load_world(episode)  # whose id must be the recorded one
    year = replay_losses(run, episode)
    plans = plans_of(year.business, rules_of(terms), len(world.store_types))
    seat = run.seat(episode)
    positions, end = positions_of(recording, terms.stake, depth.step, seat), recording.end(seat)
    with opened_evaluations(folder, terms, anew=again) as evaluations:
        inquiry = Inquiry(run, episode, depth, plans, evaluations, Answering(executor, jobs, stop, tell))
        complete, known = inquiry.answered(positions), evaluations.known
        if complete and depth.quick:
            weekly = positions_of(recording, terms.stake, WEEK, seat)
            points = _points(end, positions, depth.variants, known)
            positions = near_losses(points, positions, weekly, terms.days)
            complete = inquiry.answered(positions)
    if not complete:
        return Reviewed(None)
    review = Review(
        engine=ENGINE,
        record=record_head(recording),
        agent=run.player.agent,
        world=terms.world.name,
        episode=episode,
        days=terms.days,
        quick=depth.quick,
        points=_points(end, positions, depth.variants, known),
        strategy=tuple(_part(plan, positions[0], known) for plan in plans),
        losses={cause: tuple(amounts) for cause, amounts in by_day(year.losses, len(year.business.sales) + 1)},
        business=year.business,
    )
    return Reviewed(review, store_review(folder, review))


class Answering(NamedTuple):
    """Where questions are answered, and who hears of it."""

    executor: Executor
    jobs: int
    stop: StopFlag
    tell: Tell


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Asks the engine about positions of one year, and about its first morning under the limits of some plans."""

    run: Run
    episode: int
    depth: Depth
    plans: Sequence[StrategyPlan]
    evaluations: Evaluations
    workers: Answering

    def answered(self, positions: Sequence[YearPosition]) -> bool:
        """Ask what is not known yet; returns whether everything is, and not where the review was stopped."""
        limited = {limits: None for plan in self.plans for limits in (plan.limited, plan.freer)}
        questions = [PositionAsked(position, variants=self.depth.variants) for position in positions]
        questions += [PositionAsked(positions[0], limits, QUICK.variants) for limits in limited]
        tasks = self._tasks(positions, questions)
        if tasks:
            executor, jobs, stop, tell = self.workers
            days = self.run.terms_of(self.episode).days
            receiver = AnswerReceiver(self.evaluations, questions, days, tell)
            executor.run(tasks, jobs, stop, receiver)
            release_year()
        return not self._tasks(positions, questions)

    def _tasks(self, positions: Sequence[YearPosition], questions: Sequence[PositionAsked]) -> list[AskEngine]:
        """A task for each position about which a variant has not answered yet."""
        tasks = []
        for each in questions:
            missing = tuple(one for one in each.variants if (each.check, one) not in self.evaluations.known)
            if missing:
                asked = Questions(tuple(positions), positions.index(each.position), missing, each.limits)
                tasks.append(AskEngine(self.run, self.episode, asked))
        return tasks


def near_losses(
    points: Sequence[Point], positions: Sequence[YearPosition], weekly: Sequence[YearPosition], days: int
) -> list[YearPosition]:
    """The positions, and the weekly ones in between where the months that lost most beyond the usual lost enough."""
    months = sorted(weeks_of(points, days), key=lambda month: -month.share)[:MONTHS_LOOKED_INTO]
    close = [month for month in months if month.share > MARKS[-1][0]]
    inside = [week for week in weekly if any(month.first_day < week.day <= month.last_day for month in close)]
    found = {position.check: position for position in (*positions, *inside)}
    return sorted(found.values(), key=lambda position: position.entries)


def _part(plan: StrategyPlan, opening: YearPosition, known: Mapping[Key, float]) -> StrategyPart:
    free, limited = (
        tuple(known[opening.check + limits.name, variant] for variant in QUICK.variants)
        for limits in (plan.freer, plan.limited)
    )
    return StrategyPart(plan.key, plan.had, free, limited)


def _readable(run: Run, episode: int) -> Recording:
    recording = read_episode(run, episode)
    if recording.damage:
        raise RunError(f"{recording.damage}. What is damaged cannot be reviewed; see ecbench resume --salvage")
    if not recording.turns_of(run.seat(episode)):
        raise RunError(f"{run.folder}, {run.called(episode)}: not one turn is recorded, so there is nothing to review")
    return recording


def _points(
    end: End | None, positions: list[YearPosition], variants: tuple[int, ...], known: Mapping[Key, float]
) -> tuple[Point, ...]:
    points = [
        Point(position.day, position.assets, tuple(known[position.check, variant] for variant in variants))
        for position in positions
    ]
    if is_over(end):
        points.append(result_point(end.day, end.final_assets, len(variants)))
    return tuple(points)


class AnswerReceiver:
    """Keeps the answers of the engine as they arrive, and reports the progress. A retried task repeats its answers."""

    def __init__(self, evaluations: Evaluations, questions: Sequence[PositionAsked], days: int, tell: Tell) -> None:
        asked = {(each.check, variant) for each in questions for variant in each.variants}
        self._evaluations = evaluations
        self._work_of = {each.check: SETUP_DAYS + max(0, days - each.position.day) for each in questions}
        self._questions = len(asked)
        self._answered = sum(key in evaluations.known for key in asked)
        self._done = 0.0
        self._work = sum(self._work_of[check] for check, variant in asked if (check, variant) not in evaluations.known)
        self._tell = tell
        tell(Progress(self._answered, self._questions, 0.0))

    def __call__(self, _number: int, answer: Evaluation | Finished | Lost) -> None:
        if isinstance(answer, Lost):
            kept = "all answers are kept, so give the command again"
            raise RunError(f"a position cannot be evaluated: {answer.problem}; {kept}")
        if isinstance(answer, Finished):
            return  # the answers have arrived
        if answer.key not in self._evaluations.known:
            self._evaluations.add(answer)
            self._answered += 1
            self._done += self._work_of[answer.check]
            self._tell(Progress(self._answered, self._questions, self._done / self._work))
