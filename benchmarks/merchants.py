"""What each built-in merchant earns in a year: on the default world, and on ten fresh worlds made from seeds 1 to 10.

    python benchmarks/merchants.py                    print the tables
    python benchmarks/merchants.py docs/merchants.md  put them into the page, between its marks

It plays 55 years one after the other and takes a few minutes. Money is the same on every machine; seconds are not.
"""

import sys
import time
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from ecbench import Episode, load_world
from ecbench.agents.driver import play_year
from ecbench.agents.registry import get_merchant, merchant_names
from ecbench.metrics.axes import Axes, axes
from ecbench.world.generate import generate_world
from ecbench.world.model import World

SEEDS = range(1, 11)
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
AXES_HEAD = (
    "| Merchant | Final assets | Multiplier | CSE+ | BadSpend% | Drawdown / peak | Profit / call | Controllable return "
    "| AnchorRatio | Of oracle | CPU |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


class Played(NamedTuple):
    report: dict[str, Any]
    assets: float
    seconds: float
    ending: str


def play(name: str, world: World) -> Played:
    episode = Episode(world)
    merchant = get_merchant(name, days=world.days)
    started = time.process_time()
    calls = play_year(merchant, episode)
    seconds = time.process_time() - started
    report = episode.report() | {"run": {"tool_calls": calls, "turns": calls, "calls_by_tool": {}}}
    return Played(report, episode.bank + episode.wallet, seconds, episode.ending or "")


def axes_row(name: str, years: list[Played], oracle: list[Played]) -> str:
    measured: Axes = axes([year.report for year in years])
    share = fmean(mine.assets / best.assets for mine, best in zip(years, oracle, strict=True))
    cells = [
        f"`{name}`",
        yuan(measured.final_assets),
        f"{measured.multiplier:.1f}x" if measured.multiplier is not None else "",
        shown(measured.cse_plus, ".3f"),
        f"{measured.bad_spend_percent:.1f}%",
        shown(measured.drawdown_over_peak, ".1%"),
        "none" if measured.profit_per_call is None else yuan(measured.profit_per_call),
        f"{measured.controllable_return_points:.1f} pp",
        shown(measured.anchor_ratio, ".2f"),
        f"{max(0.0, share):.0%}",
        f"{fmean(year.seconds for year in years):.1f} s",
    ]
    return "| " + " | ".join(cells) + " |"


def yuan(amount: float) -> str:
    return f"{'-' if amount < 0 else ''}¥{abs(amount):,.0f}"


def shown(value: float | None, style: str) -> str:
    return "none" if value is None else format(value, style)


def spread_row(name: str, years: list[Played]) -> str:
    earned = sorted(year.assets for year in years)
    bankrupt = sum(year.ending == "bankruptcy" for year in years)
    cells = [f"`{name}`", *map(yuan, (earned[0], median(earned), earned[-1])), f"{bankrupt} of 10"]
    return "| " + " | ".join(cells) + " |"


def tables() -> str:
    default = load_world("default")
    fresh = [generate_world(seed=seed, name=f"seed {seed}") for seed in SEEDS]
    on_default = {name: [play(name, default)] for name in merchant_names()}
    on_fresh = {name: [play(name, world) for world in fresh] for name in merchant_names()}
    lines = ["### The default world", "", AXES_HEAD]
    lines += [axes_row(name, years, on_default["oracle"]) for name, years in on_default.items()]
    lines += ["", "### Ten fresh worlds, on average", "", AXES_HEAD]
    lines += [axes_row(name, years, on_fresh["oracle"]) for name, years in on_fresh.items()]
    lines += ["", "### Ten fresh worlds, final assets", ""]
    lines += ["| Merchant | Lowest | Median | Highest | Bankrupt |", "|---|---:|---:|---:|---:|"]
    lines += [spread_row(name, years) for name, years in on_fresh.items()]
    return "\n".join(lines)


def main() -> None:
    result = tables()
    print(result)
    for page in map(Path, sys.argv[1:]):
        before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        if not begin or not end:
            raise SystemExit(f"{page} has no place for the tables: it needs the lines {BEGIN} and {END}")
        page.write_text(f"{before}{BEGIN}\n\n{result}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
