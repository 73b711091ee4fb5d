"""How many worlds and episodes it takes to see that one agent ends with a fifth more than another.

    python benchmarks/power.py                    print the tables
    python benchmarks/power.py docs/validity.md   put them into the page too, between its marks

What worlds do to merchants is measured by playing three of them on ten fresh worlds, what chance does to models is the
spread that the paper prints. It plays 30 years and takes a minute or two. The formulas stand in `sample_size.py`.
"""

import sys
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import exp, log, sqrt
from statistics import fmean, median
from typing import Any, NamedTuple

import numpy as np
from doc_tables import markdown_table, publish
from sample_size import (
    DIFFERENCE,
    Noise,
    log_spread,
    pairs_told_apart,
    power_of_paired,
    seen_by_paired,
    units_needed,
)

from ecbench import Episode
from ecbench.compare.power import CHANCE
from ecbench.market.price_columns import Column
from ecbench.metrics.published import published_models
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant
from ecbench.quantiles import LEVEL
from ecbench.world.generate import generate_world
from ecbench.world.model import World

SEEDS = range(1, 11)
MERCHANTS = ("first-quote", "haggler", "steady")  # the first two keep the same shop
WORLDS, EPISODES = 10, 2  # of the protocol
ERRATIC = 2.0  # a model whose spread is above this multiple of its mean lives on single lucky episodes


class Pair(NamedTuple):
    """Two merchants on the same worlds: variances of the logarithm of final assets."""

    names: tuple[str, str]
    apart: float  # of one's and the other's together: what a comparison on different worlds suffers from
    paired: float  # of their difference: what is left of it on the same worlds


def final_assets(name: str, world: World) -> float:
    episode = Episode(world)
    play_year(get_merchant(name, days=world.days), episode)
    return episode.bank + episode.wallet


def compare(logs: dict[str, Column]) -> list[Pair]:
    return [
        Pair(
            (one, other),
            float(logs[one].var(ddof=1) + logs[other].var(ddof=1)),
            float((logs[other] - logs[one]).var(ddof=1)),
        )
        for one, other in combinations(logs, 2)
    ]


def noise_of_worlds(pairs: Sequence[Pair]) -> Noise:
    """Averaged over the pairs. Half a difference's variance is one agent's; the rest both have in common."""
    own = fmean(pair.paired for pair in pairs) / 2
    common = fmean(pair.apart for pair in pairs) / 2 - own
    return Noise(world=sqrt(max(0.0, common)), own=sqrt(own), episode=0.0)


def models() -> list[dict[str, Any]]:
    """The paper's, every spread a sample estimate."""
    rows = []
    for model in published_models():
        printed, n = model.figures["final_assets"], model.episodes
        spread = (printed.spread or 0.0) * (sqrt(n / (n - 1)) if printed.of_population else 1.0)
        rows.append({"model": model.name, "episodes": n, "final_assets": printed.value, "final_assets_std": spread})
    return rows


def spread(row: dict[str, Any]) -> float:
    """Standard deviation over mean."""
    return float(row["final_assets_std"] / row["final_assets"])


def world_table(logs: dict[str, Column], pairs: Sequence[Pair]) -> str:
    rows = []
    for pair in pairs:
        one, other = pair.names
        ratio = exp(float((logs[other] - logs[one]).mean()))
        cells = [ratio, sqrt(pair.apart / 2), sqrt(pair.paired / 2), pair.apart / pair.paired]
        rows.append([f"`{one}`, `{other}`", *[f"{cell:.2f}" for cell in cells]])
    head = ["Pair", "Second over first", "Spread of one", "Left when paired", "Variance, unpaired over paired"]
    return markdown_table(head, rows)


def need_table(worlds: Noise, levels: Sequence[tuple[str, float]]) -> str:
    head = [
        "Chance within a world",
        "One world",
        "Fresh worlds, each its own",
        "Same worlds, 1 episode each",
        f"Same worlds, {EPISODES} each",
        f"Power of {WORLDS} x {EPISODES}",
        f"{WORLDS} x {EPISODES} show",
    ]
    rows = []
    for label, variation in levels:
        noise = worlds._replace(episode=log_spread(variation))
        rows.append(
            [
                f"{label}, {variation:.0%}" if variation else label,
                f"{units_needed(noise.one_world):,}",
                f"{units_needed(noise.apart):,}",
                f"{units_needed(noise.paired, paired=True):,}",
                f"{EPISODES * units_needed(partial(noise.paired, EPISODES), paired=True):,}",
                f"{power_of_paired(noise, WORLDS, EPISODES):.0%}",
                f"{seen_by_paired(noise, WORLDS, EPISODES) - 1:+.0%}",
            ]
        )
    return markdown_table(head, rows)


def models_text(rows: Sequence[dict[str, Any]], usual: Sequence[float]) -> str:
    erratic = [f"{row['model']} ({spread(row):.0%})" for row in rows if spread(row) > ERRATIC]
    told, of, neighbours, of_neighbours = pairs_told_apart(rows)
    return (
        f"The paper's models, five episodes each on one world: standard deviation over mean from {usual[0]:.0%} to "
        f"{usual[-1]:.0%}, median {median(usual):.0%}, without {', '.join(erratic)}. Welch's test at {LEVEL:.0%} tells "
        f"{told} of their {of} pairs apart, and {neighbours} of {of_neighbours} neighbours on the leaderboard."
    )


def section() -> str:
    worlds = [generate_world(seed=seed, name=f"seed {seed}") for seed in SEEDS]
    logs = {name: np.array([log(final_assets(name, world)) for world in worlds]) for name in MERCHANTS}
    pairs, rows = compare(logs), models()
    usual = sorted(spread(row) for row in rows if spread(row) <= ERRATIC)
    levels = [("none", 0.0), ("steadiest model", usual[0]), ("median model", median(usual))]
    levels.append(("most erratic model", usual[-1]))
    like, unlike = noise_of_worlds(pairs[:1]), noise_of_worlds(pairs[1:])
    return "\n\n".join(
        [
            f"Three merchants on {len(worlds)} fresh worlds (seeds {SEEDS[0]} to {SEEDS[-1]}), one episode each since "
            "they are deterministic. Spreads are standard deviations of the logarithm of final assets: 0.10 is about "
            "10%.",
            world_table(logs, pairs),
            models_text(rows, usual),
            f"Episodes of each agent that show a difference of {DIFFERENCE - 1:.0%} in {CHANCE:.0%} of studies, "
            f"two-sided at {LEVEL:.0%}; then what {WORLDS} worlds of {EPISODES} episodes do: how often they show that "
            f"difference, and the difference that they show in {CHANCE:.0%} of studies. Agents that trade alike, to "
            f"whom a world does the same but for {like.own:.2f}:",
            need_table(like, levels),
            f"Agents that trade differently, to whom it does not ({unlike.own:.2f}):",
            need_table(unlike, levels),
        ]
    )


if __name__ == "__main__":
    publish("power", section(), sys.argv[1:])
