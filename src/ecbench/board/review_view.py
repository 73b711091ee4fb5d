"""A review as the board shows it: what each position was worth, and what each week lost. All of it is hidden truth."""

from dataclasses import dataclass
from typing import Final

from ecbench.review.bill.causes import CAUSE_BY_KEY
from ecbench.review.curve import Point
from ecbench.review.model import Review
from ecbench.review.verdicts import Week

VERDICTS: Final = {"??": "blunder", "?": "mistake", "?!": "inaccuracy"}


@dataclass(frozen=True, slots=True)
class ValuePoint:
    """What the engine would end the year with from here, give or take the band."""

    day: int
    value: float
    band: float


@dataclass(frozen=True, slots=True)
class WeekCause:
    """A line of the bill for a week."""

    title: str
    yuan: float


@dataclass(frozen=True, slots=True)
class ReviewedWeek:
    """Days between two positions. A loss below zero is a gain; without a mark chance may explain it."""

    first_day: int
    last_day: int
    mark: str
    verdict: str  # the mark in a word
    start: float
    loss: float
    band: float
    share: float  # of the value at its start
    causes: list[WeekCause]  # of a marked week: what stands out most from the year's others


@dataclass(frozen=True, slots=True)
class ReviewedYear:
    quick: bool
    span: str  # what lies between two positions: week, month
    variants: int
    accuracy: float | None
    points: list[ValuePoint]
    weeks: list[ReviewedWeek]


def reviewed_year(review: Review) -> ReviewedYear:
    return ReviewedYear(
        quick=review.quick,
        span=review.span,
        variants=review.variants,
        accuracy=review.accuracy,
        points=[_value(point) for point in review.points],
        weeks=[_week(review, week) for week in review.weeks],
    )


def _value(point: Point) -> ValuePoint:
    return ValuePoint(point.day, round(point.mean, 2), round(point.band, 2))


def _week(review: Review, week: Week) -> ReviewedWeek:
    causes = review.main_causes(week) if week.mark else {}
    return ReviewedWeek(
        first_day=week.first_day,
        last_day=week.last_day,
        mark=week.mark,
        verdict=VERDICTS.get(week.mark, ""),
        start=round(week.start, 2),
        loss=round(week.loss, 2),
        band=round(week.band, 2),
        share=week.share,
        causes=[WeekCause(CAUSE_BY_KEY[cause].title, round(amount, 2)) for cause, amount in causes.items()],
    )
