"""What each built-in merchant earns in a year beside the upper bound: on the default world, and on ten fresh worlds
made from seeds 1 to 10.

    python benchmarks/merchants.py                    print the tables
    python benchmarks/merchants.py docs/merchants.md docs/validity.md
                                                      put them into the pages, between their marks

It plays 55 years and computes eleven upper bounds, one after the other, and takes some minutes. Money is the same on
every machine; seconds are not.
"""

import sys
import time
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any, NamedTuple

from doc_tables import markdown_table, write_block

from ecbench import Episode, load_world
from ecbench.bound.assets import upper_bound
from ecbench.metrics.axes import AxisFigures, axes_of
from ecbench.number_words import yuan
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant, merchant_names
from ecbench.world.generate import generate_world
from ecbench.world.model import World

SEEDS = range(1, 11)
AXES_HEAD = (
    "Merchant",
    "Final assets",
    "Multiplier",
    "CSE+",
    "BadSpend%",
    "Drawdown / peak",
    "Profit / call",
    "Controllable return",
    "AnchorRatio",
    "CPU",
)
BOUND_HEAD = ("World", *(f"`{name}`" for name in merchant_names()), "Upper bound")


class Played(NamedTuple):
    report: dict[str, Any]
    assets: float
    seconds: float
    ending: str


Years = dict[str, list[Played]]  # by merchant, a year for each world


def play(name: str, world: World) -> Played:
    episode = Episode(world)
    merchant = get_merchant(name, days=world.days)
    started = time.process_time()
    calls = play_year(merchant, episode)
    seconds = time.process_time() - started
    report = episode.report() | {"run": {"tool_calls": calls, "turns": calls, "calls_by_tool": {}}}
    return Played(report, episode.bank + episode.wallet, seconds, episode.ending or "")


def axes_row(name: str, years: list[Played]) -> list[str]:
    measured: AxisFigures = axes_of([year.report for year in years])
    return [
        f"`{name}`",
        yuan(measured.final_assets),
        f"{measured.multiplier:.1f}x" if measured.multiplier is not None else "",
        shown(measured.cse_plus, ".3f"),
        shown(measured.bad_spend_percent, ".1f", "%"),
        shown(measured.drawdown_over_peak, ".1%"),
        "none" if measured.profit_per_call is None else yuan(measured.profit_per_call),
        shown(measured.controllable_return_points, ".1f", " pp"),
        shown(measured.anchor_ratio, ".2f"),
        f"{fmean(year.seconds for year in years):.1f} s",
    ]


def shown(value: float | None, style: str, unit: str = "") -> str:
    return "none" if value is None else f"{value:{style}}{unit}"


def spread_row(name: str, years: list[Played]) -> list[str]:
    earned = sorted(year.assets for year in years)
    bankrupt = sum(year.ending == "bankruptcy" for year in years)
    spread = f"{stdev(earned) / fmean(earned):.2f}" if earned[0] > 0 else "none"
    return [f"`{name}`", *map(yuan, (earned[0], median(earned), earned[-1])), spread, f"{bankrupt} of {len(years)}"]


def merchant_tables(on_default: Years, on_fresh: Years) -> str:
    spread_head = ("Merchant", "Lowest", "Median", "Highest", "Deviation / mean", "Bankrupt")
    return "\n\n".join(
        [
            "### The default world",
            markdown_table(AXES_HEAD, [axes_row(name, years) for name, years in on_default.items()]),
            "### Ten fresh worlds, on average",
            markdown_table(AXES_HEAD, [axes_row(name, years) for name, years in on_fresh.items()]),
            "### Ten fresh worlds, final assets",
            markdown_table(spread_head, [spread_row(name, years) for name, years in on_fresh.items()]),
        ]
    )


def bound_table(worlds: list[World], years: Years, bounds: list[float]) -> str:
    """A row for each world, the default one first, and the mean over the fresh ones."""
    figures = [[*(years[name][place].assets for name in merchant_names()), bound] for place, bound in enumerate(bounds)]
    means = [fmean(column) for column in zip(*figures[1:], strict=True)]
    named = [*((world.name, row) for world, row in zip(worlds, figures, strict=True)), ("mean of the seeds", means)]
    return markdown_table(BOUND_HEAD, [[name, *(f"{amount / 1e6:,.2f}" for amount in row)] for name, row in named])


def main() -> None:
    worlds = [load_world("default"), *(generate_world(seed=seed, name=f"seed {seed}") for seed in SEEDS)]
    years: Years = {name: [play(name, world) for world in worlds] for name in merchant_names()}
    bounds = [upper_bound(world).assets for world in worlds]
    blocks = {
        "merchants": merchant_tables(
            {name: played[:1] for name, played in years.items()}, {name: played[1:] for name, played in years.items()}
        ),
        "bound": bound_table(worlds, years, bounds),
    }
    print("\n\n".join(blocks.values()))
    for page in map(Path, sys.argv[1:]):
        name = "merchants" if page.name == "merchants.md" else "bound"
        write_block(page, name, blocks[name])


if __name__ == "__main__":
    main()
