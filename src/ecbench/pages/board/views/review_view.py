"""A review as the board shows it: what each position was worth, and what each week lost. All of it is hidden truth."""

from typing import Any

from ecbench.analysis.review.curve import VERDICTS, Week
from ecbench.analysis.review.marks import WeekMark
from ecbench.analysis.review.model import Review
from ecbench.metrics.losses.account import CAUSE_BY_KEY


def reviewed_year(review: Review) -> dict[str, Any]:
    """The values with their 95% bands at each position, the weeks in between, the marks and the strategy."""
    return {
        "quick": review.quick,
        "variants": review.variants,
        "accuracy": review.accuracy,
        "accuracy_band": review.accuracy_band,
        "points": [
            {"day": point.day, "value": round(point.mean, 2), "band": round(point.band, 2)} for point in review.points
        ],
        "weeks": [_week(week) for week in review.weeks],
        "marks": [_mark(mark) for mark in review.marks],
        "strategy": [
            {"title": part.title, "had": part.had, "loss": round(part.loss, 2), "band": round(part.band, 2)}
            for part in review.strategy
        ],
    }


def _week(week: Week) -> dict[str, Any]:
    """A loss below zero is a gain."""
    return {
        "first_day": week.first_day,
        "last_day": week.last_day,
        "start": round(week.start, 2),
        "loss": round(week.loss, 2),
        "band": round(week.band, 2),
        "usual": round(week.usual, 2),
        "recovered_on": week.recovered_on,
    }


def _mark(mark: WeekMark) -> dict[str, Any]:
    return {
        "first_day": mark.first_day,
        "last_day": mark.last_day,
        "until": mark.until,
        "mark": mark.sign,
        "verdict": VERDICTS[mark.sign],
        "cost": round(mark.cost, 2),
        "certainty": mark.certainty,
        "causes": [
            {"title": CAUSE_BY_KEY[cause].title, "yuan": round(amount, 2)} for cause, amount in mark.causes.items()
        ],
    }
