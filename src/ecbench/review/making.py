"""Making a review: find the positions of a year, ask the engine about them, and put the answers together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.review.answers_file import Evaluations, Key, opened_evaluations
from ecbench.review.bill.making import bill_of
from ecbench.review.curve import Point, result_point
from ecbench.review.engine import ENGINE, VARIANTS
from ecbench.review.model import Review
from ecbench.review.positions import WEEK, YearPosition, positions_of, record_check
from ecbench.review.questions import AskEngine, Evaluation, Questions, release_year
from ecbench.review.stored_review import delete_review, read_review, store_review
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.events import End, is_over
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.checksum_manifest import read_checksums, verified_report
from ecbench.runs.workers.pool import Executor, Task, run_pool

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
    folder, terms = run.results_folder(episode), run.terms_of(episode)
    if again:
        delete_review(folder)
    stored = read_review(folder, record_check(recording))
    if stored is not None and (depth.quick or not stored.quick) and stored.variants >= len(depth.variants):
        return Reviewed(stored)
    positions = positions_of(recording, terms.stake, depth.step, terms.seat)
    with opened_evaluations(folder, terms, anew=again) as evaluations:
        known = evaluations.known
        tasks = _tasks(run, episode, positions, depth.variants, known)
        if tasks:
            run.load_world(episode)  # whose id must be the recorded one
            receiver = AnswerReceiver(evaluations, positions, depth, terms.days, tell)
            run_pool(tasks, receiver, executor=executor, jobs=jobs, stop=stop)
            release_year()
    if _tasks(run, episode, positions, depth.variants, known):
        return Reviewed(None)
    points = _points(recording.end(terms.seat), positions, depth.variants, known)
    review = _put_together(run, episode, recording, depth, points)
    return Reviewed(review, store_review(folder, review))


def _tasks(
    run: Run, episode: int, positions: Sequence[YearPosition], variants: Sequence[int], known: Mapping[Key, float]
) -> list[Task]:
    """A task for each position about which a variant has not answered yet."""
    tasks = []
    for number, position in enumerate(positions):
        asked = tuple(variant for variant in variants if (position.check, variant) not in known)
        if asked:
            tasks.append(Task(number, AskEngine(run, episode, Questions(tuple(positions), number, asked))))
    return tasks


def _put_together(run: Run, episode: int, recording: Recording, depth: Depth, points: tuple[Point, ...]) -> Review:
    terms = run.terms_of(episode)
    return Review(
        engine=ENGINE,
        record=record_check(recording),
        agent=terms.agent,
        world=terms.world,
        episode=episode,
        days=terms.days,
        quick=depth.quick,
        points=points,
        bill=bill_of(run, episode),
    )


def _readable(run: Run, episode: int) -> Recording:
    recording = read_episode(run, episode)
    if recording.damage:
        raise RunError(f"{recording.damage}. What is damaged cannot be reviewed; see ecbench resume --salvage")
    if recording.year_end is None and _was_over(run, episode):
        raise RunError(
            f"{run.events_path(episode)} has lost its end, which the files beside it were made with: it cannot be "
            f"reviewed; ecbench resume {run.folder} restores it"
        )
    if not recording.turns_of(run.seat(episode)):
        raise RunError(f"{run.folder}, {run.called(episode)}: not one turn is recorded, so there is nothing to review")
    return recording


def _was_over(run: Run, episode: int) -> bool:
    """Whether derived files, which match their checksums, were made when the year was over for good."""
    folder, seat = run.results_folder(episode), run.seat(episode)
    found = read_checksums(folder, seat)
    report = verified_report(folder, found.end, seat) if found else None
    return report is not None and report["run"].get("resumable") is False


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

    def __init__(
        self, evaluations: Evaluations, positions: Sequence[YearPosition], depth: Depth, days: int, tell: Tell
    ) -> None:
        asked = [(position.check, variant) for position in positions for variant in depth.variants]
        self._evaluations = evaluations
        self._work_of = {position.check: SETUP_DAYS + max(0, days - position.day) for position in positions}
        self._questions = len(asked)
        self._answered = sum(key in evaluations.known for key in asked)
        self._done = 0.0
        self._work = sum(self._work_of[check] for check, variant in asked if (check, variant) not in evaluations.known)
        self._tell = tell
        tell(Progress(self._answered, self._questions, 0.0))

    def received(self, _number: int, answer: Evaluation) -> None:
        if answer.key not in self._evaluations.known:
            self._evaluations.add(answer)
            self._answered += 1
            self._done += self._work_of[answer.check]
            self._tell(Progress(self._answered, self._questions, self._done / self._work))

    def finished(self, _number: int, _result: None) -> None:
        """The answers have arrived."""

    def given_up(self, _number: int, problem: str) -> None:
        raise RunError(f"a position cannot be evaluated: {problem}; all answers are kept, so give the command again")
