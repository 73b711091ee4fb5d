"""What the calls of a year were spent on, week by week."""

from collections import Counter

from ecbench.metrics.efficiency import BAND_OF, BANDS, REMAINDER
from ecbench.report.across.trade import TEMPLATES
from ecbench.report.figure import ReportFigure, Rows, chart, coloured, mark, quantity
from ecbench.report.played import PlayedYear
from ecbench.runs.calls import tool_name
from ecbench.runs.reader import Recording

WEEK = 7


def calls_by_week(_year: PlayedYear, recording: Recording) -> ReportFigure | None:
    """A turn counts to the day on which it began."""
    found: Counter[tuple[int, str]] = Counter()
    day = 0
    for turn, state in zip(recording.turns, recording.states, strict=True):
        for call in turn.calls:
            found[day // WEEK, BAND_OF.get(tool_name(call["name"]), REMAINDER)] += 1
        day = state.day
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
