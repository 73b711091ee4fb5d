"""Money that went to fraudulent suppliers, and how far one got on the way to it."""

from collections.abc import Sequence

from ecbench.metrics.labels import SCAMS
from ecbench.metrics.published import published_models
from ecbench.report.figure import PALE, ReportFigure, Rows, both, chart, coloured, mark, named, quantity, rows_high
from ecbench.report.figures_across.trade import TEMPLATES
from ecbench.report.run_data import PlayedRun
from ecbench.report.svg import Spec

PAPERS = "the paper's models"


def fraud_split(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Bad spend by scam (fig:fraud)."""
    rows: Rows = []
    for run in runs:
        share, spend = run.value("bad_spend_percent"), run.value("fraud_spend")
        for scam in SCAMS if share is not None and run.value("orders") else ():
            part = (run.value(f"fraud_spend_{scam}") or 0.0) / spend if spend else 0.0
            rows.append({"name": run.label, "scam": scam, "percent": (share or 0.0) * part, "total": share or 0.0,
                         "published": False})  # fmt: skip
    if not rows:
        return None
    worst, least = max(rows, key=lambda row: row["percent"]), min(rows, key=lambda row: row["total"])
    caption = (
        f"Share of all spending that went to cheats. The largest single leak: {worst['name']}, {worst['scam']}, "
        f"{worst['percent']:.1f}%; cheated least: {least['name']}, {least['total']:.1f}% in all."
        if worst["percent"]
        else "No run here paid a fraudulent supplier."
    )
    rows += [
        {"name": model.name, "scam": PAPERS, "percent": model["bad_spend_percent"], "total": model["bad_spend_percent"],
         "published": True}
        for model in published_models()
    ]  # fmt: skip
    return ReportFigure("fraud-split", "Money paid to cheats", caption, paper="fig:fraud", **both(rows, _draw_split))


def _draw_split(rows: Rows) -> Spec:
    kinds = [*SCAMS, *([PAPERS] if any(row["published"] for row in rows) else [])]
    colours = [*TEMPLATES[: len(SCAMS)], PALE]
    ordered = sorted(rows, key=lambda row: row["total"])
    encoding = {
        "x": quantity("percent", "Bad spend, % of spending"),
        "y": named("name", axis={"labelLimit": 140}),
        "color": coloured("scam", kinds, colours),
    }
    # A bar that is not there has a dot, so that nobody looks for it.
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
            {**encoding, "color": {**coloured("stage", STAGES.values(), TEMPLATES[3:]), "legend": None}},
            height=13,
        ),
        mark("text", {**encoding, "text": {"field": "shown"}}, align="left", dx=4, fontSize=10, color="var(--ink)"),
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
