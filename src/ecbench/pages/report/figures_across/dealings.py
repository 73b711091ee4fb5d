"""With which kinds of suppliers deals were made, how well, and what honest ones were paid."""

from collections.abc import Sequence

from ecbench.formatting import yuan
from ecbench.metrics.published import leading_number, read_table
from ecbench.pages.report.figure import (
    PARTS,
    ReportFigure,
    Rows,
    both,
    chart,
    coloured,
    heat_map,
    mark,
    named,
    panels,
    quantity,
    rows_high,
)
from ecbench.pages.report.run_data import PlayedRun
from ecbench.pages.report.svg import INK, Spec
from ecbench.world.supplier_kinds import HONEST

FRAUDULENT = "fraudulent"
FEW = 10  # deals; a mean of fewer stands in brackets
PAPER = "The paper's 90"
MEASURED = {row["kind"]: row for row in read_table("presets")}
EASIEST_FIRST = sorted(HONEST, key=lambda kind: -leading_number(MEASURED[kind]["surplus"]))
"""The honest templates by the surplus that the paper's models won from them."""


def surplus_by_template(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """How much of the range between reference price and floor was won (fig:family_heatmap)."""
    kinds = (*EASIEST_FIRST, FRAUDULENT)
    rows: Rows = []
    for run in runs:
        for kind in kinds:
            surplus = run.value(f"surplus_{kind}")
            if surplus is not None:
                deals = _deals(run, kind)
                shown = f"{surplus:.2f}" if deals >= FEW else f"({surplus:.2f})"
                rows.append({"run": run.label, "template": kind, "surplus": surplus, "shown": shown, "deals": deals,
                             "published": False})  # fmt: skip
    if not rows:
        return None
    honest = [row for row in rows if row["template"] != FRAUDULENT] or rows
    best, worst = max(honest, key=lambda row: row["surplus"]), min(honest, key=lambda row: row["surplus"])
    caption = (
        "1 buys at the supplier's floor, 0 at the reference price; from the easiest kind to the hardest. "
        f"Most is won from {best['template']} suppliers by {best['run']} ({best['surplus']:.2f}), least from "
        f"{worst['template']} ones by {worst['run']} ({worst['surplus']:.2f}). Small: deals, of the paper's models "
        f"concluded sessions; in brackets: fewer than {FEW}. No deal: no cell."
    )
    rows += [
        {"run": PAPER, "template": kind, "surplus": float(leading_number(MEASURED[kind]["surplus"])),
         "shown": MEASURED[kind]["surplus"], "deals": int(leading_number(MEASURED[kind]["sessions"])),
         "published": True}
        for kind in EASIEST_FIRST
    ]  # fmt: skip

    def draw(rows: Rows) -> Spec:
        template = named("template", axis={"labelAngle": -35}, scale={"domain": list(kinds)})
        height = max(rows_high(len({row["run"] for row in rows})) * 2, 50)
        return heat_map(rows, template, named("run"), "surplus", width=260, height=height, below="deals")

    title = "Surplus by kind of supplier"
    return ReportFigure("surplus", title, caption, paper="fig:family_heatmap", **both(rows, draw))


def _deals(run: PlayedRun, kind: str) -> int:
    """Over all years of a run."""
    found = run.summary.counterparts
    if kind == FRAUDULENT:
        return sum(dealings.deals for dealings in found[FRAUDULENT].values())
    return found["honest"][kind].deals


def honest_spend(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """By template: of each run, and of all runs together beside the roster (fig:honest_spend)."""
    each: Rows = []
    for run in runs:
        total = run.value("honest_spend")
        for kind in EASIEST_FIRST:
            share = run.value(f"spend_{kind}_percent")
            if total and share is not None:
                each.append({"panel": "a", "run": run.label, "template": kind, "percent": share,
                             "yuan": round(total * share / 100, 2), "total": total, "shown": yuan(total),
                             "roster_percent": run.value(f"roster_{kind}_percent")})  # fmt: skip
    if not each:
        return None
    pooled = _pooled(each, {run.label: len(run.over) for run in runs})
    most, hardest = max(each, key=lambda row: row["percent"]), pooled[-1]
    caption = (
        f"Of what honest suppliers were paid, by their manner, and what it came to in a year. {most['run']} leaned "
        f"most on one: {most['template']}, {most['percent']:.0f}%. All years together (b), {hardest['template']} "
        f"suppliers, the hardest, got {hardest['percent']:.1f}% and are {hardest['roster_percent']:.1f}% of the honest "
        "names (tick)."
    )
    spec = panels({"Of each run": _draw_each(each), "Of all runs, beside the roster": _draw_pooled(pooled)})
    title = "Where honest money went"
    return ReportFigure("honest-spend", title, caption, each + pooled, spec, "fig:honest_spend")


def _pooled(each: Rows, years: dict[str, int]) -> Rows:
    """Every yuan weighs alike; a roster by the years played with it."""
    rows: Rows = []
    whole = sum(row["yuan"] * years[row["run"]] for row in each)
    for kind in EASIEST_FIRST:
        of_kind = [row for row in each if row["template"] == kind]
        paid = sum(row["yuan"] * years[row["run"]] for row in of_kind)
        names = sum((row["roster_percent"] or 0.0) * years[row["run"]] for row in of_kind)
        played = sum(years[row["run"]] for row in of_kind)
        rows.append({"panel": "b", "run": "", "template": kind, "percent": 100 * paid / whole, "yuan": round(paid, 2),
                     "total": round(whole, 2), "shown": "", "roster_percent": names / played})  # fmt: skip
    return rows


def _draw_each(rows: Rows) -> Spec:
    place = {"y": named("run")}
    x = quantity("percent", "Share of honest spending, %", scale={"domain": [0, 100]})
    first = f"datum.template == '{EASIEST_FIRST[0]}'"
    count = len({row["run"] for row in rows})
    return chart(
        rows,
        mark("bar", {**place, "x": x, "color": coloured("template", EASIEST_FIRST, PARTS)}),
        mark("text", {**place, "x": {"datum": 100}, "text": {"field": "shown"}}, first, align="left", dx=4, fontSize=10,
             color=INK),
        width=200,
        height=max(rows_high(count) * 2, 50),
    )  # fmt: skip


def _draw_pooled(rows: Rows) -> Spec:
    x = quantity("percent", "Share of honest spending and of honest names, %")
    place = {"y": named("template", scale={"domain": EASIEST_FIRST})}
    colour = {**coloured("template", EASIEST_FIRST, PARTS), "legend": None}
    return chart(
        rows,
        mark("bar", {**place, "x": x, "color": colour}, height=11),
        mark("tick", {**place, "x": {**x, "field": "roster_percent"}}, thickness=2.5, size=16, color=INK),
        width=200,
        height=rows_high(len(rows)),
    )
