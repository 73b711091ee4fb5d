"""The seven axes together: each run on the scale of the paper's models, and its ranks if it is ranked among them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from math import cos, pi, sin
from statistics import median
from typing import Any

from ecbench.metrics.axes import AXES, Axis, axis_named
from ecbench.metrics.published import published_models
from ecbench.metrics.ranks import Entrant, paper_entrants, position, ranks
from ecbench.pages.report.figure import PALE, ReportFigure, Rows, chart, coloured, mark
from ecbench.pages.report.run_data import PlayedRun
from ecbench.pages.report.svg import GRID, INK, MUTED, Spec

NO_WHISKER = "anchor_ratio"  # its spread is that of a population, over as many years as have repeat orders


def profiles(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """A radar a run: each axis from the worst to the best of the paper's models (fig:profiles, fig:ranks)."""
    shown = [run for run in runs if run.comparable]
    spreads = {run.label: {axis.name: run.summary.measures[axis.name].spread for axis in AXES} for run in shown}
    rows = [corner for run in shown for corner in _corners(run.entrant, spreads[run.label])]
    if not rows:
        return None
    known = [row for row in rows if row["score"] is not None]
    best = max(known, key=lambda row: row["score"])
    worst = min(known, key=lambda row: row["score"])
    caption = (
        "Outside is the best of the paper's eighteen models on that axis, the middle their worst, dashed their median; "
        "beyond the best is drawn on the ring, beyond the worst in the middle. An axis without a value is left open. "
        "Those models are a scale: they played another catalog unless the run is ranked. Lines: one standard "
        f"deviation, where there is one. Best: {best['run']} on {best['axis']} ({best['score']:.2f}); "
        f"weakest: {worst['run']} on {worst['axis']} ({worst['score']:.2f})."
    )
    spec = _radars(rows, columns=2, size=180, labelled=True)
    return ReportFigure("profiles", "Profiles on the seven axes", caption, rows, spec, paper="fig:profiles, fig:ranks")


