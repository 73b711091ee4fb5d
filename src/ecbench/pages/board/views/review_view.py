"""A review as the board shows it: what each position was worth, and what each week lost. All of it is hidden truth."""

from typing import Any

from ecbench.analysis.review.curve import VERDICTS, Week
from ecbench.analysis.review.marks import WeekMark
from ecbench.analysis.review.model import Review
from ecbench.formatting import yuan
from ecbench.metrics.losses.account import CAUSE_BY_KEY
from ecbench.pages.report.year_curve import chart_mark, review_points


def reviewed_year(review: Review) -> dict[str, Any]:
    """The values with their 95% bands at each position, the weeks in between, the marks and the strategy."""
    marked = [(mark.first_day, mark.last_day) for mark in review.marks]
    return {
        "legend": _legend(review),
        "points": review_points(review),
        "weeks": [_week(week, (week.first_day, week.last_day) in marked) for week in review.weeks],
        "marks": [_mark(mark) for mark in review.marks],
        "strategy": [
            {"title": part.title, "had": part.had, "loss": round(part.loss, 2), "band": round(part.band, 2)}
            for part in review.strategy
        ],
    }


def _legend(review: Review) -> str:
    look = "a quick look with a wider band: " if review.quick else ""
    kept = f" The episode kept {review.accuracy:.1%} ± {review.accuracy_band:.1%} of it." if review.accuracy else ""
    signs = ", ".join(f"{sign} {verdict}" for sign, verdict in VERDICTS.items())
    return (
        f"The final assets of the engine from here, with its 95% band ({yuan(review.points[0].mean)} from day 0; {look}"
        f"{review.variants} variants at each of {len(review.points)} positions).{kept} {signs}"
    )


def _week(week: Week, marked: bool) -> dict[str, Any]:
    what = f"{'gained' if week.loss < 0 else 'lost'} {yuan(abs(week.loss))} ± {yuan(week.band)}"
    told = (
        f"Days {week.first_day} to {week.last_day} {what} of the engine's value (95%); this player usually loses "
        f"{yuan(week.usual)} in such days."
    )
    if week.recovered_on is not None:
        told += f" It was made good by day {week.recovered_on}, so it has no mark."
    elif not marked and week.loss > week.usual:
        told += " No mark: chance or habit explains it, or it is less than 5% of the value."
    return {"first": week.first_day, "last": week.last_day, "loss": round(week.loss, 2), "sentence": told}


def _mark(mark: WeekMark) -> dict[str, Any]:
    lasting = f" It stayed unusual until day {mark.until}." if mark.until > mark.last_day else ""
    causes = [{"title": CAUSE_BY_KEY[cause].title, "yuan": round(amount, 2)} for cause, amount in mark.causes.items()]
    sentence = f"{yuan(mark.cost)} more than this player usually loses: {mark.certainty}.{lasting}"
    return {**chart_mark(mark), "cost": round(mark.cost, 2), "sentence": sentence, "causes": causes}
