"""Final assets, and how safely they were earned."""

from collections.abc import Sequence
from typing import Any

from ecbench.formatting import counted, yuan
from ecbench.metrics.published import published_models
from ecbench.pages.report.figure import (
    PALE,
    YUAN,
    ReportFigure,
    Rows,
    both,
    chart,
    deviation,
    mark,
    named,
    panels,
    published_rows,
    quantity,
    rows_high,
    scatter,
    whisker,
)
from ecbench.pages.report.run_data import PlayedRun, interval_of
from ecbench.pages.report.svg import INK, Spec
from ecbench.rules import DEFAULT_RULES

TENS = (0, 100_000, 1_000_000, 10_000_000, 100_000_000)
HALF = 0.5  # of the peak: a fall beyond it is tinted


def assets(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Every year a dot, the mean a tick, one standard deviation a line (fig:assets)."""
    rows = _own_assets(runs) + _published_assets()
    own = [row for row in rows if not row["published"]]
    if not own:
        return None
    best = max(own, key=lambda row: row["mean"])
    run = next(run for run in runs if run.label == best["name"])
    found = interval_of(run, "final_assets")
    spread = "" if found is None else f", 95% interval {yuan(found[0])} to {yuan(found[1])}"
    caption = f"Highest mean here: {best['name']}, {yuan(best['mean'])}{spread}."
    if run.ranked:
        above = sum(model["final_assets"] > best["mean"] for model in published_models())
        caption += (
            f" {above} of the paper's {len(published_models())} models ended with more."
            if above
            else " No model of the paper ended with as much."
        )
    caption += " Lines: one standard deviation; right: the mean over the stake, and in red bankrupt years."
    return ReportFigure("assets", "Final assets", caption, paper="fig:assets", **both(rows, _draw_assets))


def _own_assets(runs: Sequence[PlayedRun]) -> Rows:
    rows: Rows = []
    for run in runs:
        mean = run.value("final_assets")
        if mean is None:
            continue
        failed, years = sum(year.bankrupt for year in run.over), len(run.over)
        for year in run.over:
            rows.append({
                "name": run.label, "episode": year.episode, "final_assets": year.end.assets if year.end else None,
                **_mean(mean, run.summary.measures["final_assets"].spread, run.value("multiplier")),
                "failed": f"{failed}/{years}" if failed else "", "published": False,
            })  # fmt: skip
    return rows


def _published_assets() -> Rows:
    rows: Rows = []
    for model in published_models():
        printed, failed = model.figures["final_assets"], model["bankrupt_runs"]
        rows.append({
            "name": model.name, "episode": None, "final_assets": None,
            **_mean(printed.value, printed.spread, printed.value / DEFAULT_RULES.stake),
            "failed": f"{failed:.0f}/{model.episodes}" if failed else "", "published": True,
        })  # fmt: skip
    return rows


def _mean(mean: float, spread: float | None, multiplier: float | None) -> dict[str, Any]:
    shown = "" if multiplier is None else f"{multiplier:.1f}×"
    return {"mean": mean, **deviation(mean, spread), "multiplier": multiplier, "shown": shown}


def _draw_assets(rows: Rows) -> Spec:
    ranked = sorted(rows, key=lambda row: -row["mean"])
    names = list(dict.fromkeys(row["name"] for row in ranked))
    low = min(0.0, *(row["mean"] if row["low"] is None else row["low"] for row in rows))
    scale = {"type": "symlog", "constant": 50_000, "domainMin": low}
    ticks = [value for value in TENS if value <= 3 * ranked[0]["mean"]]
    place = {"y": named("name", scale={"domain": names})}
    colour = {"condition": {"test": "datum.published", "value": PALE}, "value": "var(--run-0)"}
    x = quantity("mean", "Final assets", scale=scale, axis={"values": ticks, "labelExpr": YUAN})
    edge = {**place, "x": {"value": 220}}
    once = "datum.published || datum.episode == datum.first"
    firsts = {row["name"]: row["episode"] for row in reversed(ranked)}
    return chart(
        [{**row, "first": firsts[row["name"]]} for row in ranked],
        whisker({**place, "color": colour}, x, opacity=0.8),
        mark("tick", {**place, "x": x, "color": colour}, thickness=3, size=11),
        mark("circle", {**place, "x": {**x, "field": "final_assets"}, "color": colour},
             "isValid(datum.final_assets)", size=36, opacity=0.8),
        mark("text", {**edge, "text": {"field": "shown"}}, once, align="right", dx=46, fontSize=10, color=INK),
        mark("text", {**edge, "text": {"field": "failed"}}, once, align="left", dx=50, fontSize=9, color="var(--bad)"),
        width=220,
        height=rows_high(len(names)),
    )  # fmt: skip


def cash_flow(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """How deep assets fell against what they came to, and idle money against overdrawn mornings (fig:cashflow)."""
    wanted = ("final_assets", "drawdown_over_peak", "idle_wallet", "overdrawn_mornings", "bankrupt_runs")
    rows: Rows = []
    for run in runs:
        values = {name: run.value(name) for name in wanted}
        if None not in values.values():
            rows.append({"name": run.label, **values, "years": len(run.over), "published": False})
    if not rows:
        return None
    deepest = max(rows, key=lambda row: row["drawdown_over_peak"])
    rows += [{**row, "years": model.episodes}
             for row, model in zip(published_rows(*wanted), published_models(), strict=True)]  # fmt: skip
    for row in rows:
        row["bankrupt_share"] = row["bankrupt_runs"] / row["years"]
    halved = sum(row["drawdown_over_peak"] > HALF for row in rows if not row["published"])
    caption = (
        f"Deepest fall here: {deepest['name']}, {deepest['drawdown_over_peak']:.0%} of its best morning; it kept "
        f"{yuan(deepest['idle_wallet'])} in the wallet and woke up overdrawn on "
        f"{deepest['overdrawn_mornings']:g} mornings. {counted(halved, 'run')} here gave up more than half "
        "(tinted). A larger point: more years ended in bankruptcy; grey: the paper's models."
    )
    return ReportFigure("cash-flow", "Cash flow", caption, paper="fig:cashflow", **both(rows, _draw_cash))


def _draw_cash(rows: Rows) -> Spec:
    labels = [row["name"] for row in rows if not row["published"]]
    top = max(1.0, *(row["drawdown_over_peak"] for row in rows))
    richest = max(row["final_assets"] for row in rows)
    scale = {"type": "symlog", "constant": 50_000, "nice": False}
    ticks = {"values": [value for value in TENS if value <= 1.5 * richest], "labelExpr": YUAN}
    end = quantity("final_assets", "Final assets", scale=scale, axis=ticks)
    fall = quantity("drawdown_over_peak", "Deepest fall / peak", axis={"format": ".0%"}, scale={"domain": [0, top]})
    tint = mark("rect", {"y": {"datum": HALF}, "y2": {"datum": top}}, color="var(--bad)", opacity=0.08)
    once = {"data": {"values": [{}]}, **tint}
    size = {"field": "bankrupt_share", "type": "quantitative", "legend": None,
            "scale": {"domain": [0, 1], "range": [60, 420]}}  # fmt: skip
    wallet = quantity("idle_wallet", "Idle wallet, mean", scale={"type": "symlog", "constant": 1_000, "nice": True},
                      axis={"labelExpr": YUAN, "values": [0, 1_000, 10_000, 100_000, 1_000_000]})  # fmt: skip
    overdrawn = quantity("overdrawn_mornings", "Overdrawn mornings a year", scale={"type": "symlog", "constant": 1},
                         axis={"values": [0, 1, 3, 10, 30, 100, 300]})  # fmt: skip
    parts = {
        "How deep assets fell": scatter(rows, end, fall, labels, once, size=size),
        "Idle money and overdrafts": scatter(rows, overdrawn, wallet, labels),
    }
    return panels(parts, one_legend=True)
