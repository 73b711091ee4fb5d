"""Final assets, their course over the year, and how deep they fell."""

from collections.abc import Sequence
from typing import Any

from ecbench.metrics.published import published_models
from ecbench.number_words import yuan
from ecbench.quantiles import mean_error
from ecbench.report.figure import (
    PALE,
    YUAN,
    ReportFigure,
    Rows,
    both,
    chart,
    coloured,
    decades,
    mark,
    named,
    published_rows,
    quantity,
    rows_high,
    scatter,
)
from ecbench.report.run_data import Funds, PlayedRun, PlayedYear, interval_of
from ecbench.report.svg import Spec

STEP_DAYS = 7  # between the points of a curve


def assets(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Every year a dot, the mean a tick, its 95% interval a line (fig:assets)."""
    rows = _own_assets(runs) + _published_assets()
    own = [row for row in rows if not row["published"]]
    if not own:
        return None
    best = max(own, key=lambda row: row["mean"])
    spread = "" if best["low"] is None else f", 95% interval {yuan(best['low'])} to {yuan(best['high'])}"
    caption = f"Highest mean here: {best['name']}, {yuan(best['mean'])}{spread}."
    if not next(run.summary.no_place for run in runs if run.label == best["name"]):
        above = sum(model["final_assets"] > best["mean"] for model in published_models())
        caption += (
            f" {above} of the paper's {len(published_models())} models ended with more."
            if above
            else " No model of the paper ended with as much."
        )
    return ReportFigure("assets", "Final assets", caption, paper="fig:assets", **both(rows, _draw_assets))


def _own_assets(runs: Sequence[PlayedRun]) -> Rows:
    rows: Rows = []
    for run in runs:
        mean = run.value("final_assets")
        if mean is None:
            continue
        low, high = interval_of(run, "final_assets") or (None, None)
        for year in run.over:
            ended = year.end.final_assets if year.end else None
            rows.append({"name": run.label, "episode": year.episode, "final_assets": ended, "mean": mean, "low": low,
                         "high": high, "published": False})  # fmt: skip
    return rows


def _published_assets() -> Rows:
    rows: Rows = []
    for model in published_models():
        printed = model.figures["final_assets"]
        half = mean_error(printed.spread or 0.0, model.episodes)
        rows.append({"name": model.name, "episode": None, "final_assets": None, "mean": printed.value,
                     "low": printed.value - half, "high": printed.value + half, "published": True})  # fmt: skip
    return rows


def _draw_assets(rows: Rows) -> Spec:
    ranked = sorted(rows, key=lambda row: -row["mean"])
    names = list(dict.fromkeys(row["name"] for row in ranked))
    low = min(0.0, *(row["mean"] if row["low"] is None else row["low"] for row in rows))
    scale = {"type": "symlog", "constant": 50_000, "domainMin": low}
    ticks = [value for value in (0, 100_000, 1_000_000, 10_000_000, 100_000_000) if value <= 3 * ranked[0]["mean"]]
    place = {"y": named("name", scale={"domain": names}, axis={"labelLimit": 140})}
    colour = {"condition": {"test": "datum.published", "value": PALE}, "value": "var(--run-0)"}
    x = quantity("mean", "Final assets", scale=scale, axis={"values": ticks, "labelExpr": YUAN})
    whisker = {**place, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": colour}
    return chart(
        ranked,
        mark("rule", whisker, "isValid(datum.low)", strokeWidth=3, opacity=0.5),
        mark("tick", {**place, "x": x, "color": colour}, thickness=3, size=11),
        mark(
            "circle",
            {**place, "x": {**x, "field": "final_assets"}, "color": colour},
            "isValid(datum.final_assets)",
            size=36,
            opacity=0.8,
        ),
        width=220,
        height=rows_high(len(names)),
    )


def trajectories(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Total assets by day, a line a year (fig:balance_traj)."""
    rows: Rows = []
    for run in runs:
        for year in run.years:
            rows += [_point(run, year, day) for day in _thinned(year.money)]
    if len(rows) < 2:
        return None
    ends = [row for row in rows if row["bankrupt"]]
    labels = list(dict.fromkeys(row["run"] for row in rows))
    fell = f"{len(ends)} ended in bankruptcy (cross)" if ends else "none ended in bankruptcy"
    years = len({(row["run"], row["episode"]) for row in rows})
    ahead = max(rows, key=lambda row: row["total"])
    caption = (
        f"{years:,} year{'s' if years > 1 else ''}; {fell}. "
        f"The most on any day: {yuan(ahead['total'])}, {ahead['run']} on day {ahead['day']}."
    )
    encoding = {
        "x": quantity("day", "Day", scale={"nice": False}),
        "y": quantity(
            "total",
            "Total assets",
            scale={"type": "symlog", "constant": 50_000, "nice": False},
            axis={"labelExpr": YUAN, "values": decades(min(row["total"] for row in rows), ahead["total"])},
        ),
        "color": coloured("run", labels),
        "detail": {"field": "episode", "type": "nominal"},
    }
    spec = chart(
        rows,
        mark("line", encoding, strokeWidth=1.5, opacity=0.85),
        mark("point", encoding, "datum.bankrupt", shape="cross", angle=45, filled=True, size=90),
    )
    return ReportFigure("trajectories", "Total assets over the year", caption, rows, spec, paper="fig:balance_traj")


def _thinned(money: Sequence[Funds]) -> list[Funds]:
    return [row for place, row in enumerate(money) if row.day % STEP_DAYS == 0 or place == len(money) - 1]


def _point(run: PlayedRun, year: PlayedYear, row: Funds) -> dict[str, Any]:
    last = row is year.money[-1]
    return {"run": run.label, "episode": year.episode, "day": row.day, "total": round(row.total, 2),
            "bankrupt": last and year.bankrupt}  # fmt: skip


def cash_flow(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """How deep assets fell, against money left lying in the wallet (fig:cashflow)."""
    wanted = ("idle_wallet", "drawdown_over_peak", "overdrawn_mornings")
    rows: Rows = []
    for run in runs:
        values = {name: run.value(name) for name in wanted}
        if values["idle_wallet"] is not None and values["drawdown_over_peak"] is not None:
            rows.append({"name": run.label, **values, "published": False})
    if not rows:
        return None
    deepest = max(rows, key=lambda row: row["drawdown_over_peak"])
    caption = (
        f"Deepest fall here: {deepest['name']}, {deepest['drawdown_over_peak']:.0%} of its best morning; it kept "
        f"{yuan(deepest['idle_wallet'])} in the wallet and woke up overdrawn on "
        f"{deepest['overdrawn_mornings']:g} mornings. "
        "Low and to the left is sound; grey: the paper's models."
    )
    rows += published_rows(*wanted)
    labels = [row["name"] for row in rows if not row["published"]]

    scale = {"type": "symlog", "constant": 1_000, "nice": True}
    ticks = {"labelExpr": YUAN, "values": [0, 1_000, 10_000, 100_000, 1_000_000]}

    def draw(rows: Rows) -> Spec:
        wallet = quantity("idle_wallet", "Idle wallet, mean", scale=scale, axis=ticks)
        fall = quantity("drawdown_over_peak", "Deepest fall / peak", axis={"format": ".0%"})
        return scatter(rows, wallet, fall, labels)

    return ReportFigure("cash-flow", "Cash flow", caption, paper="fig:cashflow", **both(rows, draw))
