"""The review of a year: the value of its positions and the weeks that lost, the strategy, and the losses by cause."""

from ecbench.analysis.review.curve import SIGNS
from ecbench.analysis.review.marks import WeekMark
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.strategy import TOGETHER
from ecbench.formatting import yuan
from ecbench.metrics.losses.account import CAUSE_BY_KEY
from ecbench.pages.report.figure import (
    YUAN,
    ReportFigure,
    Rows,
    chart,
    coloured,
    mark,
    named,
    quantity,
    rows_high,
    texts_at,
)
from ecbench.pages.report.svg import ACCENT, INK
from ecbench.pages.report.year_data import ShownYear

KINDS = {"paid": "var(--bad)", "missed": "var(--part-6)"}
LINES = {"value": ACCENT, "assets": INK}


def evaluation(year: ShownYear) -> ReportFigure | None:
    """What the engine makes of the year from each week on, with the band, the money beside it and the marks."""
    review = year.review
    if review is None or len(review.points) < 2:
        return None
    blank = dict.fromkeys(("day", "line", "yuan", "low", "high", "mark"))
    rows: Rows = [
        {**blank, "day": point.day, "line": line, "yuan": round(amount, 2)}
        for point in review.points
        for line, amount in (("value", point.mean), ("assets", point.assets))
    ]
    rows += [
        {**blank, "day": point.day, "line": "band", "low": point.mean - point.band, "high": point.mean + point.band}
        for point in review.points
    ]
    rows += [
        {**blank, "day": mark.first_day, "line": "mark", "yuan": _value_on(review, mark.first_day), "mark": mark.sign}
        for mark in review.marks
    ]
    x = {"x": quantity("day", "Day", scale={"domain": [0, max(review.points[-1].day, 1)]})}
    y = quantity("yuan", None, axis={"labelExpr": YUAN})
    band = {**x, "y": {**y, "field": "low"}, "y2": {"field": "high"}}
    lines = {**x, "y": y, "color": coloured("line", LINES, tuple(LINES.values()))}
    spec = chart(
        rows,
        mark("area", band, "datum.line === 'band'", opacity=0.25, color=ACCENT),
        mark("line", lines, "datum.line === 'value' || datum.line === 'assets'", strokeWidth=1.6),
        mark("text", {**x, "y": y, "text": {"field": "mark"}}, "datum.line === 'mark'", dy=-9, fontSize=12,
             fontWeight="bold", color="var(--bad)"),
        height=190,
    )  # fmt: skip
    return ReportFigure("review", "What the year was worth, week by week", _evaluation_caption(review), rows, spec)


def _evaluation_caption(review: Review) -> str:
    first, last = review.points[0], review.points[-1]
    ended = "ended with" if review.over else "is now worth"
    caption = f"The engine makes {yuan(first.mean)} of day 0; this year {ended} {yuan(last.mean)}."
    if review.accuracy is not None:
        caption += f" That is {review.accuracy:.1%} of it."
    if not review.marks:
        return f"{caption} No week stands out from this player's others."
    worst = max(review.marks, key=lambda mark: mark.cost)
    days, signs = f"days {worst.first_day} to {worst.last_day}", [mark.sign for mark in review.marks]
    counts = ", ".join(f"{signs.count(sign)} {sign}" for sign in SIGNS if sign in signs)
    return f"{caption} Marks: {counts}; the most was lost in {days}: {cost_with_causes(worst)}."


def cost_with_causes(mark: WeekMark) -> str:
    """What a mark says was lost, to which causes, and how sure that is."""
    causes = ", ".join(CAUSE_BY_KEY[cause].title.lower() for cause in mark.causes)
    return f"{yuan(mark.cost)} more than usual" + (f" ({causes})" if causes else "") + f"; {mark.certainty}"


def _value_on(review: Review, day: int) -> float:
    return max((point for point in review.points if point.day <= day), key=lambda point: point.day).mean


def strategy(year: ShownYear) -> ReportFigure | None:
    """What each part of the player's strategy costs the engine, from day 0."""
    review = year.review
    if review is None or not review.strategy:
        return None
    rows: Rows = [
        {"part": part.title, "had": part.had, "yuan": round(part.loss, 2),
         "low": part.loss - part.band, "high": part.loss + part.band, "shown": yuan(part.loss)}
        for part in review.strategy
    ]  # fmt: skip
    most = max((part for part in review.strategy if part.key != TOGETHER), key=lambda part: part.loss)
    had = f" ({most.had})" if most.had else ""
    caption = (
        "The engine's year from day 0, freely and under this player's limits; lines hold 95%. The most: "
        f"{most.title.lower()}{had}, {yuan(most.loss)}, give or take {yuan(most.band)}. "
        "The parts overlap: they have no sum."
    )
    highest = max(0.0, *(row["high"] for row in rows))
    x = quantity("yuan", "Yuan", axis={"labelExpr": YUAN}, scale={"domainMax": 1.45 * highest, "nice": False})
    place = {"y": named("part")}
    spec = chart(
        rows,
        mark("bar", {**place, "x": x}, height=12, color=ACCENT),
        mark("rule", {**place, "x": {**x, "field": "low"}, "x2": {"field": "high"}}, color=INK),
        texts_at({**place, "x": {**x, "field": "high"}}),
        width=180,
        height=rows_high(len(rows)) + 20,
    )
    return ReportFigure("strategy", "What the strategy cost", caption, rows, spec)


def losses(year: ShownYear) -> ReportFigure | None:
    """What the year lost against what was possible at each moment, by cause; what prices lost only with a review."""
    found = {line.cause: line.amount for line in year.statement.lines("loss")} if year.statement else {}
    if year.review is not None:
        found |= {cause: amount for cause, amount in year.review.lost.items() if amount > 0}
    rows: Rows = [
        {"cause": CAUSE_BY_KEY[cause].title, "kind": CAUSE_BY_KEY[cause].kind,
         "yuan": round(found[cause], 2), "shown": yuan(found[cause])}
        for cause in sorted(found, key=lambda cause: -found[cause])
    ]  # fmt: skip
    if not rows:
        return None
    caption = (
        f"The largest: {rows[0]['cause'].lower()}, {rows[0]['shown']}. What was missed is computed cause by cause, "
        "with everything else as it was: these amounts may overlap and have no sum."
    )
    x = quantity("yuan", "Yuan", axis={"labelExpr": YUAN}, scale={"domainMax": 1.45 * rows[0]["yuan"], "nice": False})
    place = {"y": named("cause")}
    spec = chart(
        rows,
        mark("bar", {**place, "x": x, "color": coloured("kind", KINDS, tuple(KINDS.values()))}, height=12),
        texts_at({**place, "x": x}),
        width=180,
        height=rows_high(len(rows)) + 20,
    )
    return ReportFigure("losses", "Where the money was lost", caption, rows, spec)
