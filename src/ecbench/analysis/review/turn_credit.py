"""What each turn of a recorded year lost by the account, and what the engine says of the year before and after it."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from ecbench.analysis.review.curve import Point
from ecbench.analysis.review.recorded_year import replay_losses
from ecbench.analysis.review.stored_review import review_of_record
from ecbench.metrics.estimators import yuan
from ecbench.metrics.losses.account import DIGITS, Loss, by_cause, paid_total
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode


def turn_credits(run: Run, episode: int) -> dict[int, Mapping[str, Any]]:
    """What each complete turn at the entry's seat lost, by its number, so that the turns add up to the account.

    `value` is there if the year has a review. Raises as `replay_losses` does.
    """
    turns: dict[int, list[Loss]] = {}
    losses, _ = replay_losses(run, episode)
    for loss in losses:
        turns.setdefault(loss.turn or 0, []).append(loss)
    review = review_of_record(run, episode)
    credits: dict[int, Mapping[str, Any]] = {}
    began = 0
    for turn in read_episode(run, episode).complete_turns(run.seat(episode)):
        state = turn.state
        if state is not None:
            own = turns.get(len(credits) + 1, [])
            lost = {cause: round(amount, DIGITS) for cause, amount in by_cause(own).items() if amount}
            value = {"value": _values(review.points, began, state.day)} if review else {}
            credits[state.turn] = {"day": began, "lost": lost, "paid": yuan(paid_total(own)), **value}
            began = state.day
    return credits


def _values(points: Sequence[Point], began: int, ended: int) -> dict[str, Any]:
    """The engine's last value that was known when the turn began, and the first one after it."""
    days = [point.day for point in points]
    before = bisect_right(days, began) - 1
    after = min(max(bisect_left(days, ended), before + 1), len(points) - 1)
    return {"before": _value(points[before]), "after": _value(points[after])}


def _value(point: Point) -> dict[str, Any]:
    return {"day": point.day, "yuan": yuan(point.mean), "band": yuan(point.band)}
