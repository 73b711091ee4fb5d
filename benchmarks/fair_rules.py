"""What each rule of the newest fair set does by itself: merchants under the paper's rules with one of them changed.

    python benchmarks/fair_rules.py                    print the table
    python benchmarks/fair_rules.py docs/studies.md       put it into the page too, between its marks

Options: --worlds default  --merchants first-quote,haggler,steady  --days 365  --jobs 1. A year of `insider` takes half
a minute, the others seconds. Answers are kept in --store FILE, by world, merchant and rules, so that a stopped
measurement continues.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from doc_tables import markdown_table, publish

from ecbench import Episode, load_world
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant
from ecbench.rule_values import as_json, written
from ecbench.rules import DEFAULT_RULES, rule_set, versioned_set

FAIR = versioned_set("fair")
TOGETHER = (("drift_categories", "drift_size"),)  # rules that do nothing without each other
WORLDS, MERCHANTS = "default", "first-quote,haggler,steady"

Overrides = Mapping[str, Any]


class Year(NamedTuple):
    world: str
    merchant: str
    days: int
    overrides: str  # of the paper's rules, as JSON

    @property
    def key(self) -> str:
        return "|".join(map(str, self))


def overrides_of(rules: str) -> dict[str, Any]:
    """What a named set changes of the paper's rules."""
    paper, named = DEFAULT_RULES.values(), rule_set(rules).values()
    return {name: as_json(value) for name, value in named.items() if value != paper[name]}


def changed_rules() -> dict[str, Overrides]:
    """The fair set's changes to the paper's rules, one by one or as they belong together, and all of them."""
    fair, changes = rule_set(FAIR).values(), overrides_of(FAIR)
    groups = [group for group in TOGETHER if set(group) <= set(changes)]
    joined = {name for group in groups for name in group}
    alone = {f"`{name}` {written(fair[name])}": {name: value} for name, value in changes.items() if name not in joined}
    for group in groups:
        label = ", ".join(f"`{name}` {written(fair[name])}" for name in group)
        alone[label] = {name: changes[name] for name in group}
    return {"none, as in the paper": {}, **alone, f"all of `{FAIR}`": changes}


def money_of(year: Year) -> float:
    rules = DEFAULT_RULES.with_overrides(json.loads(year.overrides))
    episode = Episode(load_world(year.world), days=year.days, rules=rules)
    play_year(get_merchant(year.merchant, days=year.days, rules=rules), episode)
    return episode.account.books.purse.total


def measure(years: list[Year], store: Path | None, jobs: int) -> dict[Year, float]:
    known: dict[str, float] = json.loads(store.read_text()) if store is not None and store.exists() else {}
    missing = [year for year in years if year.key not in known]
    with ProcessPoolExecutor(jobs) as pool:
        for year, money in zip(missing, pool.map(money_of, missing), strict=True):
            known[year.key] = money
            if store is not None:
                store.write_text(json.dumps(known, indent=1))
    return {year: known[year.key] for year in years}


def table(options: Namespace) -> str:
    worlds, merchants = options.worlds.split(","), options.merchants.split(",")
    rules = changed_rules()

    def years(merchant: str, overrides: Overrides) -> list[Year]:
        return [Year(world, merchant, options.days, json.dumps(overrides)) for world in worlds]

    wanted = [year for changes in rules.values() for merchant in merchants for year in years(merchant, changes)]
    money = measure(wanted, options.store, options.jobs)

    def cells(changes: Overrides) -> Iterator[str]:
        for merchant in merchants:
            found = [money[year] for year in years(merchant, changes)]
            before = [money[year] for year in years(merchant, {})]
            if changes:
                yield f"{fmean(new / old - 1 for new, old in zip(found, before, strict=True)):+.1%}"
            else:
                yield f"¥{fmean(found):,.0f}"

    rows = [[label, *cells(changes)] for label, changes in rules.items()]
    named = f"{', '.join(worlds)}; {options.days} days"
    return f"Mean over {named}.\n\n{markdown_table(['rule', *(f'`{name}`' for name in merchants)], rows)}"


def add_options(parser: ArgumentParser) -> ArgumentParser:
    """Of every measurement that keeps its answers."""
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", type=Path)
    return parser


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", default=WORLDS)
    parser.add_argument("--merchants", default=MERCHANTS)
    parser.add_argument("--days", type=int, default=365)
    options = add_options(parser).parse_args()
    publish("fair-rules", table(options), options.pages)


if __name__ == "__main__":
    main()
