"""What scale is worth: the money of the insider by the most listings that it may carry.

    python benchmarks/listings.py                    print the table
    python benchmarks/listings.py docs/fair.md       put it into the page too, between its marks

Money is kept in --store FILE, so that a stopped measurement continues. A year takes up to half a minute.
"""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from doc_tables import markdown_table, publish
from fair_rules import add_options

from ecbench import Episode, load_world
from ecbench.players.driver import play_year
from ecbench.players.merchants.oracle import Oracle
from ecbench.rules import rule_set

WORLDS = ("default",)
LIMITS = (12, 50, 150, 400, None)
SETS = ("fair",)


def money_of(world: str, rules: str, limit: int | None) -> float:
    """Of the insider's year with so many listings at most; None: as many as pay."""
    episode = Episode(load_world(world), rules=rule_set(rules))
    play_year(Oracle(most_listings=limit), episode)
    return episode.account.books.purse.total


def measured(options: Namespace) -> dict[str, float]:
    store: Path | None = options.store
    known: dict[str, float] = json.loads(store.read_text()) if store is not None and store.exists() else {}
    for rules in SETS:
        for world in WORLDS:
            for limit in LIMITS:
                key = f"{world}|{rules}|{limit}"
                if key not in known:
                    known[key] = money_of(world, rules, limit)
                    if store is not None:
                        store.write_text(json.dumps(known, indent=1))
    return known


def table(money: dict[str, float]) -> str:
    head = ["Most listings", *(f"{world}, `{rules}`" for rules in SETS for world in WORLDS)]
    rows = [
        [
            "any" if limit is None else str(limit),
            *(f"¥{money[f'{world}|{rules}|{limit}'] / 1e6:,.1f} million" for rules in SETS for world in WORLDS),
        ]
        for limit in LIMITS
    ]
    return markdown_table(head, rows)


def main() -> None:
    options = add_options(ArgumentParser(description=__doc__)).parse_args()
    publish("listings", table(measured(options)), options.pages)


if __name__ == "__main__":
    main()
