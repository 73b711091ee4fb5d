"""The data of a year's chart, in the form that `components/static/year_chart.js` takes."""

from collections.abc import Mapping
from typing import Any, TypeVar

from ecbench.analysis.review.curve import VERDICTS
from ecbench.analysis.review.marks import WeekMark
from ecbench.analysis.review.model import Review
from ecbench.formatting import yuan
from ecbench.metrics.losses.account import CAUSE_BY_KEY
from ecbench.pages.report.names import spaced
from ecbench.pages.report.year_data import ShownYear
from ecbench.pages.year_days import calendar_spans, chart_of

Row = TypeVar("Row")


def year_curve(year: ShownYear) -> dict[str, Any] | None:
    """Money by day, calendar, overdrawn mornings, failure modes and review; None of less than a day."""
    if len(year.money) < 2:
        return None
    funds, last = _by_day({row.day: row for row in year.money}), year.money[-1].day
    failures = dict.fromkeys((hit.mode, hit.day) for hit in (year.tables.failures if year.tables else ()))
    return {
        **chart_of(funds, last, year.world, calendar_spans(year.world, last) if year.world else ()),
        "dots": [{"day": day, "text": spaced(mode)} for mode, day in failures],
        "value": review_points(year.review) if year.review else None,
        "marks": [chart_mark(mark) for mark in year.review.marks] if year.review else [],
    }


def _by_day(rows: Mapping[int, Row]) -> list[Row]:
    """From day 0 on; for a day without a row that of the day before."""
    found = [rows[0]]
    for day in range(1, max(rows) + 1):
        found.append(rows.get(day, found[-1]))
    return found


def review_points(review: Review) -> list[dict[str, Any]]:
    return [{"day": point.day, "value": round(point.mean), "band": round(point.band)} for point in review.points]


def chart_mark(mark: WeekMark) -> dict[str, Any]:
    kind = VERDICTS[mark.sign]
    text = f"{kind}, days {mark.first_day} to {mark.last_day}, {cost_with_causes(mark)}"
    return {"day": mark.first_day, "last": mark.last_day, "sign": mark.sign, "kind": kind, "text": text}


def cost_with_causes(mark: WeekMark) -> str:
    """What a mark says was lost, to which causes, and how sure that is."""
    causes = ", ".join(CAUSE_BY_KEY[cause].title.lower() for cause in mark.causes)
    return f"{yuan(mark.cost)} more than usual" + (f" ({causes})" if causes else "") + f"; {mark.certainty}"
