"""What the calls of a year were spent on, week by week."""

from collections import Counter

from ecbench.metrics.efficiency import BAND_OF, BANDS, REMAINDER
from ecbench.report.figure import ReportFigure, Rows, chart, coloured, mark, quantity
from ecbench.report.figures_across.trade import TEMPLATES
from ecbench.report.year_data import ShownYear

WEEK = 7


def calls_by_week(year: ShownYear) -> ReportFigure | None:
    """A call counts to the day on which it acted."""
    found: Counter[tuple[int, str]] = Counter()
    for call in year.tables.calls if year.tables else ():
        found[call.day // WEEK, BAND_OF.get(call.tool, REMAINDER)] += 1
    if not found:
        return None
    rows: Rows = [{"week": week + 1, "band": band, "calls": count} for (week, band), count in sorted(found.items())]
    weeks: Counter[int] = Counter()
    for (week, _), count in found.items():
        weeks[week + 1] += count
    busiest = max(weeks, key=lambda week: weeks[week])
    caption = (
        f"{sum(weeks.values()):,} calls; the busiest week is {busiest} with {weeks[busiest]:,}, "
        f"a week has {sum(weeks.values()) / len(weeks):,.0f} on average."
    )
    encoding = {
        "x": quantity("week", "Week", axis={"tickMinStep": 1, "grid": False}),
        "y": quantity("calls", "Calls", stack="zero"),
        "color": coloured("band", BANDS, TEMPLATES),
    }
    bars = mark("bar", encoding, width=max(int(260 / max(weeks)), 2))
    return ReportFigure("calls", "Calls by week", caption, rows, chart(rows, bars))
