"""Total assets over the year: the mean of a run, and every year of it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

from ecbench.formatting import counted, yuan
from ecbench.pages.report.figure import COLOURS, YUAN, ReportFigure, Rows, chart, coloured, decades, mark, quantity
from ecbench.pages.report.run_data import PlayedRun, PlayedYear
from ecbench.pages.report.svg import INK, Spec

STEP_DAYS = 7  # between the points of a curve
CROSS: dict[str, Any] = {"shape": "cross", "angle": 45, "filled": True, "size": 70, "color": "var(--bad)"}


def trajectories(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """The mean of the years still running, with their range (fig:balance_traj)."""
    rows: Rows = []
    for run in runs:
        rows += _mean_curve(run)
    if len(rows) < 2:
        return None
    labels = list(dict.fromkeys(row["run"] for row in rows))
    ahead = max(rows, key=lambda row: row["mean"])
    caption = (
        f"Mean over the years of a run that were still running; the band reaches from the least to the most. The most "
        f"on any day: {yuan(ahead['mean'])}, {ahead['run']} on day {ahead['day']}. {_fallen(runs)}"
    )
    if any(row["survivors"] for row in rows):
        caption += " Dashed: some years had ended, so the mean is that of the survivors."
    y = _yuan_axis("mean", [row[name] for row in rows for name in ("least", "most")])
    colour = {"color": coloured("run", labels)}
    place = {"x": quantity("day", "Day", scale={"nice": False})}
    spec = chart(
        rows,
        mark("area", {**place, **colour, "y": {**y, "field": "least"}, "y2": {"field": "most"}},
             opacity=0.15 if len(labels) <= len(COLOURS) else 0.05),
        mark("line", {**place, **colour, "y": y}, "!datum.survivors", strokeWidth=1.8),
        mark("line", {**place, **colour, "y": y}, "datum.survivors || datum.last_of_all", strokeWidth=1.8,
             strokeDash=[4, 3]),
        {"data": {"values": _crosses(runs)}, **mark("point", {**place, "y": {**y, "field": "total"}}, **CROSS)},
    )  # fmt: skip
    title = "Mean total assets over the year"
    return ReportFigure("trajectories", title, caption, rows, spec, paper="fig:balance_traj")


def _by_day(year: PlayedYear) -> Mapping[int, float]:
    """Total assets by day; of the last day what the year ended with."""
    return {row.day: round(row.total, 2) for row in year.money}


def _drawn(totals: Mapping[int, float]) -> list[int]:
    return [day for day in totals if day % STEP_DAYS == 0 or day == max(totals)]


def _mean_curve(run: PlayedRun) -> Rows:
    """Of the years that are over; a year that is not enters no mean."""
    years = [_by_day(year) for year in run.over]
    rows: Rows = []
    for day in sorted({day for totals in years for day in _drawn(totals)}):
        held = [totals[day] for totals in years if day in totals]
        rows.append({"run": run.label, "day": day, "years": len(held), "mean": round(fmean(held), 2),
                     "least": min(held), "most": max(held), "survivors": len(held) < len(years),
                     "last_of_all": False})  # fmt: skip
    for row, following in pairwise(rows):
        row["last_of_all"] = following["survivors"] and not row["survivors"]
    return rows


def _crosses(runs: Sequence[PlayedRun]) -> Rows:
    failed = [(run, year) for run in runs for year in run.over if year.bankrupt]
    return [{"run": run.label, "day": year.money[-1].day, "total": year.money[-1].total} for run, year in failed]


def _fallen(runs: Sequence[PlayedRun]) -> str:
    count = len(_crosses(runs))
    return f"{counted(count, 'year')} ended in bankruptcy (cross)." if count else "No year ended in bankruptcy."


def episodes(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Every year a thin line, their mean a thick one, a panel a run (fig:balance_all18)."""
    rows: Rows = []
    for run in runs:
        for year in run.years:
            totals = _by_day(year)
            failed = year.bankrupt
            rows += [{"run": run.label, "episode": str(year.episode), "day": day, "total": totals[day],
                      "bankrupt": failed and day == max(totals)} for day in _drawn(totals)]  # fmt: skip
    several = any(len(run.years) > 1 or not run.over for run in runs)
    if len(rows) < 2 or not several:
        return None
    for run in runs:
        rows += [{"run": run.label, "episode": "mean", "day": row["day"], "total": row["mean"], "bankrupt": False}
                 for row in _mean_curve(run)]  # fmt: skip
    best = max(rows, key=lambda row: row["total"])
    years = len({(row["run"], row["episode"]) for row in rows if row["episode"] != "mean"})
    caption = (
        f"{counted(years, 'year')}, a thin line each; thick: the mean of those still running; dashed: the stake. "
        f"{_fallen(runs)} The most on any day: {yuan(best['total'])}, {best['run']} on day {best['day']}."
    )
    stakes = sorted({run.run.terms.stake for run in runs})
    return ReportFigure(
        "episodes", "Total assets, year by year", caption, rows, _draw_years(rows, stakes), "fig:balance_all18"
    )


def _draw_years(rows: Rows, stakes: Sequence[float]) -> Spec:
    labels = list(dict.fromkeys(row["run"] for row in rows))
    place = {
        "x": quantity("day", "Day", scale={"nice": False}),
        "y": _yuan_axis("total", [row["total"] for row in rows]),
        "detail": {"field": "episode", "type": "nominal"},
    }
    colour = {"color": {**coloured("run", labels), "legend": None}}
    stake = {**mark("rule", {"y": {"field": "stake", "type": "quantitative"}}, strokeDash=[3, 3], color="var(--bad)"),
             "data": {"values": [{"stake": stake} for stake in stakes]}}  # fmt: skip
    layers = [
        stake,
        mark("line", {**place, **colour}, "datum.episode != 'mean'", strokeWidth=1, opacity=0.8),
        mark("line", place, "datum.episode == 'mean'", strokeWidth=2, color=INK),
        mark("point", place, "datum.bankrupt", **CROSS),
    ]
    alone = len(labels) == 1
    return {
        "data": {"values": rows},
        "facet": {"field": "run", "type": "nominal", "sort": labels, "header": {"title": None, "labelLimit": 150}},
        "columns": 1 if alone else 2,
        "spec": {"width": 300 if alone else 140, "height": 180 if alone else 110, "layer": layers},
        "spacing": 14,
    }


def _yuan_axis(name: str, totals: Sequence[float]) -> Spec:
    scale = {"type": "symlog", "constant": 50_000, "nice": False}
    return quantity(
        name, "Total assets", scale=scale, axis={"labelExpr": YUAN, "values": decades(min(totals), max(totals))}
    )
