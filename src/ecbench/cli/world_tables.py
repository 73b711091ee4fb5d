"""A world as tables for the terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from ecbench.cli.table_printing import Columns, plain_table, rows_table, words
from ecbench.formatting import SHORT_MONTHS

WORLDS = "name store_types:count categories:count products:count suppliers:count id"
STORE_TYPES = (
    "name tier categories:count prices:yuan_span returns:percent_span opening_ratio:hundredths floor_ratio:hundredths "
    "daily_cost:yuan"
)
GOODS = "name products:count median_price:yuan median_return:percent honest:count fraudulent:count"
CATEGORIES = (
    "name price_min:yuan price_max:yuan return_min:percent return_max:percent elasticity eta:hundredths "
    "wholesale_ratio:percent floor_ratio:percent products:count"
)
KERNELS: Columns = {
    "Supplier": "name",
    "n": "suppliers:count",
    "Preset": "preset",
    "Stance": "stance",
    "κ": "urgency:hundredths",
    "ρ": "rho:hundredths",
    "ξ": "xi:hundredths",
    "λ2": "lambda2:hundredths",
    "σ": "sigma_p:hundredths",
}
SCAMS = "name suppliers:count effects"
CALENDAR = "first last name effect"


def world_parts(summary: Mapping[str, Any], *, categories: bool) -> Iterator[Text | Table]:
    """The tables of a world, under its name and its size."""
    store_types, goods, kinds = summary["store_types"], summary["categories"], summary["suppliers"]
    products, honest, frauds = (sum(row[key] for row in goods) for key in ("products", "honest", "fraudulent"))
    suppliers = honest + frauds
    yield words(f"\nWorld {summary['name']}", "bold")
    yield words(
        f"{summary['days']:,} days from {summary['start']}, seed {summary['seed']}, id {summary['id'][:12]}\n"
        f"{len(store_types)} store types, {len(goods)} categories, {products:,} products, "
        f"{suppliers:,} suppliers ({frauds / suppliers:.1%} fraudulent)"
    )
    yield rows_table(store_types, STORE_TYPES, f"Store types; opening one costs ¥{summary['setup_fee']:,.0f}")
    yield rows_table(store_types, GOODS, "Goods and suppliers")
    months = [(row["name"], *(f"{index:.2f}" for index in row["seasonality"])) for row in store_types]
    yield plain_table("Store type", *(f">{month}" for month in SHORT_MONTHS), rows=months, title="Demand by month")
    for store_type in store_types if categories else ():
        own = [row for row in goods if row["store_type"] == store_type["id"]]
        yield rows_table(own, CATEGORIES, f"Categories of {store_type['name']}")
    frauds_last = sorted(kinds, key=lambda row: not row["honest"])
    yield rows_table(frauds_last, KERNELS, "Suppliers and the parameters of their bargaining")
    yield rows_table([row for row in kinds if not row["honest"]], SCAMS, "Scams")
    yield rows_table(summary["calendar"], CALENDAR, "Calendar")
