"""What merchants earn under `paper` and `fair`, and whether fresh worlds are worth the same to all of them.

    python benchmarks/panel.py                    print the tables
    python benchmarks/panel.py docs/studies.md       put them into the page too, between its marks

Options: --merchants first-quote,haggler,steady,insider  --seeds 301-312  --jobs 1.
The panel's effect on a world is the mean over merchants of the logarithm of money, each merchant's mean taken off. A
merchant's loading is fitted by least squares; what is left is how unlike the world is for this merchant alone, and
chance. Under rules with secret draws every world is played with several salts, which separates the two. A year of the
insider takes a minute, so it plays one salt of each world and only under `fair`, and comes last among the merchants;
the others take seconds. Money is kept in --store FILE, so that a stopped measurement continues.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from doc_tables import markdown_table, publish
from fair_rules import Year, add_options, measure, overrides_of
from worlds import rank_correlation

from ecbench import load_world
from ecbench.analysis.bound.assets import upper_bound
from ecbench.analysis.compare.verdict import log_assets
from ecbench.market.best_shelf import Column
from ecbench.metrics.anchors import skill
from ecbench.players.merchants.registry import merchant_names
from ecbench.rules import DEFAULT_RULES, rule_set
from ecbench.world.generate.fresh_store_types import log_richness

SETS = ("paper", "fair")
SALTS = 2  # other draws on the same world
INSIDER = "insider"
DAYS = 365
STAKE = DEFAULT_RULES.stake


class Parts(NamedTuple):
    """What makes a merchant's logarithm of money differ between worlds, a value for each merchant."""

    loadings: Column  # on the panel's effect
    own: Column  # standard deviation of what the panel's effect does not explain, without chance where that is known
    chance: Column  # standard deviation between years on one world with other salts; 0 where there is one year only


def log_money(merchants: Sequence[str], seeds: range, rules: str, options: Namespace) -> list[Column]:
    """For each merchant, a row for each world and a column for each salt."""
    changes, found = json.dumps(overrides_of(rules)), []
    for merchant in merchants:
        salts = range(SALTS if merchant != INSIDER else 1)
        ends = [f":{salt:032x}" for salt in salts] if rule_set(rules).secret_draws else [""]
        years = [[Year(f"seed-{seed}{end}", merchant, DAYS, changes) for end in ends] for seed in seeds]
        money = measure([year for row in years for year in row], options.store, options.jobs)
        found.append(np.array([[log_assets(money[year], STAKE) for year in row] for row in years]))
    return found


def scores_table(options: Namespace) -> str:
    """All merchants on default: money and skill, and the upper bound."""
    bounds = [upper_bound(load_world("default"), rules=rule_set(name)).assets for name in SETS]
    years = {
        name: [Year("default", name, DAYS, json.dumps(overrides_of(rules))) for rules in SETS]
        for name in merchant_names()
    }
    money = measure([year for pair in years.values() for year in pair], options.store, options.jobs)
    rows = []
    for name, pair in years.items():
        amounts = [money[year] for year in pair]
        skills = [skill(amount, STAKE, bound) for amount, bound in zip(amounts, bounds, strict=True)]
        rows.append([f"`{name}`", *map(_millions, amounts), *(f"{one:.2f}" for one in skills if one is not None)])
    rows.append(["upper bound", *map(_millions, bounds), "1", "1"])
    head = ["", *(f"`{name}`, ¥ million" for name in SETS), *(f"skill, `{name}`" for name in SETS)]
    return markdown_table(head, rows)


def _millions(yuan: float) -> str:
    return f"{yuan / 1e6:,.2f}"


def without_panel(logs: Column) -> tuple[Column, Column]:
    """Each merchant's loading on the panel's effect, and the deviation that the effect does not explain."""
    centred = logs - logs.mean(axis=0)
    effect = centred.mean(axis=1)
    loadings = centred.T @ effect / (effect @ effect)
    left = centred - np.outer(effect, loadings)
    return loadings, np.sqrt((left**2).sum(axis=0) / (len(logs) - 2))


