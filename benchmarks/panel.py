"""What merchants earn under `paper` and `fair`, and whether fresh worlds are worth the same to all of them.

    python benchmarks/panel.py                    print the tables
    python benchmarks/panel.py docs/fair.md       put them into the page too, between its marks

Options: --merchants first-quote,haggler,steady  --seeds 301-312  --jobs 1. `oracle` may sit on the panel too.
The panel's effect on a world is the mean over merchants of the logarithm of money, each merchant's mean taken off. A
merchant's loading is fitted by least squares; what is left is how unlike the world is for this merchant alone. A year
of the insider takes half a minute, the others seconds. Money is kept in --store FILE, so that a stopped measurement
continues. What chance does on one world is measured with other salts.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from doc_tables import markdown_table, publish
from fair_rules import Year, add_options, measure, overrides_of
from worlds import rank_correlation

from ecbench import load_world
from ecbench.bound.assets import bound_assets
from ecbench.metrics.skill import skill
from ecbench.players.merchants.registry import merchant_names
from ecbench.rules import DEFAULT_RULES, rule_set
from ecbench.world.generate.store_worth import Floats

SETS = ("paper", "fair")
SALTED = [[f"seed-{seed}:{salt:032x}" for salt in range(3)] for seed in (301, 302, 303)]  # the same worlds, other draws
DAYS = 365
STAKE = DEFAULT_RULES.stake


def log_money(merchants: Sequence[str], seeds: range, rules: str, options: Namespace) -> Floats:
    """A row for each world, a column for each merchant."""
    changes = json.dumps(overrides_of(rules))
    years = [Year(f"seed-{seed}", merchant, DAYS, changes) for merchant in merchants for seed in seeds]
    money = measure(years, options.store, options.jobs)
    return np.log([money[year] for year in years]).reshape(len(merchants), len(seeds)).T


def scores_table(options: Namespace) -> str:
    """All merchants on default: money and skill, and the bound."""
    bounds = [bound_assets(load_world("default"), rules=rule_set(name)).expected for name in SETS]
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
    rows.append(["bound on average", *map(_millions, bounds), "1", "1"])
    head = ["", *(f"`{name}`, ¥ million" for name in SETS), *(f"skill, `{name}`" for name in SETS)]
    return markdown_table(head, rows)


def _millions(yuan: float) -> str:
    return f"{yuan / 1e6:,.2f}"


def without_panel(logs: Floats) -> tuple[Floats, Floats]:
    """Each merchant's loading on the panel's effect, and the deviation that the effect does not explain."""
    centred = logs - logs.mean(axis=0)
    effect = centred.mean(axis=1)
    loadings = centred.T @ effect / (effect @ effect)
    left = centred - np.outer(effect, loadings)
    return loadings, np.sqrt((left**2).sum(axis=0) / (len(logs) - 2))


def by_chance(merchant: str, rules: str, options: Namespace) -> str:
    """The deviation between years on the same world with other draws, where the rules have secret ones."""
    if not rule_set(rules).secret_draws or merchant == "oracle":  # its years would take as long as all others
        return ""
    changes = json.dumps(overrides_of(rules))
    years = [[Year(name, merchant, DAYS, changes) for name in names] for names in SALTED]
    money = measure([year for row in years for year in row], options.store, options.jobs)
    variances = np.log([[money[year] for year in row] for row in years]).var(axis=1, ddof=1)
    return f"{np.sqrt(variances.mean()):.1%}"


def panel_table(merchants: Sequence[str], by_rules: dict[str, Floats], options: Namespace) -> str:
    head = [
        "Merchant",
        "Rules",
        "Lowest, ¥ million",
        "Mean",
        "Highest",
        "Deviation",
        "Loading",
        "Deviation left",
        "By chance",
    ]
    rows = []
    for place, name in enumerate(merchants):
        for rules, logs in by_rules.items():
            money, (loadings, left) = np.exp(logs[:, place]) / 1e6, without_panel(logs)
            amounts = [f"{amount:,.2f}" for amount in (money.min(), money.mean(), money.max())]
            deviations = f"{logs[:, place].std(ddof=1):.1%}", f"{loadings[place]:.2f}", f"{left[place]:.1%}"
            rows.append([f"`{name}`", f"`{rules}`", *amounts, *deviations, by_chance(name, rules, options)])
    return markdown_table(head, rows)


def rank_table(merchants: Sequence[str], by_rules: dict[str, Floats]) -> str:
    rows = [
        [
            f"`{merchants[i]}`, `{merchants[j]}`",
            *(f"{rank_correlation(logs[:, i], logs[:, j]):+.2f}" for logs in by_rules.values()),
        ]
        for i, j in combinations(range(len(merchants)), 2)
    ]
    return markdown_table(["Rank correlation over worlds", *(f"`{name}`" for name in by_rules)], rows)


def report(options: Namespace) -> str:
    merchants, (first, last) = options.merchants.split(","), map(int, options.seeds.split("-"))
    by_rules = {name: log_money(merchants, range(first, last + 1), name, options) for name in SETS}
    title = f"{last - first + 1} worlds, seeds {first} to {last}:"
    return "\n\n".join([title, panel_table(merchants, by_rules, options), rank_table(merchants, by_rules)])


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--merchants", default="first-quote,haggler,steady")
    parser.add_argument("--seeds", default="301-312")  # nothing was tuned on them
    options = add_options(parser).parse_args()
    publish("scores", scores_table(options), options.pages)
    publish("panel", report(options), options.pages)


if __name__ == "__main__":
    main()
