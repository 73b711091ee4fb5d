"""A review as the board shows it: what each position was worth, and what each week lost. All of it is hidden truth."""

from typing import Any

from ecbench.review.bill.causes import CAUSE_BY_KEY
from ecbench.review.model import Review
from ecbench.review.verdicts import VERDICTS, Week


def reviewed_year(review: Review) -> dict[str, Any]:
    """The values with their 95% bands at each position, and the weeks between two positions."""
    return {
        "quick": review.quick,
        "span": review.span,
        "variants": review.variants,
        "accuracy": review.accuracy,
        "points": [
            {"day": point.day, "value": round(point.mean, 2), "band": round(point.band, 2)} for point in review.points
        ],
        "weeks": [_week(review, week) for week in review.weeks],
    }


def _week(review: Review, week: Week) -> dict[str, Any]:
    """A loss below zero is a gain; without a mark chance may explain it. Causes are those of a marked week."""
    causes = review.main_causes(week) if week.mark else {}
    return {
        "first_day": week.first_day,
        "last_day": week.last_day,
        "mark": week.mark,
        "verdict": VERDICTS.get(week.mark, ""),
        "start": round(week.start, 2),
        "loss": round(week.loss, 2),
        "band": round(week.band, 2),
        "share": week.share,
        "causes": [{"title": CAUSE_BY_KEY[cause].title, "yuan": round(amount, 2)} for cause, amount in causes.items()],
    }
