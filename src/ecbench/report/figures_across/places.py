"""Places on the seven axes, among the runs of the report and the paper's models."""

from collections.abc import Collection, Mapping, Sequence
from math import cos, pi, sin
from statistics import median

from ecbench.metrics.leaderboard import AXES, Axis
from ecbench.metrics.published import published_models
from ecbench.report.figure import PALE, ReportFigure, Rows, chart, coloured, mark
from ecbench.report.run_data import PlayedRun
from ecbench.report.svg import GRID, MUTED, Spec

SHORT = {
    "final_assets": "Assets",
    "cse_plus": "CSE+",
    "bad_spend_percent": "Bad spend",
    "drawdown_over_peak": "Fall",
    "profit_per_call": "¥/call",
    "controllable_return_points": "Returns",
    "anchor_ratio": "Anchor",
}


def beaten(axis: Axis, value: float, others: Sequence[float]) -> float:
    """The share of others that a value beats on an axis; a tie counts half."""
    sign = 1 if axis.higher_is_better else -1
    won = sum(1.0 if sign * value > sign * other else 0.5 if value == other else 0.0 for other in others)
    return won / len(others)


def profiles(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """A radar a run: the share of the paper's models it beats on each axis (fig:profiles)."""
    rows: Rows = []
    for run in runs:
        scores = [_score(axis, run) for axis in AXES]
        if run.summary.axes is not None:
            rows += [_corner(run.label, number, score) for number, score in enumerate(scores)]
    if not rows:
        return None
    known = [row for row in rows if row["score"] is not None]
    best = max(known, key=lambda row: row["score"])
    worst = min(known, key=lambda row: row["score"])
    caption = (
        "Outside beats all of the paper's models on that axis, the dashed ring half of them, the middle none; an axis "
        f"without a sample lies in the middle. Best: {best['run']} on {best['axis']} ({best['score']:.0%}); "
        f"weakest: {worst['run']} on {worst['axis']} ({worst['score']:.0%})."
    )
    return ReportFigure("profiles", "Profiles on the seven axes", caption, rows, _radars(rows), paper="fig:profiles")


def _score(axis: Axis, run: PlayedRun) -> float | None:
    """A business that failed beats no more than all models but one, and one that always failed has assets alone."""
    value, failed = run.value(axis.name), sum(year.bankrupt for year in run.over)
    if value is None or (failed == len(run.over) and axis is not AXES[0]):
        return None
    models = published_models()
    share = beaten(axis, value, [model[axis.name] for model in models])
    return min(share, 1 - 1 / len(models)) if failed else share


def _corner(label: str, number: int, score: float | None) -> dict[str, object]:
    angle, reach = 2 * pi * number / len(AXES), score or 0.0
    return {"run": label, "axis": SHORT[AXES[number].name], "score": score, "order": number,
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
    names = [
        {"x": 1.2 * cell["x"], "y": 1.15 * cell["y"], "axis": SHORT[axis.name]} for cell, axis in zip(_ring(1), AXES)
    ]
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


def ranked(values: Mapping[str, float | None], axis: Axis, failed: Collection[str] = ()) -> dict[str, int]:
    """Places from 1, ties sharing the better one; who has no sample has no place.

    Those that `failed` are never first: the best of the others is, and where there are none, nobody.
    """
    sign = 1 if axis.higher_is_better else -1
    known = {name: sign * value for name, value in values.items() if value is not None}
    sound = {name: value for name, value in known.items() if name not in failed}
    first = [name for name, value in sound.items() if value == max(sound.values())]
    others = {name: value for name, value in known.items() if name not in first}
    behind = max(len(first), 1)
    places = {name: 1 + behind + sum(other > value for other in others.values()) for name, value in others.items()}
    return dict.fromkeys(first, 1) | places


def rank_bump(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Places on every axis, joined by lines (fig:ranks)."""
    own = {run.label: {axis.name: run.value(axis.name) for axis in AXES} for run in runs if run.summary.axes}
    if not own:
        return None
    papers = {model.name: {axis.name: model[axis.name] for axis in AXES} for model in published_models()}
    failed = {run.label: sum(year.bankrupt for year in run.over) / len(run.over) for run in runs if run.over}
    rows = _places(own, papers, failed)
    swings = {label: [row["place"] for row in rows if row["name"] == label] for label in own}
    widest = max(swings, key=lambda label: max(swings[label]) - min(swings[label]))
    middle = median(swings[widest])
    caption = (
        f"Among {len(own) + len(papers)}: {widest} lies between place {min(swings[widest])} and place "
        f"{max(swings[widest])}, in the middle at {middle:g}. Who is good at one thing need not be at another."
    )
    apart = _draw_bump(_places(own, {}, failed), list(own)) if len(own) > 1 else None
    return ReportFigure(
        "ranks", "Places on each axis", caption, rows, _draw_bump(rows, list(own)), "fig:ranks", True, apart
    )


def _places(
    own: Mapping[str, Mapping[str, float | None]],
    papers: Mapping[str, Mapping[str, float | None]],
    failed: Mapping[str, float],
) -> Rows:
    """`failed`: the share of a run's years that ended in bankruptcy. Who ever failed leads nothing, and who always did
    has a place for assets alone."""
    rows: Rows = []
    bankrupt = [name for name, share in failed.items() if share]
    for number, axis in enumerate(AXES):
        placed = {name: values[axis.name] for name, values in {**papers, **own}.items()
                  if number == 0 or failed.get(name, 0.0) < 1}  # fmt: skip
        rows += [
            {"name": name, "axis": SHORT[axis.name], "order": number, "place": place, "published": name not in own}
            for name, place in ranked(placed, axis, bankrupt).items()
        ]
    return rows


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
