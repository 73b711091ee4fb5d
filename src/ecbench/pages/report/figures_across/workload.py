"""What calls were spent on, how full the context was, and which mistakes came up."""

from collections.abc import Sequence

from ecbench.formatting import yuan
from ecbench.metrics.labels import BANDS
from ecbench.metrics.losses.failure_modes import RULES
from ecbench.metrics.published import published_models, published_modes
from ecbench.pages.report.figure import (
    PALE,
    PARTS,
    YUAN,
    ReportFigure,
    Rows,
    both,
    chart,
    coloured,
    heat_map,
    mark,
    named,
    panels,
    published_rows,
    quantity,
    rows_high,
    scatter,
)
from ecbench.pages.report.figures_across.dealings import PAPER
from ecbench.pages.report.run_data import PlayedRun
from ecbench.pages.report.svg import Spec

FAR = 2_000  # yuan a call: beyond it the axis is no longer linear


def efficiency(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Profit per call, and the eight bands of calls (fig:efficiency)."""
    profits: Rows = [
        {"panel": "a", "name": run.label, "yuan": profit, "published": False}
        for run in runs
        if (profit := run.value("profit_per_call")) is not None
    ]
    bands: Rows = [
        {"panel": "b", "name": run.label, "band": band, "percent": share, "published": False}
        for run in runs
        for band in BANDS
        if (share := run.value(f"{band}_percent")) is not None
    ]
    if not bands:
        return None
    best, most = max(profits, key=lambda row: row["yuan"]), max(bands, key=lambda row: row["percent"])
    caption = (
        f"(a) Mean final assets less the stake, over mean calls: most by {best['name']}, {yuan(best['yuan'])} a call. "
        f"(b) Of all tool calls; the largest part here: {most['name']}, {most['band']}, {most['percent']:.0f}%."
    )
    for model in published_models():
        profits.append({"panel": "a", "name": model.name, "yuan": model["profit_per_call"], "published": True})
        bands += [{"panel": "b", "name": model.name, "band": band, "percent": model[f"{band}_percent"],
                   "published": True} for band in BANDS]  # fmt: skip
    title = "What a call earned, and what calls were spent on"
    return ReportFigure("efficiency", title, caption, paper="fig:efficiency", **both(profits + bands, _draw_efficiency))


def _draw_efficiency(rows: Rows) -> Spec:
    profits = sorted((row for row in rows if row["panel"] == "a"), key=lambda row: -row["yuan"])
    names = [row["name"] for row in profits]
    place = {"y": named("name", scale={"domain": names})}
    colour = {"color": {"condition": {"test": "datum.published", "value": PALE}, "value": "var(--run-0)"}}
    # Merchants without a model may earn a hundred times as much as a model does.
    far = profits[0]["yuan"] > FAR
    scale = {"type": "symlog", "constant": 100} if far else {}
    ticks = [0, 1_000, 10_000, 100_000] if far else None
    earned = quantity("yuan", "Profit per call", scale=scale, axis={"labelExpr": YUAN, "values": ticks})
    share = quantity("percent", "Share of calls, %", stack="normalize", axis={"format": "%"})
    size = {"width": 210, "height": rows_high(len(names))}
    parts = {
        "Profit per call": chart(profits, mark("bar", {**place, **colour, "x": earned}, height=10), **size),
        "Where the calls went": chart(
            [row for row in rows if row["panel"] == "b"],
            mark("bar", {**place, "x": share, "color": coloured("band", BANDS, PARTS)}),
            **size,
        ),
    }
    return panels(parts)


def context_pressure(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """How often the context had to be cut, against the length of the play (fig:context_pressure)."""
    wanted = ("turns", "evictions")
    rows: Rows = []
    for run in runs:
        values = {name: run.value(name) for name in wanted}
        if values["turns"]:
            rows.append({"name": run.label, **values, "published": False})
    if not rows:
        return None
    most = max(rows, key=lambda row: row["evictions"])
    caption = (
        f"{most['name']} had its context cut {most['evictions']:.0f} times in {most['turns']:,.0f} turns of a year."
        if most["evictions"]
        else "No run here had its context cut: a merchant without a model has none. Grey: the paper's models."
    )
    rows += published_rows(*wanted)
    labels = [row["name"] for row in rows if not row["published"]]

    def draw(rows: Rows) -> Spec:
        cuts = quantity("evictions", "Cuts of the context a year", axis={"tickMinStep": 1})
        return scatter(rows, quantity("turns", "Turns a year"), cuts, labels)

    return ReportFigure("context", "Context pressure", caption, paper="fig:context_pressure", **both(rows, draw))


def failure_matrix(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """In how many years each mode of failure came up, of those that could be tested (fig:mode_incidence)."""
    rows: Rows = [
        {"mode": mode.replace("_", " "), "name": run.label, "flagged": found.flagged, "tested": found.tested,
         "share": found.flagged / found.tested, "shown": f"{found.flagged}/{found.tested}", "published": False}
        for run in runs
        for mode in RULES
        if (found := run.summary.failure_modes.get(mode)) and found.tested
    ]  # fmt: skip
    if not rows:
        return None
    met = [row["mode"] for row in rows if row["flagged"]]
    clear = sorted({row["mode"] for row in rows} - set(met))
    caption = f"{len(set(met))} of {len(RULES)} modes came up. "
    caption += f"Never here: {', '.join(clear)}." if clear else "None was avoided by all."
    rows += [
        {"mode": mode.replace("_", " "), "name": PAPER, "flagged": found.episodes, "tested": found.episodes_tested,
         "share": found.episodes / found.episodes_tested, "shown": f"{found.episodes}/{found.episodes_tested}",
         "published": True}
        for mode, found in published_modes().items()
    ]  # fmt: skip

    def draw(rows: Rows) -> Spec:
        name, mode = named("name", axis={"labelAngle": -35, "labelLimit": 110}), named("mode", axis={"labelLimit": 170})
        width = max(44 * len({row["name"] for row in rows}), 90)
        return heat_map(rows, name, mode, "share", width=width, height=rows_high(len(RULES)) + 30)

    return ReportFigure("failure-modes", "Failure modes", caption, paper="fig:mode_incidence", **both(rows, draw))
