"""With whom deals were made and how well, and what fraudulent suppliers got of the money."""

from collections.abc import Sequence

from ecbench.metrics.axes import BAD_SPEND
from ecbench.metrics.labels import SCAMS
from ecbench.metrics.places import why_no_place
from ecbench.report.figure import (
    PALE,
    PARTS,
    ReportFigure,
    Rows,
    both,
    chart,
    coloured,
    heat_map,
    mark,
    named,
    published_rows,
    quantity,
    rows_high,
    texts_at,
)
from ecbench.report.run_data import PlayedRun
from ecbench.report.svg import Spec
from ecbench.world.supplier_kinds import HONEST

FRAUDULENT = "fraudulent"
PAPERS = "the paper's models"


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
    template = named("template", axis={"labelAngle": -35}, scale={"domain": list(kinds)})
    height = max(rows_high(len({row["run"] for row in rows})) * 2, 50)
    spec = heat_map(rows, template, named("run"), "surplus", width=260, height=height)
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
        "color": coloured("template", HONEST, PARTS),
    }
    count = len({row["run"] for row in rows})
    spec = chart(rows, mark("bar", encoding), width=230, height=max(rows_high(count) * 2, 50))
    return ReportFigure("honest-spend", "Where honest money went", caption, rows, spec, "fig:honest_spend")


def fraud_split(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Bad spend by scam (fig:fraud), beside the paper's models where a run can be compared with them."""
    rows: Rows = []
    for run in runs:
        share, spend = run.value("bad_spend_percent"), run.value("fraud_spend")
        if share is None:
            continue
        for scam in SCAMS:
            part = (run.value(f"fraud_spend_{scam}") or 0.0) / spend if spend else 0.0
            rows.append({"name": run.label, "scam": scam, "percent": share * part, "total": share, "published": False})
    if not rows:
        return None
    worst, least = max(rows, key=lambda row: row["percent"]), min(rows, key=lambda row: row["total"])
    caption = (
        f"Share of all spending that went to cheats. The largest single leak: {worst['name']}, {worst['scam']}, "
        f"{worst['percent']:.1f}%; cheated least: {least['name']}, {least['total']:.1f}% in all."
        if worst["percent"]
        else "No run here paid a fraudulent supplier."
    )
    if not all(why_no_place(run.entrant, BAD_SPEND) for run in runs):
        rows += [
            {"name": row["name"], "scam": PAPERS, "percent": row[BAD_SPEND.name], "total": row[BAD_SPEND.name],
             "published": True}
            for row in published_rows(BAD_SPEND.name)
        ]  # fmt: skip
    return ReportFigure("fraud-split", "Money paid to cheats", caption, paper="fig:fraud", **both(rows, _draw_split))


def _draw_split(rows: Rows) -> Spec:
    kinds = [*SCAMS, *([PAPERS] if any(row["published"] for row in rows) else [])]
    colours = [*PARTS[: len(SCAMS)], PALE]
    ordered = sorted(rows, key=lambda row: row["total"])
    encoding = {
        "x": quantity("percent", "Bad spend, % of spending"),
        "y": named("name", axis={"labelLimit": 140}),
        "color": coloured("scam", kinds, colours),
    }
    # A bar of length zero is drawn as a dot, so that it is not taken for a missing one.
    none = {"x": {"datum": 0}, "y": encoding["y"]}
    return chart(
        ordered,
        mark("bar", encoding),
        mark("point", none, "datum.total == 0", filled=True, size=25, color="var(--run-0)"),
        width=210,
        height=rows_high(len({row["name"] for row in rows})),
    )


STAGES = {"suppliers_contacted": "messaged", "fraud_suppliers_contacted": "of them fraudulent",
          "fraud_suppliers_ordered": "ordered from all the same"}  # fmt: skip


def funnel(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Suppliers messaged, cheats among them, and cheats that were ordered from (fig:funnel)."""
    rows: Rows = [
        {
            "run": run.label,
            "stage": title,
            "suppliers": count,
            "shown": f"{count:,.0f}" if count >= 10 else f"{count:.1f}",
        }
        for run in runs
        if run.value("suppliers_contacted")
        for measure, title in STAGES.items()
        if (count := run.value(measure)) is not None
    ]
    if not rows:
        return None
    passed = {run.label: run.value("pass_through_percent") for run in runs}
    known = {label: share for label, share in passed.items() if share is not None}
    drawn_in = {run.label: share for run in runs if (share := run.value("fraud_contacts_percent")) is not None}
    caption = f"Mean of a year. Cheats are {_range(drawn_in)} of the suppliers messaged"
    caption += f"; {_range(known)} of those cheats got an order." if known else "; no cheat was messaged."
    spec = _draw_funnel(rows, [run.label for run in runs])
    return ReportFigure("funnel", "From a message to a bad order", caption, rows, spec, "fig:funnel")


def _draw_funnel(rows: Rows, labels: Sequence[str]) -> Spec:
    encoding = {
        "x": quantity("suppliers", "Suppliers a year", scale={"type": "sqrt"}),
        "y": named("stage", scale={"domain": list(STAGES.values())}),
    }
    inner = chart(
        [],
        mark(
            "bar",
            {**encoding, "color": {**coloured("stage", STAGES.values(), PARTS[3:]), "legend": None}},
            height=13,
        ),
        texts_at(encoding),
        width=170,
        height=54,
    )
    return {
        "data": {"values": rows},
        "facet": {"row": {"field": "run", "type": "nominal", "sort": labels,
                          "header": {"title": None, "labelAngle": 0, "labelAnchor": "start", "labelAlign": "left",
                                     "labelOrient": "top", "labelLimit": 240}}},
        "spec": {key: value for key, value in inner.items() if key != "data"},
        "spacing": 4,
    }  # fmt: skip


def _range(shares: dict[str, float]) -> str:
    low, high = min(shares.values()), max(shares.values())
    return f"{low:.0f}%" if round(low) == round(high) else f"{low:.0f}% to {high:.0f}%"
