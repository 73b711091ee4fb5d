"""How like the published world ours are, figure by figure, and whether fresh worlds are worth the same.

    python benchmarks/worlds.py                    print the tables
    python benchmarks/worlds.py docs/validity.md   put them into the page too, between its marks

It makes twenty fresh worlds and takes two minutes. What a static optimum is stands in `static_optimum.py`.
"""

import sys
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from doc_tables import markdown_table, publish
from numpy.typing import NDArray
from static_optimum import PRICES_TO_1000, best_four, static_optima
from world_statistics import PUBLISHED, Numbers, statistics

from ecbench import load_world
from ecbench.market.best_shelf import Column
from ecbench.rules import DEFAULT_RULES
from ecbench.world.generate import generate_world
from ecbench.world.model import World

SEEDS = range(1, 21)
HIGHEST_PRICES = (2, 4, 16, 1_000)  # over the reference price
USUAL_HIGHEST = 16


class Money(NamedTuple):
    """Static optima of store types in yuan a day: on default, and on fresh worlds, one in each row."""

    default: Column
    fresh: Column
    tiers: NDArray[np.int_]  # of the store types


class Spread(NamedTuple):
    """The static optima of fresh worlds, best four store types together."""

    mean: float  # yuan a year
    variation: float  # standard deviation over mean
    lowest: float  # over the mean
    highest: float  # over the mean


class Recall(NamedTuple):
    """What store types that are best on default earn on fresh worlds, over what the best there do."""

    remembered: float
    by_lot: float  # types of the same tiers, whichever they are


def measure(default: World, fresh: Sequence[World], highest_price: float = USUAL_HIGHEST) -> Money:
    prices = PRICES_TO_1000[highest_price * (1 + 1e-9) >= PRICES_TO_1000]
    return Money(
        default=static_optima(default, prices),
        fresh=np.array([static_optima(world, prices) for world in fresh]),
        tiers=np.array([store_type.tier for store_type in default.store_types]),
    )


def spread(money: Money) -> Spread:
    optima = np.array([best_four(row) for row in money.fresh])
    mean = float(optima.mean())
    return Spread(mean, float(optima.std(ddof=1)) / mean, float(optima.min()) / mean, float(optima.max()) / mean)


def order_likeness(one: Column, other: Column, tiers: NDArray[np.int_]) -> float:
    """Rank correlation of the store types of a tier between two worlds, averaged over the tiers; 0 is chance."""
    return float(np.mean([rank_correlation(one[tiers == tier], other[tiers == tier]) for tier in np.unique(tiers)]))


def likeness_between(money: Money) -> float:
    """Averaged over all pairs of fresh worlds."""
    return float(np.mean([order_likeness(one, other, money.tiers) for one, other in combinations(money.fresh, 2)]))


def likeness_to_default(money: Money) -> float:
    return float(np.mean([order_likeness(row, money.default, money.tiers) for row in money.fresh]))


def recall(money: Money) -> Recall:
    """Whether it helps to open the stores that were best on default."""
    best = np.array([best_four(row, days=1) for row in money.fresh])
    known = np.argsort(money.default)[-DEFAULT_RULES.max_stores :]
    of_same_tiers = np.array([money.fresh[:, money.tiers == money.tiers[kind]].mean(axis=1) for kind in known])
    return Recall(
        float((money.fresh[:, known].sum(axis=1) / best).mean()), float((of_same_tiers.sum(axis=0) / best).mean())
    )


def rank_correlation(one: Column, other: Column) -> float:
    """Spearman's, of values that all differ."""
    return float(np.corrcoef(np.argsort(np.argsort(one)), np.argsort(np.argsort(other)))[0, 1])


def money_table(by_price: dict[int, Money]) -> str:
    head = ["Highest price tried", "Default", "Fresh, mean", "Over default", "Variation", "Lowest", "Highest"]
    rows = []
    for highest, money in by_price.items():
        default, fresh = best_four(money.default), spread(money)
        rows.append(
            [
                f"{highest:,} times reference",
                millions(default),
                millions(fresh.mean),
                f"{fresh.mean / default:.3f}",
                f"{fresh.variation:.1%}",
                f"{fresh.lowest - 1:+.1%}",
                f"{fresh.highest - 1:+.1%}",
            ]
        )
    return markdown_table(head, rows)


def order_table(money: Money) -> str:
    remembered = recall(money)
    rows = [
        ["Order of a tier's store types, between two fresh worlds", f"{likeness_between(money):+.3f}", "0"],
        ["Order of a tier's store types, between a fresh world and default", f"{likeness_to_default(money):+.3f}", "0"],
        ["Default's best four, over the best four there", f"{remembered.remembered:.1%}", f"{remembered.by_lot:.1%}"],
    ]
    return markdown_table(["What a fresh world has of another", "Measured", "Chance"], rows)


def store_type_table(world: World, money: Money) -> str:
    head = ["Store type", "Tier", "Default", "Fresh, lowest", "Fresh, median", "Fresh, highest"]
    columns = np.array(
        [money.default, money.fresh.min(axis=0), np.median(money.fresh, axis=0), money.fresh.max(axis=0)]
    )
    rows = [
        [kind.name, str(kind.tier), *[f"¥{value:,.0f}" for value in columns[:, place]]]
        for place, kind in enumerate(world.store_types)
    ]
    return markdown_table(head, sorted(rows, key=lambda row: row[1]))


def figures_table(default: World, fresh: Sequence[World]) -> str:
    ours, theirs = statistics(default), [statistics(world) for world in fresh]
    rows = [
        [name, shown(published.numbers), shown(ours[name]), shown_range([figures[name] for figures in theirs])]
        for name, published in PUBLISHED.items()
    ]
    return markdown_table(["Figure", "Published", "Default", "Fresh worlds"], rows)


def shown(numbers: Numbers) -> str:
    return ", ".join(short(number) for number in numbers)


def shown_range(of_worlds: Sequence[Numbers]) -> str:
    """Number by number, from the lowest to the highest of the worlds."""
    cells = []
    for column in zip(*of_worlds, strict=True):
        low, high = short(min(column)), short(max(column))
        cells.append(low if low == high else f"{low} to {high}")
    return ", ".join(cells)


def short(number: float) -> str:
    return f"{number:,.0f}" if number >= 1_000 else f"{number:.4g}"


def millions(yuan: float) -> str:
    return f"¥{yuan / 1e6:,.1f} million"


def section() -> str:
    default = load_world("default")
    fresh = [generate_world(seed=seed, name=f"seed {seed}") for seed in SEEDS]
    by_price = {highest: measure(default, fresh, highest) for highest in HIGHEST_PRICES}
    money = by_price[USUAL_HIGHEST]
    return "\n\n".join(
        [
            f"Static optimum of the best four store types in a year, on default and on {len(fresh)} fresh worlds "
            f"(seeds {SEEDS[0]} to {SEEDS[-1]}). Variation is the standard deviation over the mean; lowest and highest "
            "are the deviations of the poorest and the richest world from the mean.",
            money_table(by_price),
            f"The rest is measured with prices up to {USUAL_HIGHEST} times the reference price. Likeness of order is "
            "the rank correlation of the static optima.",
            order_table(money),
            "Static optimum of each store type, a day:",
            store_type_table(default, money),
            "Figures of the data layer; several numbers are the ends of a range, or as named:",
            figures_table(default, fresh),
        ]
    )


if __name__ == "__main__":
    publish("worlds", section(), sys.argv[1:])
