"""Negotiations: what was asked, what was paid, and whether the next order was cheaper."""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from ecbench.formatting import ordinal
from ecbench.metrics.learning import discipline
from ecbench.pages.report.figure import COLOURS, ReportFigure, Rows, chart, coloured, mark, panels, quantity
from ecbench.pages.report.svg import ACCENT, GRID, MUTED, Spec
from ecbench.pages.report.year_data import ShownYear
from ecbench.runs.results.table_rows import SessionRow

PAIRS = 8  # repeat customers that are drawn
POINTS = 400  # deals that are drawn; more would hide one another


class Deal(NamedTuple):
    """An agreement: where what was paid and what was wished lie between the floor (0) and the reference price (1)."""

    session: SessionRow
    price: float
    paid: float
    asked: float


def deals(year: ShownYear) -> list[Deal]:
    """In the order they were made; those without a range between floor and reference price are left out."""
    made = []
    for row in year.tables.sessions if year.tables else ():
        reach = row.reference_price - row.floor
        if row.outcome == "Agreement" and row.final_price is not None and reach > 0:
            paid, asked = ((price - row.floor) / reach for price in (row.final_price, row.opening_target))
            made.append(Deal(row, row.final_price, paid, asked))
    return sorted(made, key=lambda deal: (deal.session.day_concluded, deal.session.session))


def bargains(year: ShownYear) -> ReportFigure | None:
    """Every deal a line from what the supplier wanted to what was paid."""
    made = deals(year)
    if not made:
        return None
    step = len(made) // POINTS + 1
    rows: Rows = [
        {"day": deal.session.day_concluded, "supplier": deal.session.supplier, "sku": deal.session.sku,
         "asked": round(deal.asked, 4),
         "paid": round(deal.paid, 4), "kind": "honest" if deal.session.honest else "fraudulent"}
        for deal in made[::step]
    ]  # fmt: skip
    mean = sum(deal.paid for deal in made) / len(made)
    at_floor = sum(deal.paid <= 0.01 for deal in made)
    dear = sum(deal.paid >= deal.asked for deal in made)
    caption = (
        f"{len(made):,} deals; 0 is the supplier's floor, 1 the reference price. They wanted the upper end of each "
        f"line and got the dot: on average {mean:.2f}. {at_floor:,} closed at the floor, "
        f"{dear:,} at or above the first wish."
    )
    caption += f" Every {ordinal(step)} deal is drawn." if step > 1 else ""
    colours = ("var(--run-0)", "var(--bad)")
    place = {
        "x": quantity("day", "Day", scale={"nice": False}),
        "color": coloured("kind", ("honest", "fraudulent"), colours),
    }
    y = quantity("paid", "Share of the range", scale={"zero": True})
    spec = chart(
        rows,
        mark("rule", {**place, "y": {**y, "field": "asked"}, "y2": {"field": "paid"}}, strokeWidth=0.6, opacity=0.3),
        mark("circle", {**place, "y": y}, size=10, opacity=0.8),
        mark("rule", {"y": {"datum": 0}}, color=GRID),
    )
    return ReportFigure("bargains", "What suppliers wanted and what they got", caption, rows, spec)


def repeat_prices(year: ShownYear) -> ReportFigure | None:
    """Price per repeat order of the pairs of supplier and SKU dealt with most often (fig:anchoring_example)."""
    pairs: dict[tuple[str, str], list[Deal]] = {}
    for deal in deals(year):
        if deal.session.honest:
            pairs.setdefault((deal.session.supplier, deal.session.sku), []).append(deal)
    repeated = {pair: made for pair, made in pairs.items() if len(made) > 1}
    if not repeated:
        return None
    most = sorted(repeated, key=lambda pair: (-len(repeated[pair]), pair))[:PAIRS]
    regrets = {pair: discipline([[deal.paid for deal in made]]).regret for pair, made in repeated.items()}
    worst = max(regrets, key=lambda pair: (regrets[pair], pair))
    rows: Rows = [row for pair in dict.fromkeys((*most, worst)) for row in _orders(pair, repeated[pair])]
    cheaper = sum(made[-1].paid < made[0].paid for made in repeated.values())
    dearer = sum(made[-1].paid > made[0].paid for made in repeated.values())
    caption = (
        f"{len(repeated):,} honest pairs of supplier and SKU were dealt with more than once: the last order was "
        f"cheaper than the first for {cheaper:,} and dearer for {dearer:,}. Drawn: the {len(most)} with most orders."
    )
    orders = max(len(repeated[pair]) for pair in (*most, worst))
    values = list(range(1, orders + 1, orders // 5 + 1))
    x = quantity("order", "Order of the pair", axis={"values": values, "format": "d"})
    y = quantity("paid", "Share of the range paid")
    labels = [_label(pair) for pair in most]
    legend = {"title": None, "columns": 1, "labelLimit": 330}
    encoding = {"x": x, "y": y, "color": coloured("pair", labels, COLOURS, legend=legend)}
    parts = {
        "Pairs with most orders": chart(
            [row for row in rows if row["pair"] in labels],
            mark("line", encoding, strokeWidth=1.2, opacity=0.8),
            mark("circle", encoding, size=14, opacity=1),
        )
    }
    if regrets[worst] > 0:
        own = [row for row in rows if row["pair"] == _label(worst)]
        parts[f"Paid above the best price before: {_label(worst)}"] = _wedge(own, x, y)
        caption += (
            f" (b) has the pair that gave back most: {regrets[worst]:.2f} of the range (shaded) over "
            f"{len(own) - 1:,} repeat orders."
        )
    return ReportFigure(
        "repeat-prices", "Price per repeat order", caption, rows, panels(parts), "fig:anchoring_example"
    )


def _label(pair: tuple[str, str]) -> str:
    return ", ".join(pair)


def _orders(pair: tuple[str, str], made: Sequence[Deal]) -> Rows:
    """The deals of a pair in order, each with the best share before it; the first is its own best."""
    best = accumulate((deal.paid for deal in made), min)
    return [
        {"pair": _label(pair), "supplier": pair[0], "sku": pair[1], "order": number, "price": deal.price,
         "paid": round(deal.paid, 4), "best": round(before, 4), "day": deal.session.day_concluded}
        for number, (deal, before) in enumerate(zip(made, best, strict=True), start=1)
    ]  # fmt: skip


def _wedge(rows: Rows, x: Spec, y: Spec) -> Spec:
    """The prices of one pair above their running best; the area between is what anchor regret averages."""
    paid = {"x": x, "y": y}
    return chart(
        rows,
        mark("area", {**paid, "y2": {"field": "best"}}, color="var(--bad)", opacity=0.25),
        mark("line", {"x": x, "y": {**y, "field": "best"}}, color=MUTED, strokeDash=[4, 3], strokeWidth=1.2),
        mark("line", paid, color=ACCENT, strokeWidth=1.4),
        mark("circle", paid, color=ACCENT, size=18, opacity=1),
        height=150,
    )