def parts(logs: Sequence[Column]) -> Parts:
    """The chance that the means over salts still hold is taken off what is left, where there is more than one salt."""
    salts = np.array([one.shape[1] for one in logs])
    chance = np.array([one.var(axis=1, ddof=1).mean() if one.shape[1] > 1 else 0.0 for one in logs])
    loadings, left = without_panel(world_means(logs))
    weights = np.eye(len(logs)) - np.outer(loadings, np.full(len(logs), 1 / len(logs)))
    own = left**2 - np.where(salts > 1, weights**2 @ (chance / salts), 0.0)
    return Parts(loadings, np.sqrt(np.maximum(0.0, own)), np.sqrt(chance))


def world_means(logs: Sequence[Column]) -> Column:
    """A row for each world, a column for each merchant."""
    return np.column_stack([one.mean(axis=1) for one in logs])


def richness_slope(means: Column, seeds: range) -> float:
    """By how many percent a merchant's money grows where the world is drawn richer by one."""
    richness = np.array([log_richness(seed) for seed in seeds])
    return float(np.polyfit(richness, means, 1)[0])


def panel_table(merchants: Sequence[str], seeds: range, by_rules: dict[str, list[Column]]) -> str:
    head = [
        "Merchant",
        "Rules",
        "Lowest, ¥ million",
        "Mean",
        "Highest",
        "Deviation of a year",
        "By richness",
        "Loading",
        "Left in a year",
        "World's own",
        "Chance",
    ]
    rows = []
    for place, name in enumerate(merchants):
        for rules, logs in by_rules.items():
            if place >= len(logs):
                continue
            money, found = np.exp(logs[place]) / 1e6, parts(logs)
            amounts = [f"{amount:,.2f}" for amount in (money.min(), money.mean(), money.max())]
            deviation = np.sqrt(logs[place].var(axis=0, ddof=1).mean())
            own, chance = found.own[place], found.chance[place]
            split = [f"{own:.1%}", f"{chance:.1%}"] if chance else ["", ""]
            slope, loading = richness_slope(world_means(logs)[:, place], seeds), found.loadings[place]
            numbers = [f"{deviation:.1%}", f"{slope:.2f}", f"{loading:.2f}", f"{np.hypot(own, chance):.1%}"]
            rows.append([f"`{name}`", f"`{rules}`", *amounts, *numbers, *split])
    return markdown_table(head, rows)


def rank_table(merchants: Sequence[str], by_rules: dict[str, list[Column]]) -> str:
    """Of the means over salts."""
    rows = [
        [
            f"`{merchants[i]}`, `{merchants[j]}`",
            *(
                f"{rank_correlation(*world_means([logs[i], logs[j]]).T):+.2f}" if j < len(logs) else ""
                for logs in by_rules.values()
            ),
        ]
        for i, j in combinations(range(len(merchants)), 2)
    ]
    return markdown_table(["Rank correlation over worlds", *(f"`{name}`" for name in by_rules)], rows)


def report(options: Namespace) -> str:
    merchants, (first, last) = options.merchants.split(","), map(int, options.seeds.split("-"))
    seeds = range(first, last + 1)
    by_rules = {
        name: log_money([m for m in merchants if m != INSIDER or rule_set(name).secret_draws], seeds, name, options)
        for name in SETS
    }
    title = f"{len(seeds)} worlds, seeds {first} to {last}:"
    return "\n\n".join([title, panel_table(merchants, seeds, by_rules), rank_table(merchants, by_rules)])


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--merchants", default=f"first-quote,haggler,steady,{INSIDER}")
    parser.add_argument("--seeds", default="301-312")  # nothing was tuned on them
    options = add_options(parser).parse_args()
    publish("scores", scores_table(options), options.pages)
    publish("panel", report(options), options.pages)


if __name__ == "__main__":
    main()
