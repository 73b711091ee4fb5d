"""What scale is worth: the money of the insider and of `steady` by the most listings that each may carry.

    python benchmarks/listings.py                    print the tables
    python benchmarks/listings.py docs/fair.md       put them into the page too, between its marks

Options: --of insider,steady (which tables). Money is kept in --store FILE, so that a stopped measurement continues. A
year of the insider takes a minute, one of `steady` ten seconds.
"""

import json
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import product
from math import log
from pathlib import Path
from statistics import fmean
from typing import Any

from doc_tables import markdown_table, publish
from fair_rules import add_options

from ecbench import Episode, load_world
from ecbench.players.driver import play_year
from ecbench.players.merchants.insider import InsiderMerchant
from ecbench.players.merchants.protocol import Insider, Merchant, Play
from ecbench.players.merchants.registry import get_merchant
from ecbench.players.merchants.steady import trade_until_year_end
from ecbench.players.merchants.steady.market_research import read_business, survey
from ecbench.players.merchants.steady.merchant_state import MerchantState
from ecbench.rules import Rules, rule_set

LIMITS = (12, 50, 150, 400, None)
STEADY_WORLDS = ("default", "seed-101")
STEADY_LIMITS = (12, 180, 300)
SETS = ("paper", "fair")
DAYS = 365

Measured = dict[str, list[float]]
Measure = Callable[[], list[float]]


class Counted:
    """The insider with so many listings at most, and the most that it had in a year; None: as many as pay."""

    def __init__(self, limit: int | None) -> None:
        self.limit, self.most = limit, 0

    def play_knowing(self, episode: Episode, schemas: list[dict[str, Any]]) -> Play:
        play = InsiderMerchant(most_listings=self.limit).play_knowing(episode, schemas)
        calls = next(play)
        with suppress(StopIteration):
            while True:
                replies = yield calls
                shelves = episode.account.market.demand.shelves.get(0, {}).values()
                self.most = max(self.most, sum(len(shelf.goods) for shelf in shelves))
                calls = play.send(replies)


class LimitedSteady:
    """`steady` with so many listings at most; it has three hundred by itself."""

    def __init__(self, limit: int, rules: Rules) -> None:
        self.limit, self.rules = limit, rules

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        state = MerchantState(DAYS, rules=self.rules, most_listings=self.limit)
        state.fewest_listings = min(self.limit, state.fewest_listings)
        yield from survey(state)
        yield from read_business(state)
        yield from trade_until_year_end(state)


def insider_year(rules: str, limit: int | None) -> list[float]:
    """Its money, and the most listings it had."""
    insider = Counted(limit)
    return [money_of(insider, "default", rules), insider.most]


def money_of(merchant: Merchant | Insider, world: str, rules: str) -> float:
    episode = Episode(load_world(world), rules=rule_set(rules))
    play_year(merchant, episode)
    return episode.account.books.purse.total


def insider_years() -> dict[str, Measure]:
    return {f"default|fair|{limit}": partial(insider_year, "fair", limit) for limit in LIMITS}


def steady_years() -> dict[str, Measure]:
    years: dict[str, Measure] = {}
    for world, rules in product(STEADY_WORLDS, SETS):
        merchants = {f"steady {limit}": LimitedSteady(limit, rule_set(rules)) for limit in STEADY_LIMITS}
        for name, merchant in {"haggler": get_merchant("haggler", rules=rule_set(rules)), **merchants}.items():
            years[f"{world}|{rules}|{name}"] = partial(_money_alone, merchant, world, rules)
    return years


def _money_alone(merchant: Merchant | Insider, world: str, rules: str) -> list[float]:
    return [money_of(merchant, world, rules)]


def measured(years: dict[str, Measure], store: Path | None) -> Measured:
    known: Measured = json.loads(store.read_text()) if store is not None and store.exists() else {}
    for key, measure in years.items():
        if key not in known:
            known[key] = measure()
            if store is not None:
                store.write_text(json.dumps(known, indent=1))
    return known


def insider_table(years: Measured) -> str:
    rows = []
    for limit in LIMITS:
        money, most = years[f"default|fair|{limit}"]
        rows.append(["any" if limit is None else str(limit), f"{most:,.0f}", _millions(money)])
    return markdown_table(["Listings allowed", "most", "money"], rows)


def steady_table(years: Measured) -> str:
    """Means over worlds: of money, and of the share that listings have in the logarithm of the lead."""

    def money(rules: str, name: str) -> list[float]:
        return [years[f"{world}|{rules}|{name}"][0] for world in STEADY_WORLDS]

    names = {"haggler": "`haggler`"} | {f"steady {limit}": f"`steady`, {limit} listings" for limit in STEADY_LIMITS}
    rows = [[label, *(_millions(fmean(money(rules, name))) for rules in SETS)] for name, label in names.items()]
    shares = []
    for rules in SETS:
        other, few, _, most = (money(rules, name) for name in names)
        shares.append(fmean(log(b / a) / log(b / c) for a, b, c in zip(few, most, other, strict=True)))
    rows.append(["share of listings in the lead over `haggler`", *(f"{share:.0%}" for share in shares)])
    return markdown_table(["", *(f"`{rules}`" for rules in SETS)], rows)


def _millions(yuan: float) -> str:
    return f"¥{yuan / 1e6:,.1f} million"


TABLES = {
    "insider": ("listings", insider_years, insider_table),
    "steady": ("steady-listings", steady_years, steady_table),
}


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--of", default=",".join(TABLES))
    options = add_options(parser).parse_args()
    for name in options.of.split(","):
        block, years, table = TABLES[name]
        publish(block, table(measured(years(), options.store)), options.pages)


if __name__ == "__main__":
    main()
