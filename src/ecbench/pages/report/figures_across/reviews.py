"""What reviews say of several runs: the share of the engine's value that each year kept, and what was lost to what."""

from collections.abc import Sequence
from statistics import fmean

from ecbench.formatting import yuan
from ecbench.metrics.losses.account import CAUSES
from ecbench.pages.report.figure import ReportFigure, Rows, chart, coloured, heat_map, mark, named, quantity, rows_high
from ecbench.pages.report.run_data import PlayedRun, review_of


def accuracies(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """By year, of those that were reviewed."""
    rows: Rows = []
    for run in runs:
        for year in run.distinct:
            review = review_of(year)
            if review is not None and review.accuracy is not None:
                rows.append({"name": run.label, "episode": year.episode, "percent": round(100 * review.accuracy, 2)})
    if not rows:
        return None
    means = {name: fmean(row["percent"] for row in rows if row["name"] == name) for name in _names(rows)}
    best = max(means, key=lambda name: means[name])
    caption = (
        f"What a year ended with, as a share of what the engine makes of its first day; a dot is a year that was "
        f"reviewed. The most: {best}, {means[best]:.1f}%."
    )
    x = quantity("percent", "Accuracy, %", scale={"zero": False})
    place = {"x": x, "y": named("name"), "color": {**coloured("name", means), "legend": None}}
    spec = chart(rows, mark("point", place, filled=True, size=90, opacity=0.8), width=210, height=rows_high(len(means)))
    return ReportFigure("accuracy", "Accuracy, by the engine", caption, rows, spec)


def losses_by_cause(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """A mean over the reviewed years of each run."""
    rows: Rows = []
    for run in runs:
        found = [review.lost for year in run.distinct if (review := review_of(year)) is not None]
        means = {cause.key: fmean(amounts[cause.key] for amounts in found) for cause in CAUSES} if found else {}
        most = max(means.values(), default=0.0)
        rows += [
            {"name": run.label, "cause": cause.title, "yuan": round(means[cause.key], 2),
             "share": means[cause.key] / most, "shown": _short(means[cause.key])}
            for cause in CAUSES
            if most > 0
        ]  # fmt: skip
    rows = [row for row in rows if any(other["yuan"] for other in rows if other["cause"] == row["cause"])]
    if not rows:
        return None
    largest = max(rows, key=lambda row: row["yuan"])
    caption = (
        f"Yuan a year, over the years that were reviewed; dark is a run's largest cause. The largest of all: "
        f"{largest['name']}, {largest['cause'].lower()}, {yuan(largest['yuan'])}. Causes may overlap and have no sum."
    )
    name, cause = named("name", axis={"labelAngle": -35, "labelLimit": 110}), named("cause")
    width, height = max(52 * len(_names(rows)), 90), rows_high(len({row["cause"] for row in rows})) + 30
    spec = heat_map(rows, name, cause, "share", width=width, height=height)
    return ReportFigure("reviewed-losses", "What was lost, by cause", caption, rows, spec)


def _names(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["name"] for row in rows))


def _short(amount: float) -> str:
    """Three figures at most: a cell is narrow."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if amount >= 0.9995 * unit:
            return f"{amount / unit:.3g}{letter}"
    return f"{amount:.0f}"
