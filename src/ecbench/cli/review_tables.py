"""Tables of a review: the curve, the weeks that lost, the bill, and the steps from the engine's value to the result."""

from rich.console import Console
from rich.table import Table

from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.number_words import counted, yuan
from ecbench.review.bill.causes import CAUSE_BY_KEY, CAUSES
from ecbench.review.curve import Point
from ecbench.review.model import Review
from ecbench.review.verdicts import Week

BARS = "▁▂▃▄▅▆▇█"
MONTH = 28  # days between the rows of the curve, at least


def print_review(review: Review) -> None:
    console = plain_console()
    console.print(f"{review.agent} on {review.world}, episode {review.episode}: engine {review.engine}")
    _print_curve(console, review)
    _heading(console, "The bill: what was lost against what was possible at that moment")
    console.print(_bill(review))


def _heading(console: Console, text: str) -> None:
    """Print a heading; a table's own title would be wrapped to the width of the table."""
    console.print(f"\n{text}", style="bold")


def _print_curve(console: Console, review: Review) -> None:
    looked = "a quick look: every fourth week, a wider band" if review.quick else "weekly"
    console.print(f"{review.variants} variants, {looked}; bands hold 95%\n", style="dim")
    console.print(f"Value  {sparkline(review)}")
    _heading(console, "The value of the year, month by month")
    console.print(_curve(review))
    _heading(console, f"{review.span.capitalize()}s that lost")
    console.print(_weeks(review) if review.marked else "None lost more than its band and 5% of its value.")
    here = "this one" if review.over else "where this one stands"
    _heading(console, f"From the engine's year to {here}")
    console.print(_waterfall(review))
    if review.accuracy is not None:
        console.print(f"\nAccuracy {review.accuracy:.1%}: the share of its value that a {review.span} kept, on average")


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


def _weeks(review: Review) -> Table:
    rows = []
    for week in review.marked:
        lost = (f"{yuan(week.loss)} ", f"± {yuan(week.band)} ", f"{week.share:.1%} ")
        rows.append((f"{week.mark} ", f"{week.first_day}-{week.last_day} ", *lost, _causes(review, week)))
    return plain_table("", ">Days ", ">Lost ", ">Band ", ">Of its value ", "What the bill says", rows=rows)


def _causes(review: Review, week: Week) -> str:
    named = review.main_causes(week).items()
    return "; ".join(f"{CAUSE_BY_KEY[cause].title.lower()} {yuan(amount)}" for cause, amount in named)


def _waterfall(review: Review) -> Table:
    """Where the engine's value on day 0 went: the marked weeks by their mark, then all others together."""
    table = plain_table("", ">Yuan")
    table.add_row("the engine from day 0 ", yuan(review.points[0].mean))
    for mark, weeks in review.weeks_by_mark.items():
        called = f"marked {mark}" if mark else "without a mark"
        days = counted(sum(week.days for week in weeks), "day")
        table.add_row(f"{days} {called} ", yuan(-sum(week.loss for week in weeks)))
    end = "this year ended with " if review.over else "the engine from here "
    table.add_row(end, yuan(review.points[-1].mean))
    return table


def _bill(review: Review) -> Table:
    amounts = review.bill.by_cause()
    causes = sorted((cause for cause in CAUSES if amounts[cause.key] > 0), key=lambda cause: -amounts[cause.key])
    rows = [(f"{cause.title} ", f"{yuan(amounts[cause.key])} ", cause.kind) for cause in causes]
    return plain_table("", ">Yuan ", "Kind", rows=rows)
