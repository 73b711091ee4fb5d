"""What a year held in stock and what its calls were spent on, week by week."""

from collections import Counter

from ecbench.market.calendar import WEEK
from ecbench.metrics.labels import BAND_OF, BANDS, REMAINDER
from ecbench.pages.report.figure import PARTS, ReportFigure, Rows, chart, coloured, mark, quantity, weekly_bars
from ecbench.pages.report.svg import GRID
from ecbench.pages.report.year_data import ShownYear


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
    encoding = {"y": quantity("calls", "Calls", stack="zero"), "color": coloured("band", BANDS, PARTS)}
    return ReportFigure("calls", "Calls by week", caption, rows, chart(rows, weekly_bars(weeks, encoding)))


def stock_by_age(year: ShownYear) -> ReportFigure | None:
    """Units held at the end of each week by how long they had been there."""
    lines = year.statement.lines("age") if year.statement else []
    names = ("week", "day", "age", "order", "units")
    rows = [{name: getattr(line, name) for name in names} for line in lines]
    weeks: dict[int, int] = {}
    for row in rows:
        weeks[row["week"]] = weeks.get(row["week"], 0) + row["units"]
    if not any(weeks.values()):
        return None
    fullest = max(weeks, key=lambda week: weeks[week])
    ages = list(dict.fromkeys(row["age"] for row in rows))
    oldest = ages[-1]
    old = sum(row["units"] for row in rows if row["age"] == oldest) / sum(weeks.values())
    caption = (
        f"The warehouse was fullest in week {fullest}, with {weeks[fullest]:,} units. {old:.0%} of all that lay there "
        f"at the end of a week had been there {oldest}. What is left at the end, {weeks[max(weeks)]:,} units, "
        "counts for nothing."
    )
    encoding = {
        "y": quantity("units", "Units", stack="zero"),
        "color": coloured("age", ages, PARTS),
        "order": {"field": "order", "type": "quantitative"},
    }
    floor = mark("rule", {"y": {"datum": 0}}, color=GRID)
    return ReportFigure("stock", "Stock by age", caption, rows, chart(rows, weekly_bars(weeks, encoding), floor))
