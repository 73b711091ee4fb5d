"""What company does to a merchant: equal rivals, a price war, mixed fields, and what a market of several costs to play.

    python benchmarks/arena.py                 print the tables
    python benchmarks/arena.py docs/arena.md   put them and the pictures into the page too, between its marks

It plays some two hundred years and takes a quarter of an hour on one core.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any

import vl_convert
from doc_tables import markdown_table, write_block

from ecbench import Arena, Episode, load_world
from ecbench.players.driver import play_arena, play_year
from ecbench.players.merchants.haggler import Haggler
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.players.merchants.registry import get_merchant
from ecbench.world.model import World

MOST_SEATS = 8
CROWDS = ("haggler", "steady")
CUTS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)  # off the price that the other keeps
WAR_PRICE = 1.05
FIELDS = {"steady and three hagglers": ("steady", *["haggler"] * 3), "eight steadys": ("steady",) * 8}
SEEDS = range(1, 11)
FOUR = ("steady", "haggler", "first-quote", "haggler")

Make = Callable[[], Merchant | Insider]


def named(name: str, world: World) -> Make:
    return partial(get_merchant, name, days=world.days)


def together(makers: Sequence[Make], world: World) -> list[float]:
    """Final assets by seat."""
    arena = Arena(world, seats=len(makers))
    play_arena([make() for make in makers], arena)
    return [account.books.purse.total for account in arena.accounts]


def alone(make: Make, world: World) -> float:
    episode = Episode(world)
    play_year(make(), episode)
    return episode.bank + episode.wallet


def equal_rivals(world: World) -> list[dict[str, Any]]:
    found = []
    for name in CROWDS:
        for seats in range(1, MOST_SEATS + 1):
            assets = together([named(name, world)] * seats, world)
            found.append({"merchant": name, "seats": seats, "each": fmean(assets), "total": sum(assets)})
    return found


def price_war(world: World) -> list[dict[str, float]]:
    found = []
    for cut in CUTS:
        prices = (WAR_PRICE, WAR_PRICE * (1 - cut))
        keeper, cutter = together([partial(Haggler, world.days, price) for price in prices], world)
        found.append({"cut": cut, "keeper": keeper, "cutter": cutter, "total": keeper + cutter})
    return found


def fields() -> list[list[str]]:
    rows = []
    for title, names in FIELDS.items():
        assets: dict[str, list[float]] = {}
        for seed in SEEDS:
            world = load_world(f"seed-{seed}")
            for name, amount in zip(names, together([named(name, world) for name in names], world), strict=True):
                assets.setdefault(name, []).append(amount)
        for name, amounts in assets.items():
            broke = sum(amount < 0 for amount in amounts)
            figures = (min(amounts), fmean(amounts), max(amounts))
            rows.append(
                [f"{title}: {name}", *(f"{figure / 1e6:.2f}" for figure in figures), f"{broke} of {len(amounts)}"]
            )
    return rows


def cost(world: World) -> float:
    """Processor time of four seats in one market over that of the same four alone."""
    makers = [named(name, world) for name in FOUR]
    started = process_time()
    for make in makers:
        alone(make, world)
    between = process_time()
    together(makers, world)
    return (process_time() - between) / (between - started)


def tables(rivals: Sequence[dict[str, Any]], war: Sequence[dict[str, float]]) -> dict[str, str]:
    crowd_rows = [
        [f"{row['merchant']}", str(row["seats"]), f"{row['each'] / 1e6:.2f}", f"{row['total'] / 1e6:.2f}"]
        for row in rivals
    ]
    war_rows = [
        [f"{row['cut']:.0%}", *(f"{row[name] / 1e6:.2f}" for name in ("keeper", "cutter", "total"))] for row in war
    ]
    return {
        "arena-crowd": "![Final assets of one to eight equal merchants](arena-crowd.svg)\n\n"
        + markdown_table(("merchant", "seats", "each, ¥ million", "all together, ¥ million"), crowd_rows),
        "arena-war": "![Final assets of two merchants of whom one is cheaper](arena-war.svg)\n\n"
        + markdown_table(("cheaper by", "who keeps the price, ¥ million", "who cuts it", "both together"), war_rows),
        "arena-fields": markdown_table(
            ("field: merchant", "lowest, ¥ million", "mean", "highest", "below zero at the end"), fields()
        ),
    }


def pictures(rivals: Sequence[dict[str, Any]], war: Sequence[dict[str, float]]) -> dict[str, str]:
    crowd = [
        {"seats": row["seats"], "assets": row[whose] / 1e6, "line": f"{row['merchant']}, {whose}"}
        for row in rivals
        for whose in ("each", "total")
    ]
    cuts = [
        {"cut": row["cut"], "assets": row[name] / 1e6, "line": label}
        for row in war
        for name, label in (("keeper", "keeps the price"), ("cutter", "cuts it"), ("total", "both together"))
    ]
    return {
        "arena-crowd.svg": lines(
            crowd, {"field": "seats", "type": "ordinal", "title": "equal merchants in the market"}
        ),
        "arena-war.svg": lines(
            cuts, {"field": "cut", "type": "quantitative", "title": "one is cheaper by", "axis": {"format": "%"}}
        ),
    }


def lines(values: Sequence[dict[str, Any]], across: dict[str, Any]) -> str:
    """Final assets as lines, one for each value of `line`."""
    return vl_convert.vegalite_to_svg(
        {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "data": {"values": values},
            "width": 420,
            "height": 240,
            "background": "white",
            "mark": {"type": "line", "point": True},
            "encoding": {
                "x": across,
                "y": {"field": "assets", "type": "quantitative", "title": "final assets, ¥ million"},
                "color": {"field": "line", "type": "nominal", "title": None},
            },
        }
    )


def main(pages: Sequence[str]) -> None:
    world = load_world("default")
    rivals, war = equal_rivals(world), price_war(world)
    blocks = tables(rivals, war)
    ratio = sorted(cost(world) for _ in range(3))[1]
    blocks["arena-cost"] = (
        f"Four merchants ({', '.join(FOUR)}) in one market take {ratio:.2f} times the processor time of the four years "
        "played alone (the middle of three measurements, `python benchmarks/arena.py`)."
    )
    for name, block in blocks.items():
        print(f"{name}\n\n{block}\n")
        for page in map(Path, pages):
            write_block(page, name, block)
    for page in map(Path, pages):
        for name, svg in pictures(rivals, war).items():
            (page.parent / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
