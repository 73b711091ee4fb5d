"""With whom deals were made, and how well."""

from collections.abc import Sequence

from ecbench.report.figure import ReportFigure, Rows, chart, coloured, mark, named, quantity, rows_high
from ecbench.report.run_data import PlayedRun
from ecbench.report.svg import INK
from ecbench.world.supplier_kinds import HONEST

FRAUDULENT = "fraudulent"
HEAT_STEPS = (0.2, 0.4, 0.6, 0.8)
HEAT = tuple(f"var(--heat-{step})" for step in range(len(HEAT_STEPS) + 1))
TEMPLATES = tuple(f"var(--part-{number})" for number in range(8))


def surplus_by_template(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """How much of the range between reference price and floor was won (fig:family_heatmap)."""
    kinds = (*HONEST, FRAUDULENT)
    rows: Rows = [
        {"run": run.label, "template": kind, "surplus": surplus, "shown": f"{surplus:.2f}"}
        for run in runs
        for kind in kinds
        if (surplus := run.value(f"surplus_{kind}")) is not None
    ]
    if not rows:
        return None
    honest = [row for row in rows if row["template"] != FRAUDULENT] or rows
    best, worst = max(honest, key=lambda row: row["surplus"]), min(honest, key=lambda row: row["surplus"])
    caption = (
        "1 buys at the supplier's floor, 0 at the reference price. "
        f"Most is won from {best['template']} suppliers by {best['run']} ({best['shown']}), least from "
        f"{worst['template']} ones by {worst['run']} ({worst['shown']}). No deal: no cell."
    )
    scale = {"type": "threshold", "domain": HEAT_STEPS, "range": HEAT}
    place = {"x": named("template", axis={"labelAngle": -35}, scale={"domain": list(kinds)}), "y": named("run")}
    deep = {"condition": {"test": f"datum.surplus >= {HEAT_STEPS[2]}", "value": "var(--on-heat)"}, "value": INK}
    spec = chart(
        rows,
        mark("rect", {**place, "color": {"field": "surplus", "type": "quantitative", "scale": scale, "legend": None}}),
        mark("text", {**place, "text": {"field": "shown"}, "color": deep}, fontSize=10),
        width=260,
        height=max(rows_high(len({row["run"] for row in rows})) * 2, 50),
    )
    return ReportFigure("surplus", "Surplus by kind of supplier", caption, rows, spec, "fig:family_heatmap")


def honest_spend(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    rows: Rows = [
        {"run": run.label, "template": kind, "percent": share}
        for run in runs
        for kind in HONEST
        if (share := run.value(f"spend_{kind}_percent")) is not None
    ]
    if not rows:
        return None
    most = max(rows, key=lambda row: row["percent"])
    caption = (
        f"Of what honest suppliers were paid, by their manner. {most['run']} leaned most on one: "
        f"{most['template']}, {most['percent']:.0f}%."
    )
    encoding = {
        "x": quantity("percent", "Share of honest spending, %", scale={"domain": [0, 100]}),
        "y": named("run"),
        "color": coloured("template", HONEST, TEMPLATES),
    }
    count = len({row["run"] for row in rows})
    spec = chart(rows, mark("bar", encoding), width=230, height=max(rows_high(count) * 2, 50))
    return ReportFigure("honest-spend", "Where honest money went", caption, rows, spec, "fig:honest_spend")
