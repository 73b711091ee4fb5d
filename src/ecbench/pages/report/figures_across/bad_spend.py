"""What fraudulent suppliers got of the money, and how they got through."""

from collections.abc import Sequence

from ecbench.formatting import yuan
from ecbench.metrics.axes import BAD_SPEND
from ecbench.metrics.labels import SCAMS
from ecbench.metrics.published import published_models
from ecbench.pages.report.figure import (
    PALE,
    PARTS,
    ReportFigure,
    Rows,
    both,
    chart,
    coloured,
    deviation,
    mark,
    named,
    panels,
    quantity,
    rows_high,
    scatter,
    whisker,
)
from ecbench.pages.report.run_data import PlayedRun
from ecbench.pages.report.svg import INK, Spec


def fraud(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Bad spend and its split by scam (fig:fraud), beside the paper's models if a model wrote suppliers' letters."""
    shares, splits = [row for run in runs for row in _share(run)], [row for run in runs for row in _split(run)]
    if not shares:
        return None
    worst, least = max(shares, key=lambda row: row["percent"]), min(shares, key=lambda row: row["percent"])
    blind = shares[0]["no_screening"]
    said = f": most by {worst['name']}, {worst['percent']:.1f}%, least by {least['name']}, {least['percent']:.1f}%."
    if len(shares) == 1:
        said = f": {worst['percent']:.1f}%."
    caption = "(a) Share of all spending that went to cheats" + (
        said if worst["percent"] else "; no run here paid a fraudulent supplier."
    )
    caption += "" if blind is None else f" Dashed: a buyer who never screened, {blind:.1f}%."
    caption += " Lines: one standard deviation. "
    if splits:
        leak = max(splits, key=lambda row: row["yuan"])
        caption += f"(b) The same money by scam; most to {leak['scam']}, by {leak['name']}, {yuan(leak['yuan'])}."
    published: Rows = []
    if any(run.run.terms.model_voice for run in runs):  # templates give cheats away differently
        published = [
            {"panel": "a", "name": model.name, "scam": "", "percent": model[BAD_SPEND.name],
             **deviation(model[BAD_SPEND.name], model.figures[BAD_SPEND.name].spread), "yuan": model["fraud_spend"],
             "no_screening": None, "published": True}
            for model in published_models()
        ]  # fmt: skip
    rows = shares + published + splits
    return ReportFigure("fraud", "Money paid to cheats", caption, paper="fig:fraud", **both(rows, _draw_fraud))


def _share(run: PlayedRun) -> Rows:
    figure = run.summary.measures.get(BAD_SPEND.name)
    if figure is None or figure.value is None:
        return []
    return [{"panel": "a", "name": run.label, "scam": "", "percent": figure.value,
             **deviation(figure.value, figure.spread), "yuan": run.value("fraud_spend"),
             "no_screening": run.value("fraud_roster_percent"), "published": False}]  # fmt: skip


def _split(run: PlayedRun) -> Rows:
    """By scam, in percent of what fraudulent suppliers got; nothing where they got nothing."""
    spend = run.value("fraud_spend")
    if not spend:
        return []
    paid = {scam: run.value(f"fraud_spend_{scam}") or 0.0 for scam in SCAMS}
    return [{"panel": "b", "name": run.label, "scam": scam, "percent": 100 * amount / spend, "yuan": amount,
             "total": spend, "shown": yuan(spend), "published": False} for scam, amount in paid.items()]  # fmt: skip


def _draw_fraud(rows: Rows) -> Spec:
    shares = sorted((row for row in rows if row["panel"] == "a"), key=lambda row: row["percent"])
    splits = [row for row in rows if row["panel"] == "b"]
    names = [row["name"] for row in shares]
    place = {"y": named("name", scale={"domain": names})}
    colour = {"color": {"condition": {"test": "datum.published", "value": PALE}, "value": "var(--run-0)"}}
    x = quantity("percent", "Bad spend, % of spending")
    share = chart(
        shares,
        mark("rule", {"x": {**x, "field": "no_screening"}}, "isValid(datum.no_screening)", strokeDash=[4, 3],
             color="var(--bad)"),
        mark("bar", {**place, **colour, "x": x}, height=10),
        whisker(place, x, color=INK),
        # A bar of length zero is drawn as a dot, so that it is not taken for a missing one.
        mark("point", {**place, **colour, "x": x}, "datum.percent == 0", filled=True, size=25),
        width=210,
        height=rows_high(len(names)),
    )  # fmt: skip
    parts = {"Share of spending": share}
    if splits:
        parts["By scam, and the cash of a year"] = _draw_scams(splits, [row["name"] for row in shares])
    return panels(parts)


def _draw_scams(splits: Rows, order: Sequence[str]) -> Spec:
    cheated = {row["name"] for row in splits}
    names = [name for name in order if name in cheated]
    place = {"y": named("name", scale={"domain": names})}
    x = quantity("percent", "Share of bad spend, %", scale={"domain": [0, 100]})
    return chart(
        splits,
        mark("bar", {**place, "x": x, "color": coloured("scam", SCAMS, PARTS)}, height=10),
        mark("text", {**place, "x": {"datum": 100}, "text": {"field": "shown"}}, f"datum.scam == '{SCAMS[0]}'",
             align="left", dx=4, fontSize=10, color=INK),
        width=180,
        height=rows_high(len(names)),
    )  # fmt: skip


def funnel(runs: Sequence[PlayedRun]) -> ReportFigure | None:
    """Cheats messaged and ordered from, and what that share and that number cost (fig:funnel)."""
    wanted = ("suppliers_contacted", "fraud_suppliers_contacted", "fraud_suppliers_ordered", "pass_through_percent",
              "fraud_contacts_percent", BAD_SPEND.name)  # fmt: skip
    rows: Rows = [
        {"name": run.label, **{name: run.value(name) for name in wanted}, "published": False}
        for run in runs
        if run.value("suppliers_contacted")
    ]
    if not rows:
        return None
    for row in rows:
        passed = row["pass_through_percent"]
        row["shown"] = "" if passed is None else f"{passed:.0f}%"
    passing = [row["pass_through_percent"] for row in rows if row["pass_through_percent"] is not None]
    caption = f"Mean of a year. Cheats are {_range([row['fraud_contacts_percent'] for row in rows])} of those messaged"
    caption += f"; {_range(passing)} of those cheats got an order." if passing else "; no cheat was messaged."
    spec = _draw_funnel(rows)
    return ReportFigure("funnel", "From a message to a bad order", caption, rows, spec, "fig:funnel")


def _draw_funnel(rows: Rows) -> Spec:
    place = {"y": named("name")}
    x = quantity("fraud_suppliers_contacted", "Fraudulent suppliers a year: messaged (pale), ordered from")
    bars = chart(
        rows,
        mark("bar", {**place, "x": x}, color=PARTS[0], opacity=0.3, height=12),
        mark("bar", {**place, "x": {**x, "field": "fraud_suppliers_ordered"}}, color=PARTS[0], height=12),
        mark("text", {**place, "x": x, "text": {"field": "shown"}}, align="left", dx=4, fontSize=10, color=INK),
        width=190,
        height=rows_high(len(rows)) + 10,
    )
    paying = [row for row in rows if row[BAD_SPEND.name] is not None and row["pass_through_percent"] is not None]
    if len(paying) < 2:
        return bars
    labels, spend = [row["name"] for row in paying], quantity(BAD_SPEND.name, "Bad spend, % of spending")
    share = quantity("pass_through_percent", "Messaged cheats ordered from, %")
    return panels({
        "How many get through": bars,
        "The share that gets through, and bad spend": scatter(paying, share, spend, labels),
        "The number messaged, and bad spend": scatter(paying, {**x, "title": "Fraudulent suppliers messaged"}, spend,
                                                       labels),
    }, one_legend=True)  # fmt: skip


def _range(shares: Sequence[float]) -> str:
    low, high = min(shares), max(shares)
    return f"{low:.0f}%" if round(low) == round(high) else f"{low:.0f}% to {high:.0f}%"
