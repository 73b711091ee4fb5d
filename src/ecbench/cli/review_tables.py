"""Tables of a review: the curve, the marks, the strategy, and what was lost by cause."""

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from ecbench.analysis.review.curve import Point
from ecbench.analysis.review.marks import WeekMark
from ecbench.analysis.review.model import Review
from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.formatting import yuan
from ecbench.metrics.losses.account import CAUSE_BY_KEY, CAUSES

BARS = "▁▂▃▄▅▆▇█"
INDENT = (0, 0, 0, 3)  # of the lines below a mark
MONTH = 28  # days between the rows of the curve, at least


def print_review(review: Review) -> None:
    console = plain_console()
    console.print(f"{review.agent} on {review.world}, episode {review.episode}: engine {review.engine}")
    _print_curve(console, review)
    _heading(console, "Where the money was lost, against what was possible at that moment")
    console.print(_losses(review))


def _heading(console: Console, text: str) -> None:
    """Print a heading; a table's own title would be wrapped to the width of the table."""
    console.print(f"\n{text}", style="bold")


def _print_curve(console: Console, review: Review) -> None:
    looked = "a quick look: every fourth week" if review.quick else "weekly"
    console.print(f"{review.variants} variants, {looked}; bands hold 95%\n", style="dim")
    console.print(f"Value  {sparkline(review)}")
    console.print(_accuracy(review))
    _heading(console, "The value of the episode, month by month")
    console.print(_curve(review))
    _heading(console, "Days that lost more than this player usually loses")
    _print_marks(console, review)
    if review.strategy:
        _heading(console, "The strategy: what the engine loses from day 0 when it has to do the same")
        console.print(_strategy(review))


def _accuracy(review: Review) -> str:
    """What the episode kept of the engine's value on day 0."""
    last, first = review.points[-1], review.opening
    what = "this episode ended with" if review.over else "the episode is now worth"
    kept = f"Accuracy {review.accuracy:.1%} ± {review.accuracy_band:.1%}: " if review.accuracy is not None else ""
    return f"{kept}{what} {yuan(last.mean)}; the engine makes {yuan(first.mean)} ± {yuan(first.band)} of day 0"


def _print_marks(console: Console, review: Review) -> None:
    if not review.marks:
        console.print("None: no week stands out, by the engine or by the account.")
    for mark in review.marks:
        went_on = f", unusual until day {mark.until}" if mark.until > mark.last_day else ""
        console.print(
            f"{mark.sign:2} days {mark.first_day}-{mark.last_day}: {yuan(mark.cost)} more than usual{went_on}"
        )
        console.print(Padding(_causes(mark), INDENT))
        console.print(Padding(mark.certainty, INDENT), style="dim")
    for week in review.withdrawn:
        days = f"Days {week.first_day}-{week.last_day}"
        console.print(f"{days} lost {yuan(week.excess)} more than usual, made good by day {week.recovered_on}: no mark")


def _causes(mark: WeekMark) -> str:
    named = (f"{CAUSE_BY_KEY[cause].title.lower()} {yuan(amount)}" for cause, amount in mark.causes.items())
    return "; ".join(named) or "the account has no cause for it"


def _strategy(review: Review) -> Table:
    rows = [(f"{part.title} ", f"{yuan(part.loss)} ", f"± {yuan(part.band)} ", part.had) for part in review.strategy]
    return plain_table("", ">Costs ", ">Band ", "This player had", rows=rows)


def sparkline(review: Review) -> str:
    """One bar for each position, from nothing to the highest value."""
    highest = max(point.mean for point in review.points)
    if highest <= 0:
        return BARS[0] * len(review.points)
    return "".join(BARS[round(max(0.0, point.mean) / highest * (len(BARS) - 1))] for point in review.points)


def _curve(review: Review) -> Table:
    table = plain_table(">Day ", ">Value ", ">Band ", ">Of day 0 ")
    shown = -MONTH
    for point in review.points:
        if point.day >= shown + MONTH or point is review.points[-1]:
            shown = point.day
            table.add_row(f"{point.day} ", f"{yuan(point.mean)} ", f"{_band(point)} ", f"{_share(review, point)} ")
    return table


def _band(point: Point) -> str:
    return "result" if point.over else f"± {yuan(point.band)}"


def _share(review: Review, point: Point) -> str:
    share = review.share(point)
    return "" if share is None else f"{share:.1%}"


def _losses(review: Review) -> Table:
    amounts = review.lost
    causes = sorted((cause for cause in CAUSES if amounts[cause.key] > 0), key=lambda cause: -amounts[cause.key])
    rows = [(f"{cause.title} ", f"{yuan(amounts[cause.key])} ", cause.kind) for cause in causes]
    return plain_table("", ">Yuan ", "Kind", rows=rows)