def papers_profiles(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """The same of the paper's models, beside the profiles of runs (fig:profiles_all18)."""
    if not any(run.comparable for run in runs):
        return None
    spreads = {m.name: {axis.name: m.figures[axis.name].spread for axis in AXES} for m in published_models()}
    rows = [corner for model in paper_entrants() for corner in _corners(model, spreads[model.name])]
    caption = (
        f"Clockwise from the top: {', '.join(axis.title for axis in AXES)}. Most assets first. The paper prints no "
        "spread of bad spend by model."
    )
    spec = _radars(rows, columns=3, size=105, labelled=False)
    title = "Profiles of the paper's models"
    return ReportFigure("papers-profiles", title, caption, rows, spec, paper="fig:profiles_all18", layered=True)


def _corners(who: Entrant, spreads: Mapping[str, float | None]) -> Rows:
    rows: Rows = []
    for number, axis in enumerate(AXES):
        score, spread = position(who, axis, paper_entrants()), spreads[axis.name]
        scores = [axis.score(other.values[axis.name] or 0.0) for other in paper_entrants()]
        whiskers = None not in (score, spread) and axis.name != NO_WHISKER
        reach = (spread or 0.0) / (max(scores) - min(scores)) if whiskers else 0.0
        ends = {
            "": score,
            "_low": None if score is None else score - reach,
            "_high": None if score is None else score + reach,
        }
        rows.append({
            "run": who.name, "axis": axis.title, "value": who.values[axis.name], "std": spread, "score": score,
            "order": number,
            **{name: place for suffix, end in ends.items() for name, place in _point(number, end, suffix).items()},
        })  # fmt: skip
    return rows


def _point(number: int, reach: float | None, suffix: str) -> dict[str, float | None]:
    """Where on the page a score lies, within the ring; nowhere without one."""
    if reach is None:
        return {f"x{suffix}": None, f"y{suffix}": None}
    angle, drawn = 2 * pi * number / len(AXES), min(max(reach, 0.0), 1.0)
    return {f"x{suffix}": round(drawn * sin(angle), 4), f"y{suffix}": round(drawn * cos(angle), 4)}


def _ring(reaches: Sequence[float]) -> Rows:
    """A closed polygon."""
    return [{**_point(number, reach, ""), "order": number} for number, reach in enumerate([*reaches, reaches[0]])]


def _median_ring() -> Rows:
    scores = ([position(model, axis, paper_entrants()) or 0.0 for model in paper_entrants()] for axis in AXES)
    return _ring([median(of_axis) for of_axis in scores])


def _radars(rows: Rows, *, columns: int, size: int, labelled: bool) -> Spec:
    labels = list(dict.fromkeys(str(row["run"]) for row in rows))
    corners = [row for row in rows if row["score"] is not None]
    wide, high = (1.75, 1.3) if labelled else (1.05, 1.05)
    x = {"field": "x", "type": "quantitative", "axis": None, "scale": {"domain": [-wide, wide]}}
    y = {**x, "field": "y", "scale": {"domain": [-high, high]}}
    place = {"x": x, "y": y, "order": {"field": "order", "type": "quantitative"}}
    ends = {"x": {**x, "field": "x_low"}, "x2": {"field": "x_high"}, "y": {**y, "field": "y_low"},
            "y2": {"field": "y_high"}}  # fmt: skip
    outer = _ring([1.0] * len(AXES))
    names = [{"x": 1.42 * cell["x"], "y": 1.17 * cell["y"], "axis": axis.title} for cell, axis in zip(outer, AXES)]
    colour = {"color": {**coloured("run", labels), "legend": None}} if labelled else {}
    look: dict[str, Any] = {} if labelled else {"color": "var(--run-0)"}
    layers = [
        {"data": {"values": outer}, **mark("line", place, color=GRID, strokeWidth=1)},
        {"data": {"values": _median_ring()}, **mark("line", place, color=MUTED, strokeWidth=1, strokeDash=[3, 3])},
        mark("rule", {**ends, **colour}, strokeWidth=1, opacity=0.6, **look),
        mark(
            "line",
            {**place, **colour, "detail": {"field": "edge", "type": "nominal"}},
            "isValid(datum.edge)",
            strokeWidth=2 if labelled else 1.4,
            **look,
        ),
        mark("point", {**place, **colour}, "!isValid(datum.edge)", filled=True, size=30 if labelled else 12, **look),
    ]
    if labelled:
        texts = mark("text", {**place, "text": {"field": "axis"}}, color=MUTED, fontSize=10)
        layers.append({"data": {"values": names}, **texts})
    return {
        "data": {"values": corners + _edges(corners)},
        "facet": {"field": "run", "type": "nominal", "sort": labels, "header": {"title": None, "labelLimit": size}},
        "columns": columns,
        "spec": {"width": size, "height": round(size * high / wide), "layer": layers},
        "spacing": 12,
    }


def _edges(corners: Rows) -> Rows:
    """The two ends of each edge between neighbouring axes that both have a value."""
    found = {(row["run"], row["order"]): row for row in corners}
    pairs = [(row, found.get((row["run"], (row["order"] + 1) % len(AXES)))) for row in corners]
    return [
        {**end, "edge": one["order"], "order": number}
        for one, other in pairs if other is not None
        for number, end in enumerate((one, other))
    ]  # fmt: skip


def _bump_axes() -> list[Axis]:
    """The paper's columns: profit first, then fraud to execution, then the three readings of bargaining."""
    _, cse, *middle, anchor = AXES
    oracle = axis_named("oracle_percent")
    assert oracle is not None
    return [AXES[0], *middle, replace(oracle, title="% of oracle"), cse, anchor]


BUMP_AXES = _bump_axes()
ORACLE = BUMP_AXES[-3].name


def _with_oracle(who: Entrant, value: float | None) -> Entrant:
    """An entrant ranked on the oracle's share too."""
    return replace(who, values={**who.values, ORACLE: value})


def rank_bump(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Ranks on every axis, joined by lines, and how many orders reverse from one to the next (fig:rank_bump)."""
    own = [_with_oracle(run.entrant, run.value(ORACLE)) for run in runs if run.ranked]
    if not own:
        return None
    models = zip(paper_entrants(), published_models(), strict=True)
    papers = [_with_oracle(who, model[ORACLE]) for who, model in models]
    rows, labels = _ranks(own, papers), [who.name for who in own]
    swings = {label: [row["rank"] for row in rows if row["name"] == label] for label in labels}
    widest = max(swings, key=lambda label: max(swings[label]) - min(swings[label]))
    count = len(own) + len(papers)
    caption = (
        f"Among {count}: {widest} lies between rank {min(swings[widest])} and rank {max(swings[widest])}, in the "
        f"middle at {median(swings[widest]):g}. Below: how many of the {count * (count - 1) // 2} pairs change their "
        f"order from one axis to the next, {sum(reversals(rows))} in all, {sum(reversals(_ranks((), papers)))} among "
        "the paper's models alone. % of oracle: of what closing every deal at its floor would win."
    )
    apart = _draw_bump(_ranks(own, ()), labels) if len(own) > 1 else None
    spec = _draw_bump(rows, labels)
    return ReportFigure("rank-bump", "Ranks on each axis", caption, rows, spec, "fig:rank_bump", True, apart)


def _ranks(own: Sequence[Entrant], papers: Sequence[Entrant]) -> Rows:
    entrants = [*papers, *own]
    return [
        {"name": who.name, "axis": axis.title, "order": number, "rank": rank, "published": who in papers}
        for number, axis in enumerate(BUMP_AXES)
        for who, rank in zip(entrants, ranks(entrants, axis), strict=True)
        if rank is not None
    ]


def reversals(rows: Rows) -> list[int]:
    """From each axis to the next: the pairs of which the one ahead falls behind."""
    columns = [{row["name"]: row["rank"] for row in rows if row["order"] == n} for n in range(len(BUMP_AXES))]
    return [
        sum((here[one] - here[other]) * (there[one] - there[other]) < 0
            for one, other in combinations([name for name in here if name in there], 2))
        for here, there in pairwise(columns)
    ]  # fmt: skip


def _draw_bump(rows: Rows, labels: Sequence[str]) -> Spec:
    last, right = max(row["rank"] for row in rows), len(BUMP_AXES) - 1
    titles = [axis.title for axis in BUMP_AXES]
    axis = {"values": list(range(len(titles))), "labelExpr": f"{titles}[datum.value]", "labelAngle": -35, "grid": False,
            "labelOverlap": False}  # fmt: skip
    place: dict[str, Any] = {
        "x": {"field": "order", "type": "quantitative", "title": None, "axis": axis, "scale": {"nice": False}},
        "y": {"field": "rank", "type": "quantitative", "axis": None,
              "scale": {"reverse": True, "zero": False, "nice": False, "domain": [0.5, max(last, 2) + 1.5]}},
        "detail": {"field": "name", "type": "nominal"},
    }  # fmt: skip
    colour = {"color": {**coloured("name", labels), "legend": None}}
    named = {**place, "y": {**place["y"], "field": "line"}, "text": {"field": "label"}}
    ends = [row for side in (0, right) for row in _labels([row for row in rows if row["order"] == side])]
    counts = [{"order": number + 0.5, "line": max(last, 2) + 1, "label": str(count)}
              for number, count in enumerate(reversals(rows))]  # fmt: skip

    def written(side: int, who: str, align: str, **look: Any) -> Spec:
        shown = mark("text", {**named, **(look.pop("hue", {}))}, f"datum.order == {side} && {who}", align=align,
                     dx=8 if align == "left" else -8, fontSize=9, limit=100, **look)  # fmt: skip
        return {"data": {"values": ends}, **shown}

    return chart(
        rows,
        mark("line", place, "datum.published", color=PALE, strokeWidth=1, opacity=0.7),
        mark("line", {**place, **colour}, "!datum.published", strokeWidth=2.5),
        mark("point", {**place, **colour}, "!datum.published", filled=True, size=60, opacity=1),
        *(written(side, "datum.published", align, color=MUTED) for side, align in ((0, "right"), (right, "left"))),
        *(written(side, "!datum.published", align, hue=colour, fontWeight="bold")
          for side, align in ((0, "right"), (right, "left"))),
        {"data": {"values": counts}, **mark("text", named, fontSize=8, color=INK)},
        width=200,
        height=12 * (max(last, 2) + 1),
    )  # fmt: skip


def _labels(column: Rows) -> Rows:
    """The names beside a column, one below the other where ranks are shared."""
    ranked = sorted(column, key=lambda row: row["rank"])
    text = "{rank} {name}" if ranked[0]["order"] else "{name} {rank}"
    lines = enumerate(ranked, start=ranked[0]["rank"])
    return [{**row, "line": line, "label": text.format(**row)} for line, row in lines]
