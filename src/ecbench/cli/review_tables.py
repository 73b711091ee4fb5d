"""Tables of a review: the curve, the marks, the strategy, and what was lost by cause."""

from collections.abc import Iterator
from typing import Any

from rich.padding import Padding
from rich.table import Table

from ecbench.analysis.review.marks import WeekMark
from ecbench.analysis.review.model import Review
from ecbench.cli.table_printing import plain_table, words
from ecbench.formatting import yuan
from ecbench.metrics.losses.account import CAUSE_BY_KEY, CAUSES

INDENT = (0, 0, 0, 3)  # of the lines below a mark
MONTH = 28  # days between the rows of the curve, at least


def review_parts(review: Review) -> Iterator[Any]:
    """All of a review. Headings stand apart from their tables, whose titles are wrapped at the tables' width."""
    yield words(f"{review.agent} on {review.world}, episode {review.episode}: engine {review.engine}")
    looked = "a quick review: every fourth week" if review.quick else "weekly"
    yield words(f"{review.variants} variants, {looked}; bands hold 95%\n", "dim")
    yield words(_accuracy(review))
    yield words("\nThe value of the episode, month by month", "bold")
    yield _curve(review)
    yield words("\nDays that lost more than this player usually loses", "bold")
    yield from _marks(review)
    if review.strategy:
        yield words("\nThe strategy: what the engine loses from day 0 when it has to do the same", "bold")
        rows = [(each.title, yuan(each.loss), f"± {yuan(each.band)}", each.had) for each in review.strategy]
        yield plain_table("", ">Costs", ">Band", "This player had", rows=rows)
    yield words("\nWhere the money was lost, against what was possible at that moment", "bold")
    lost = sorted((cause for cause in CAUSES if review.lost[cause.key] > 0), key=lambda cause: -review.lost[cause.key])
    causes = [(cause.title, yuan(review.lost[cause.key]), cause.kind) for cause in lost]
    yield plain_table("", ">Yuan", "Kind", rows=causes)


def _accuracy(review: Review) -> str:
    """What the episode kept of the engine's value on day 0."""
    last, first = review.points[-1], review.opening
    what = "this episode ended with" if review.over else "the episode is now worth"
    kept = f"Accuracy {review.accuracy:.1%} ± {review.accuracy_band:.1%}: " if review.accuracy is not None else ""
    return f"{kept}{what} {yuan(last.mean)}; from day 0, the engine ends with {yuan(first.mean)} ± {yuan(first.band)}"


def _marks(review: Review) -> Iterator[Any]:
    if not review.marks:
        yield "None: no week stands out, by the engine or by the account."
    for mark in review.marks:
        went_on = f", unusual until day {mark.until}" if mark.until > mark.last_day else ""
        yield f"{mark.sign:2} days {mark.first_day}-{mark.last_day}: {yuan(mark.cost)} more than usual{went_on}"
        yield Padding(words(_causes(mark)), INDENT)
        yield Padding(words(mark.certainty, "dim"), INDENT)


def _causes(mark: WeekMark) -> str:
    named = (f"{CAUSE_BY_KEY[cause].title.lower()} {yuan(amount)}" for cause, amount in mark.causes.items())
    return "; ".join(named) or "the account has no cause for it"


def _curve(review: Review) -> Table:
    rows, shown = [], -MONTH
    for point in review.points:
        if point.day >= shown + MONTH or point is review.points[-1]:
            shown, share = point.day, review.share(point)
            band = "result" if point.over else f"± {yuan(point.band)}"
            rows.append((str(point.day), yuan(point.mean), band, "" if share is None else f"{share:.1%}"))
    return plain_table(">Day", ">Value", ">Band", ">Of day 0", rows=rows)
