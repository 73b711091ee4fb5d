"""Worlds as tables for the terminal."""

from collections.abc import Iterator
from datetime import date

from rich.table import Table
from rich.text import Text

from ecbench.analysis.explain.world_figures import WorldSummary
from ecbench.cli.plain_table import Columns, plain_table, rows_table, words
from ecbench.formatting import SHORT_MONTHS

TIERS = {1: "hard", 2: "medium", 3: "easy"}

WORLDS: Columns = {
    "World": "name",
    "Store types": "store_types:count",
    "Categories": "categories:count",
    "Products": "products:count",
    "Suppliers": "suppliers:count",
    "Id": lambda world: world["id"][:12],
}
STORE_TYPES: Columns = {
    "Store type": "name",
    "Tier": lambda row: TIERS[row["tier"]],
    "Cats": "categories:count",
    ">Ref. price": lambda row: "–".join(map(_yuan, row["prices"])),
    ">Returns": lambda row: _percents(*row["returns"]),
    ">Open/floor": lambda row: f"{row['opening_ratio']:.2f}/{row['floor_ratio']:.2f}",
    ">Season": lambda row: f"{min(row['seasonality']):.2f}–{max(row['seasonality']):.2f}",
    "A day": "daily_cost:yuan",
}
GOODS: Columns = {
    "Store type": "name",
    "Products": "products:count",
    "Median price": "median_price:yuan",
    "Median returns": "median_return:percent",
    "Honest": "honest:count",
    "Fraudulent": "fraudulent:count",
}
CATEGORIES: Columns = {
    "Category": "name",
    ">Price": lambda row: f"{_yuan(row['price_min'])}–{_yuan(row['price_max'])}",
    ">Returns": lambda row: _percents(row["return_min"], row["return_max"]),
    "Elasticity": lambda row: row["elasticity"].removesuffix("_elasticity"),
    "Eta": "eta:hundredths",
    "Opening": "wholesale_ratio:percent",
    "Floor": "floor_ratio:percent",
    "Products": "products:count",
}
KERNELS: Columns = {
    "Supplier": "name",
    "n": "suppliers:count",
    "Preset": lambda row: row["preset"].replace("-", " "),
    "Stance": "stance",
    "κ": "urgency:hundredths",
    "ρ": "rho:hundredths",
    "ξ": "xi:hundredths",
    "λ2": "lambda2:hundredths",
    "σ": "sigma_p:hundredths",
}
SCAMS: Columns = {
    "Scam": "name",
    "n": "suppliers:count",
    "What it says and does": lambda row: "; ".join(row["effects"]),
}
CALENDAR: Columns = {
    ">From": lambda row: _date(row.first),
    ">To": lambda row: _date(row.last),
    "What": "name",
    "Effect": "effect",
}


def world_parts(summary: WorldSummary, *, categories: bool) -> Iterator[Text | Table]:
    """The tables of a world, under its name and its size."""
    products, honest, frauds = (
        sum(row[key] for row in summary.categories) for key in ("products", "honest", "fraudulent")
    )
    suppliers = honest + frauds
    yield words(f"\nWorld {summary.name}", "bold")
    yield words(
        f"{summary.days:,} days from {summary.start}, seed {summary.seed}, id {summary.id[:12]}\n"
        f"{len(summary.store_types)} store types, {len(summary.categories)} categories, {products:,} products, "
        f"{suppliers:,} suppliers ({frauds / suppliers:.1%} fraudulent)"
    )
    yield rows_table(summary.store_types, STORE_TYPES, f"Store types; opening one costs ¥{summary.setup_fee:,.0f}")
    yield rows_table(summary.store_types, GOODS, "Goods and suppliers")
    months = [(row["name"], *(f"{index:.2f}" for index in row["seasonality"])) for row in summary.store_types]
    yield plain_table("Store type", *(f">{month}" for month in SHORT_MONTHS), rows=months, title="Demand by month")
    for store_type in summary.store_types if categories else ():
        own = [row for row in summary.categories if row["store_type"] == store_type["id"]]
        yield rows_table(own, CATEGORIES, f"Categories of {store_type['name']}")
    frauds_last = sorted(summary.suppliers, key=lambda row: not row["honest"])
    yield rows_table(frauds_last, KERNELS, "Suppliers and the parameters of their bargaining")
    yield rows_table([row for row in summary.suppliers if not row["honest"]], SCAMS, "Scams")
    yield rows_table(summary.calendar, CALENDAR, "Calendar")


def _yuan(value: float) -> str:
    return f"¥{value:,.0f}" if value >= 1 else f"¥{value:,.2f}"


def _percents(least: float, most: float) -> str:
    return f"{least:.0%}–{most:.0%}"


def _date(day: date) -> str:
    return f"{day.day} {SHORT_MONTHS[day.month - 1]}"
