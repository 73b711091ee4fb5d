"""Negotiations: what was asked, what was paid, and whether the next order was cheaper."""

from collections.abc import Mapping
from typing import Any

from ecbench.report.figure import COLOURS, Figure, Rows, chart, coloured, mark, quantity
from ecbench.report.pictures import GRID
from ecbench.report.played import PlayedYear
from ecbench.spoken import ordinal
from ecbench.world.model import World

PAIRS = 8  # repeat customers that are drawn
POINTS = 700  # deals that are drawn; more would hide one another


def paid_share(row: Mapping[str, Any], price: float) -> float | None:
    """Where a price lies between the floor (0) and the reference price (1); None where there is no such range."""
    reach = row["reference_price"] - row["floor"]
    return (price - row["floor"]) / reach if reach > 0 else None


def deals(year: PlayedYear) -> Rows:
    """Agreements in the order they were made, each with the share of the range that was paid."""
    rows: Rows = []
    for number, row in enumerate(year.table("sessions"), start=1):
        if row["outcome"] == "Agreement" and row["final_price"] is not None:
            paid, asked = paid_share(row, row["final_price"]), paid_share(row, row["opening_target"])
            if paid is not None and asked is not None:
                rows.append({**row, "session": number, "paid": paid, "asked": asked})
    return sorted(rows, key=lambda row: (row["day_concluded"], row["session"]))


def bargains(year: PlayedYear, _world: World | None) -> Figure | None:
    """Every deal a line from what the supplier wanted to what was paid."""
    made = deals(year)
    if not made:
        return None
    step = len(made) // POINTS + 1
    rows: Rows = [
        {"day": row["day_concluded"], "supplier": row["supplier"], "sku": row["sku"], "asked": round(row["asked"], 4),
         "paid": round(row["paid"], 4), "kind": "honest" if row["honest"] else "fraudulent"}
        for row in made[::step]
    ]  # fmt: skip
    mean = sum(row["paid"] for row in made) / len(made)
    at_floor = sum(row["paid"] <= 0.01 for row in made)
    dear = sum(row["paid"] >= row["asked"] for row in made)
    caption = (
        f"{len(made):,} deals; 0 is the supplier's floor, 1 the reference price. They wanted the upper end of each line "
        f"and got the dot: on average {mean:.2f}. {at_floor:,} closed at the floor, {dear:,} at or above the first wish."
    )
    caption += f" Every {ordinal(step)} deal is drawn." if step > 1 else ""
    colours = ("var(--run-0)", "var(--bad)")
    place = {"x": quantity("day", "Day"), "color": coloured("kind", ("honest", "fraudulent"), colours)}
    y = quantity("paid", "Share of the range", scale={"zero": True})
    spec = chart(
        rows,
        mark("rule", {**place, "y": {**y, "field": "asked"}, "y2": {"field": "paid"}}, strokeWidth=0.6, opacity=0.4),
        mark("circle", {**place, "y": y}, size=10, opacity=0.8),
        mark("rule", {"y": {"datum": 0}}, color=GRID),
    )
    return Figure("bargains", "What suppliers wanted and what they got", caption, rows, spec)


def repeat_prices(year: PlayedYear, _world: World | None) -> Figure | None:
    """Price per repeat order of the pairs of supplier and SKU dealt with most often (fig:anchoring_example)."""
    pairs: dict[tuple[str, str], Rows] = {}
    for row in deals(year):
        if row["honest"]:
            pairs.setdefault((row["supplier"], row["sku"]), []).append(row)
    repeated = {pair: rows for pair, rows in pairs.items() if len(rows) > 1}
    if not repeated:
        return None
    most = sorted(repeated, key=lambda pair: (-len(repeated[pair]), pair))[:PAIRS]
    rows: Rows = [
        {"pair": f"{supplier.split()[0]} {sku[:6]}", "supplier": supplier, "sku": sku, "order": number,
         "price": row["final_price"], "paid": round(row["paid"], 4), "day": row["day_concluded"]}
        for supplier, sku in most
        for number, row in enumerate(repeated[supplier, sku], start=1)
    ]  # fmt: skip
    cheaper = sum(rows[-1]["paid"] < rows[0]["paid"] for rows in repeated.values())
    dearer = sum(rows[-1]["paid"] > rows[0]["paid"] for rows in repeated.values())
    caption = (
        f"{len(repeated):,} honest pairs of supplier and SKU were dealt with more than once: the last order was cheaper "
        f"than the first for {cheaper:,} and dearer for {dearer:,}. Drawn: the {len(most)} with most orders."
    )
    labels = list(dict.fromkeys(row["pair"] for row in rows))
    encoding = {
        "x": quantity("order", "Order of the pair", axis={"tickMinStep": 1}),
        "y": quantity("paid", "Share of the range paid"),
        "color": coloured("pair", labels, COLOURS),
    }
    spec = chart(
        rows,
        mark("line", encoding, strokeWidth=1.2, opacity=0.8),
        mark("circle", encoding, size=14, opacity=1),
    )
    return Figure("repeat-prices", "Price per repeat order", caption, rows, spec, "fig:anchoring_example")
