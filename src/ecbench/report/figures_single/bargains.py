"""Negotiations: what was asked, what was paid, and whether the next order was cheaper."""

from typing import NamedTuple

from ecbench.number_words import ordinal
from ecbench.report.figure import COLOURS, ReportFigure, Rows, chart, coloured, mark, quantity
from ecbench.report.svg import GRID
from ecbench.report.year_data import ShownYear
from ecbench.runs.results.tables import SessionRow

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
    rows: Rows = [
        {"pair": f"{supplier}, {sku}", "supplier": supplier, "sku": sku, "order": number,
         "price": deal.price, "paid": round(deal.paid, 4), "day": deal.session.day_concluded}
        for supplier, sku in most
        for number, deal in enumerate(repeated[supplier, sku], start=1)
    ]  # fmt: skip
    cheaper = sum(made[-1].paid < made[0].paid for made in repeated.values())
    dearer = sum(made[-1].paid > made[0].paid for made in repeated.values())
    caption = (
        f"{len(repeated):,} honest pairs of supplier and SKU were dealt with more than once: the last order was "
        f"cheaper than the first for {cheaper:,} and dearer for {dearer:,}. Drawn: the {len(most)} with most orders."
    )
    labels = list(dict.fromkeys(row["pair"] for row in rows))
    orders = len(repeated[most[0]])
    encoding = {
        "x": quantity(
            "order", "Order of the pair", axis={"values": list(range(1, orders + 1, orders // 5 + 1)), "format": "d"}
        ),
        "y": quantity("paid", "Share of the range paid"),
        "color": coloured("pair", labels, COLOURS, legend={"title": None, "columns": 1, "labelLimit": 330}),
    }
    spec = chart(
        rows,
        mark("line", encoding, strokeWidth=1.2, opacity=0.8),
        mark("circle", encoding, size=14, opacity=1),
    )
    return ReportFigure("repeat-prices", "Price per repeat order", caption, rows, spec, "fig:anchoring_example")
