"""Places on the seven axes, among the runs of the report and the paper's models."""

from collections.abc import Sequence
from math import cos, pi, sin
from statistics import median

from ecbench.metrics.axes import AXES
from ecbench.metrics.places import Entrant, paper_entrants, places, share_beaten
from ecbench.report.figure import PALE, ReportFigure, Rows, chart, coloured, mark
from ecbench.report.run_data import PlayedRun
from ecbench.report.svg import GRID, MUTED, Spec


def profiles(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """A radar a run: the share of the paper's models it beats on each axis (fig:profiles)."""
    rows: Rows = []
    for run in runs:
        if not run.summary.no_place:
            scores = [share_beaten(run.entrant, axis, paper_entrants()) for axis in AXES]
            rows += [_corner(run.label, number, score) for number, score in enumerate(scores)]
    if not rows:
        return None
    known = [row for row in rows if row["score"] is not None]
    best = max(known, key=lambda row: row["score"])
    worst = min(known, key=lambda row: row["score"])
    caption = (
        "Outside beats all of the paper's models on that axis, the dashed ring half of them, the middle none; an axis "
        f"without a place lies in the middle. Best: {best['run']} on {best['axis']} ({best['score']:.0%}); "
        f"weakest: {worst['run']} on {worst['axis']} ({worst['score']:.0%})."
    )
    return ReportFigure("profiles", "Profiles on the seven axes", caption, rows, _radars(rows), paper="fig:profiles")


def _corner(label: str, number: int, score: float | None) -> dict[str, object]:
    angle, reach = 2 * pi * number / len(AXES), score or 0.0
    return {"run": label, "axis": AXES[number].title, "score": score, "order": number,
            "x": round(reach * sin(angle), 4), "y": round(reach * cos(angle), 4)}  # fmt: skip


def _ring(radius: float) -> Rows:
    corners = range(len(AXES) + 1)
    angles = [2 * pi * corner / len(AXES) for corner in corners]
    return [{"x": radius * sin(angle), "y": radius * cos(angle), "order": corner}
            for corner, angle in zip(corners, angles, strict=True)]  # fmt: skip


def _radars(rows: Rows) -> Spec:
    labels = list(dict.fromkeys(str(row["run"]) for row in rows))
    # A polygon ends where it began.
    closed = rows + [{**row, "order": len(AXES)} for row in rows if row["order"] == 0]
    x = {"field": "x", "type": "quantitative", "axis": None, "scale": {"domain": [-1.45, 1.45]}}
    y = {**x, "field": "y", "scale": {"domain": [-1.3, 1.3]}}
    place = {"x": x, "y": y, "order": {"field": "order", "type": "quantitative"}}
    names = [{"x": 1.2 * cell["x"], "y": 1.15 * cell["y"], "axis": axis.title} for cell, axis in zip(_ring(1), AXES)]
    layers = [
        {"data": {"values": _ring(1)}, **mark("line", place, color=GRID, strokeWidth=1)},
        {"data": {"values": _ring(0.5)}, **mark("line", place, color=GRID, strokeWidth=1, strokeDash=[3, 3])},
        {"data": {"values": names}, **mark("text", {**place, "text": {"field": "axis"}}, color=MUTED, fontSize=10)},
        mark("line", {**place, "color": {**coloured("run", labels), "legend": None}}, strokeWidth=2),
        mark("point", {**place, "color": {**coloured("run", labels), "legend": None}}, filled=True, size=30),
    ]
    return {
        "data": {"values": closed},
        "facet": {"field": "run", "type": "nominal", "sort": labels, "header": {"title": None, "labelLimit": 170}},
        "columns": 2,
        "spec": {"width": 165, "height": 150, "layer": layers},
        "spacing": 12,
    }


def rank_bump(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Places on every axis, joined by lines (fig:ranks)."""
    own = [run.entrant for run in runs if not run.summary.no_place]
    if not own:
        return None
    rows, labels = _places(own, paper_entrants()), [who.name for who in own]
    swings = {label: [row["place"] for row in rows if row["name"] == label] for label in labels}
    widest = max(swings, key=lambda label: max(swings[label]) - min(swings[label]))
    middle = median(swings[widest])
    caption = (
        f"Among {len(own) + len(paper_entrants())}: {widest} lies between place {min(swings[widest])} and place "
        f"{max(swings[widest])}, in the middle at {middle:g}. A good place on one axis does not imply one on another."
    )
    apart = _draw_bump(_places(own, ()), labels) if len(own) > 1 else None
    return ReportFigure(
        "ranks", "Places on each axis", caption, rows, _draw_bump(rows, labels), "fig:ranks", True, apart
    )


def _places(own: Sequence[Entrant], papers: Sequence[Entrant]) -> Rows:
    entrants = [*papers, *own]
    return [
        {"name": who.name, "axis": axis.title, "order": number, "place": place, "published": who in papers}
        for number, axis in enumerate(AXES)
        for who, place in zip(entrants, places(entrants, axis), strict=True)
        if place is not None
    ]


def _draw_bump(rows: Rows, labels: Sequence[str]) -> Spec:
    last = max(row["place"] for row in rows)
    ticks = [1, *range(5, last, 5), last]
    place = {
        "x": {"field": "axis", "type": "nominal", "sort": None, "title": None, "axis": {"labelAngle": -35}},
        "y": {"field": "place", "type": "quantitative", "title": "Place", "axis": {"values": ticks, "grid": False},
              "scale": {"reverse": True, "zero": False, "nice": False, "domain": [1, max(last, 2)]}},
        "detail": {"field": "name", "type": "nominal"},
    }  # fmt: skip
    colour = {"color": coloured("name", labels)}
    return chart(
        rows,
        mark("line", place, "datum.published", color=PALE, strokeWidth=1, opacity=0.7),
        mark("line", {**place, **colour}, "!datum.published", strokeWidth=2.5),
        mark("point", {**place, **colour}, "!datum.published", filled=True, size=60, opacity=1),
        height=230,
    )
