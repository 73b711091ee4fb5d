"""Worlds as tables and small histograms for the terminal."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from rich.table import Table
from rich.text import Text

from ecbench.analysis.explain.world_figures import Rows, WorldSummary
from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.cli.terminal import harmless
from ecbench.formatting import MISSING, SHORT_MONTHS

BAR_WIDTH = 32
EIGHTHS = " ▏▎▍▌▋▊▉"
TIERS = {1: "hard", 2: "medium", 3: "easy"}


def print_list(facts: Sequence[dict[str, Any]]) -> None:
    kinds = ("store_types", "categories", "products", "suppliers")
    rows = [(world["name"], *(f"{world[kind]:,}" for kind in kinds), world["id"][:12]) for world in facts]
    columns = ("World", ">Store types", ">Categories", ">Products", ">Suppliers", "Id")
    plain_console().print(plain_table(*columns, rows=rows, title="Shipped worlds"))


def print_summary(summary: WorldSummary, *, categories: bool) -> None:
    tables = [_headline(summary), _store_types(summary), _goods(summary), _seasons(summary)]
    if categories:
        tables.append(_categories(summary))
    tables += [_kernels(summary), _scams(summary)]
    tables += [_histogram("Reference prices", summary.prices, _yuan)]
    tables += [_histogram("Natural return rates", summary.return_rates, _percent), _calendar(summary)]
    console = plain_console()
    for table in tables:
        console.print(table)


def _headline(summary: WorldSummary) -> Text:
    products, honest, frauds = (
        sum(row[key] for row in summary.categories) for key in ("products", "honest", "fraudulent")
    )
    return Text.assemble(
        "\n",
        (harmless(f"World {summary.name}"), "bold"),
        f"  {summary.days:,} days from {summary.start}, seed {summary.seed}, id {summary.id[:12]}\n",
        f"{len(summary.store_types)} store types, {len(summary.categories)} categories, {products:,} products, ",
        f"{honest + frauds:,} suppliers ({frauds / (honest + frauds):.1%} fraudulent)",
    )


def _store_types(summary: WorldSummary) -> Table:
    columns = ("Store type", "Tier", ">Cats", ">Ref. price", ">Returns", ">Open/floor", ">Season", ">A day")
    rows = [
        (
            row["name"],
            TIERS[row["tier"]],
            str(row["categories"]),
            _span(row["prices"], _yuan),
            _span(row["returns"], _percent),
            f"{row['opening_ratio']:.2f}/{row['floor_ratio']:.2f}",
            f"{min(row['seasonality']):.2f}–{max(row['seasonality']):.2f}",
            f"¥{row['daily_cost']:,.0f}",
        )
        for row in summary.store_types
    ]
    return plain_table(*columns, rows=rows, title=f"Store types; opening one costs ¥{summary.setup_fee:,.0f}")


def _goods(summary: WorldSummary) -> Table:
    columns = ("Store type", ">Products", ">Median price", ">Median returns", ">Honest", ">Fraudulent")
    rows = [
        (
            row["name"],
            f"{row['products']:,}",
            MISSING if row["median_price"] is None else _yuan(row["median_price"]),
            MISSING if row["median_return"] is None else _percent(row["median_return"]),
            f"{row['honest']:,}",
            f"{row['fraudulent']:,}",
        )
        for row in summary.store_types
    ]
    return plain_table(*columns, rows=rows, title="Goods and suppliers")


def _seasons(summary: WorldSummary) -> Table:
    rows = [(row["name"], *(f"{index:.2f}" for index in row["seasonality"])) for row in summary.store_types]
    return plain_table("Store type", *(f">{month}" for month in SHORT_MONTHS), rows=rows, title="Demand by month")


def _yuan(value: float) -> str:
    return f"¥{value:,.0f}" if value >= 1 else f"¥{value:,.2f}"


def _percent(value: float) -> str:
    return f"{value:.0%}"


def _span(ends: Sequence[float], show: Callable[[float], str]) -> str:
    return "–".join(map(show, ends))


def _categories(summary: WorldSummary) -> Table:
    table = plain_table(
        "Category", ">Price", ">Returns", "Elasticity", ">Eta", ">Opening", ">Floor", ">Products", title="Categories"
    )
    for store_type in summary.store_types:
        table.add_section()
        table.add_row(Text(harmless(store_type["name"]), style="bold"))
        for row in (row for row in summary.categories if row["store_type"] == store_type["id"]):
            table.add_row(
                row["name"],
                _span((row["price_min"], row["price_max"]), _yuan),
                _span((row["return_min"], row["return_max"]), _percent),
                row["elasticity"].removesuffix("_elasticity"),
                f"{row['eta']:.2f}",
                _percent(row["wholesale_ratio"]),
                _percent(row["floor_ratio"]),
                f"{row['products']:,}",
            )
    return table


def _kernels(summary: WorldSummary) -> Table:
    columns = ("Supplier", ">n", "Preset", "Stance", ">κ", ">ρ", ">ξ", ">λ2", ">σ")
    table = plain_table(*columns, title="Suppliers and the parameters of their bargaining")
    for honest in (True, False):
        table.add_section()
        for row in (row for row in summary.suppliers if row["honest"] == honest):
            numbers = (row[key] for key in ("urgency", "rho", "xi", "lambda2", "sigma_p"))
            manner = (row["preset"].replace("-", " "), row["stance"])
            table.add_row(row["name"], f"{row['suppliers']:,}", *manner, *(f"{number:.2f}" for number in numbers))
    return table


def _scams(summary: WorldSummary) -> Table:
    frauds = [row for row in summary.suppliers if not row["honest"]]
    rows = [(row["name"], f"{row['suppliers']:,}", "; ".join(row["effects"])) for row in frauds]
    return plain_table("Scam", ">n", "What it says and does", rows=rows, title="Scams")


def _histogram(title: str, bins: Rows, show: Callable[[float], str]) -> Table:
    most = max(row["count"] for row in bins)
    rows = [
        (show(row["low"]), show(row["high"]), Text(_bar(row["count"] / most), style="cyan"), f"{row['count']:,}")
        for row in bins
    ]
    return plain_table(">From", ">To", "", ">Products", rows=rows, title=title)


def _bar(share: float) -> str:
    eighths = round(share * BAR_WIDTH * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def _calendar(summary: WorldSummary) -> Table:
    styles = {"event": "yellow"}
    rows = [
        (_date(row.first), _date(row.last), Text(harmless(row.name), style=styles.get(row.kind, "green")), row.effect)
        for row in summary.calendar
    ]
    return plain_table(">From", ">To", "What", "Effect", rows=rows, title="Calendar")


def _date(day: date) -> str:
    return f"{day.day} {SHORT_MONTHS[day.month - 1]}"
