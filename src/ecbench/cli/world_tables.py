"""Worlds as tables and small histograms for the terminal."""

from collections.abc import Callable, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.cli.plain_text import harmless
from ecbench.report.world_summary import Bin, Spread, WorldSummary

BAR_WIDTH = 32
EIGHTHS = " ▏▎▍▌▋▊▉"


def print_list(facts: Sequence[dict[str, Any]]) -> None:
    table = plain_table("World", ">Store types", ">Categories", ">Products", ">Suppliers", "Id", title="Shipped worlds")
    for world in facts:
        counts = [f"{world[kind]:,}" for kind in ("store_types", "categories", "products", "suppliers")]
        table.add_row(world["name"], *counts, world["id"][:12])
    plain_console().print(table)


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
    table = plain_table(
        "Store type",
        "Tier",
        ">Products",
        ">Prices",
        ">Median",
        ">Returns",
        ">Median",
        "Peak",
        "Low",
        title="Store types",
    )
    for row in summary.store_types:
        table.add_row(
            row.name,
            row.tier,
            f"{row.products:,}",
            *_spread(row.prices, _yuan),
            *_spread(row.return_rates, _percent),
            row.peak_month,
            row.low_month,
        )
    return table


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
    table = plain_table("Honest, by template", ">", "Fraudulent, by scam", ">", title="Suppliers")
    honest, fraudulent = list(summary.templates.items()), list(summary.scams.items())
    for place in range(max(len(honest), len(fraudulent))):
        left = honest[place] if place < len(honest) else ("", "")
        right = fraudulent[place] if place < len(fraudulent) else ("", "")
        table.add_row(left[0], str(left[1]), right[0], str(right[1]))
    table.add_section()
    table.add_row("all", f"{summary.honest_suppliers:,}", "all", f"{summary.fraudulent_suppliers:,}")
    return table


def _histogram(title: str, bins: Sequence[Bin], show: Callable[[float], str]) -> Table:
    table = plain_table(">From", ">To", "", ">Products", title=title)
    most = max(row.count for row in bins)
    for row in bins:
        table.add_row(show(row.low), show(row.high), Text(_bar(row.count / most), style="cyan"), f"{row.count:,}")
    return table


def _bar(share: float) -> str:
    eighths = round(share * BAR_WIDTH * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def _calendar(summary: WorldSummary) -> Table:
    table = plain_table(">From", ">To", "What", "Effect", title="Calendar")
    for row in summary.calendar:
        style = "yellow" if row.kind == "event" else "green"
        table.add_row(row.first, row.last, Text(harmless(row.name), style=style), row.effect)
    return table
