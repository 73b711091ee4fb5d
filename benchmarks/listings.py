"""What scale is worth: the money of the insider by the most listings that it may carry.

    python benchmarks/listings.py                    print the table
    python benchmarks/listings.py docs/fair.md       put it into the page too, between its marks

Money is kept in --store FILE, so that a stopped measurement continues. A year takes up to half a minute.
"""

import json
from argparse import ArgumentParser
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

from doc_tables import markdown_table, publish
from fair_rules import add_options

from ecbench import Episode, load_world
from ecbench.players.driver import play_year
from ecbench.players.merchants.oracle import Oracle
from ecbench.players.merchants.protocol import Play
from ecbench.rules import rule_set

WORLDS = ("default",)
LIMITS = (12, 50, 150, 400, None)
SETS = ("fair",)


class Counted:
    """The insider with so many listings at most, and the most that it had in a year; None: as many as pay."""

    def __init__(self, limit: int | None) -> None:
        self.limit, self.most = limit, 0

    def play_knowing(self, episode: Episode, schemas: list[dict[str, Any]]) -> Play:
        play = Oracle(most_listings=self.limit).play_knowing(episode, schemas)
        calls = next(play)
        with suppress(StopIteration):
            while True:
                replies = yield calls
                self.most = max(self.most, sum(len(store.stocked) for store in episode.account.books.trading))
                calls = play.send(replies)


def money_and_listings(world: str, rules: str, limit: int | None) -> list[float]:
    episode, insider = Episode(load_world(world), rules=rule_set(rules)), Counted(limit)
    play_year(insider, episode)
    return [episode.account.books.purse.total, insider.most]


def measured(store: Path | None) -> dict[str, list[float]]:
    known: dict[str, list[float]] = json.loads(store.read_text()) if store is not None and store.exists() else {}
    for world, rules, limit in product(WORLDS, SETS, LIMITS):
        key = f"{world}|{rules}|{limit}"
        if key not in known:
            known[key] = money_and_listings(world, rules, limit)
            if store is not None:
                store.write_text(json.dumps(known, indent=1))
    return known


def table(years: dict[str, list[float]]) -> str:
    places = list(product(WORLDS, SETS))
    head = [
        "Listings allowed",
        *(f"{world}, `{rules}`: {what}" for world, rules in places for what in ("most", "money")),
    ]
    rows = []
    for limit in LIMITS:
        found = [years[f"{world}|{rules}|{limit}"] for world, rules in places]
        cells = [cell for money, most in found for cell in (f"{most:,.0f}", f"¥{money / 1e6:,.1f} million")]
        rows.append(["any" if limit is None else str(limit), *cells])
    return markdown_table(head, rows)


def main() -> None:
    options = add_options(ArgumentParser(description=__doc__)).parse_args()
    publish("listings", table(measured(options.store)), options.pages)


if __name__ == "__main__":
    main()
