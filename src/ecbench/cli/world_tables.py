"""Worlds as tables and small histograms for the terminal."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

from rich.table import Table
from rich.text import Text

from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.cli.plain_text import harmless
from ecbench.report.world_summary import Bin, Spread, WorldSummary

BAR_WIDTH = 32
EIGHTHS = " ▏▎▍▌▋▊▉"


def print_list(facts: Sequence[dict[str, Any]]) -> None:
    kinds = ("store_types", "categories", "products", "suppliers")
    rows = [(world["name"], *(f"{world[kind]:,}" for kind in kinds), world["id"][:12]) for world in facts]
    columns = ("World", ">Store types", ">Categories", ">Products", ">Suppliers", "Id")
    plain_console().print(plain_table(*columns, rows=rows, title="Shipped worlds"))


def print_summary(summary: WorldSummary, *, categories: bool) -> None:
    console = plain_console()
    console.print(_headline(summary))
    console.print(_store_types(summary))
    if categories:
        console.print(_categories(summary))
    console.print(_suppliers(summary))
    console.print(_histogram("Reference prices", summary.prices, _yuan))
    console.print(_histogram("Natural return rates", summary.return_rates, _percent))
    console.print(_calendar(summary))


def _headline(summary: WorldSummary) -> Text:
    suppliers = summary.honest_suppliers + summary.fraudulent_suppliers
    share = summary.fraudulent_suppliers / suppliers
    return Text.assemble(
        "\n",
        (harmless(f"World {summary.name}"), "bold"),
        f"  {summary.days:,} days from {summary.start}, seed {summary.seed}, id {summary.id[:12]}\n",
        f"{len(summary.store_types)} store types, {len(summary.categories)} categories, ",
        f"{summary.products:,} products, {suppliers:,} suppliers ({share:.1%} fraudulent)",
    )


def _store_types(summary: WorldSummary) -> Table:
    columns = ("Store type", "Tier", ">Products", ">Prices", ">Median", ">Returns", ">Median", "Peak", "Low")
    rows = []
    for row in summary.store_types:
        spreads = (*_spread(row.prices, _yuan), *_spread(row.return_rates, _percent))
        rows.append((row.name, row.tier, f"{row.products:,}", *spreads, row.peak_month, row.low_month))
    return plain_table(*columns, rows=rows, title="Store types")


def _spread(spread: Spread | None, show: Callable[[float], str]) -> tuple[str, str]:
    if spread is None:
        return "none", ""
    return f"{show(spread.low)}–{show(spread.high)}", show(spread.middle)


def _yuan(value: float) -> str:
    return f"¥{value:,.0f}" if value >= 1 else f"¥{value:,.2f}"


def _percent(value: float) -> str:
    return f"{value:.0%}"


def _categories(summary: WorldSummary) -> Table:
    table = plain_table(
        "Category", ">Price", ">Returns", "Elasticity", ">Eta", ">Opening", ">Floor", ">Products", title="Categories"
    )
    for store_type in summary.store_types:
        table.add_section()
        table.add_row(Text(harmless(store_type.name), style="bold"))
        for row in (row for row in summary.categories if row.store_type == store_type.id):
            low, high = row.return_range
            table.add_row(
                row.name,
                "–".join(_yuan(float(end)) for end in row.price_range.split("-")),
                f"{_percent(low)}–{_percent(high)}",
                row.elasticity.removesuffix("_elasticity"),
                f"{row.eta:.2f}",
                _percent(row.wholesale_ratio),
                _percent(row.floor_ratio),
                f"{row.products:,}",
            )
    return table


def _suppliers(summary: WorldSummary) -> Table:
    pairs = zip_longest(summary.templates.items(), summary.scams.items(), fillvalue=("", ""))
    rows = [(template, str(honest), scam, str(count)) for (template, honest), (scam, count) in pairs]
    table = plain_table("Honest, by template", ">", "Fraudulent, by scam", ">", rows=rows, title="Suppliers")
    table.add_section()
    table.add_row("all", f"{summary.honest_suppliers:,}", "all", f"{summary.fraudulent_suppliers:,}")
    return table


def _histogram(title: str, bins: Sequence[Bin], show: Callable[[float], str]) -> Table:
    most = max(row.count for row in bins)
    rows = [
        (show(row.low), show(row.high), Text(_bar(row.count / most), style="cyan"), f"{row.count:,}") for row in bins
    ]
    return plain_table(">From", ">To", "", ">Products", rows=rows, title=title)


def _bar(share: float) -> str:
    eighths = round(share * BAR_WIDTH * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def _calendar(summary: WorldSummary) -> Table:
    styles = {"event": "yellow"}
    rows = [
        (row.first, row.last, Text(harmless(row.name), style=styles.get(row.kind, "green")), row.effect)
        for row in summary.calendar
    ]
    return plain_table(">From", ">To", "What", "Effect", rows=rows, title="Calendar")
