"""What calls were spent on, how full the context was, and which mistakes came up."""

from collections.abc import Sequence

from ecbench.metrics.efficiency import BANDS
from ecbench.metrics.failure_modes import RULES
from ecbench.metrics.published import published_models, published_modes
from ecbench.report.figure import PALE, ReportFigure, Rows, both, chart, coloured, mark, named, quantity, rows_high
from ecbench.report.figures_across.trade import HEAT, HEAT_STEPS, TEMPLATES
from ecbench.report.run_data import PlayedRun
from ecbench.report.svg import INK, Spec

PAPER = "The paper's 90"


def efficiency_bands(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """The eight bands of calls (fig:efficiency)."""
    rows: Rows = [
        {"name": run.label, "band": band, "percent": share, "published": False}
        for run in runs
        for band in BANDS
        if (share := run.value(f"{band}_percent")) is not None
    ]
    if not rows:
        return None
    most = max(rows, key=lambda row: row["percent"])
    caption = f"Of all tool calls. The largest part here: {most['name']}, {most['band']}, {most['percent']:.0f}%."
    rows += [
        {"name": model.name, "band": band, "percent": model[f"{band}_percent"], "published": True}
        for model in published_models()
        for band in BANDS
    ]

    def draw(rows: Rows) -> Spec:
        encoding = {
            "x": quantity(
                "percent", "Share of calls, %", scale={"domain": [0, 100]}, stack="normalize", axis={"format": "%"}
            ),
            "y": named("name", axis={"labelLimit": 140}),
            "color": coloured("band", BANDS, TEMPLATES),
        }
        del encoding["x"]["scale"]
        return chart(rows, mark("bar", encoding), width=210, height=rows_high(len({row["name"] for row in rows})))

    return ReportFigure("bands", "What calls were spent on", caption, paper="fig:efficiency", **both(rows, draw))


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
    rows += [{"name": m.name, **{name: m[name] for name in wanted}, "published": True} for m in published_models()]
    labels = [row["name"] for row in rows if not row["published"]]

    def draw(rows: Rows) -> Spec:
        place = {
            "x": quantity("turns", "Turns a year"),
            "y": quantity("evictions", "Cuts of the context a year", axis={"tickMinStep": 1}),
        }
        own = {**place, "color": coloured("name", labels)}
        return chart(
            rows,
            mark("point", place, "datum.published", filled=True, size=45, color=PALE),
            mark("point", own, "!datum.published", filled=True, size=110, opacity=1),
        )

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
        place = {
            "x": named("name", axis={"labelAngle": -35, "labelLimit": 110}),
            "y": named("mode", axis={"labelLimit": 170}),
        }
        scale = {"type": "threshold", "domain": HEAT_STEPS, "range": HEAT}
        deep = {"condition": {"test": f"datum.share >= {HEAT_STEPS[2]}", "value": "var(--on-heat)"}, "value": INK}
        return chart(
            rows,
            mark(
                "rect", {**place, "color": {"field": "share", "type": "quantitative", "scale": scale, "legend": None}}
            ),
            mark("text", {**place, "text": {"field": "shown"}, "color": deep}, fontSize=10),
            width=max(44 * len({row["name"] for row in rows}), 90),
            height=rows_high(len(RULES)) + 30,
        )

    return ReportFigure("failure-modes", "Failure modes", caption, paper="fig:mode_incidence", **both(rows, draw))
