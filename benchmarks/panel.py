"""How reliably skill under `fair` tells agents apart, and what the limit of listings does to scale.

    python benchmarks/panel.py                 print the tables
    python benchmarks/panel.py docs/studies.md    put them into the page too, between its marks

Fifteen graded agents play the same fresh worlds with several salts. Skill is split into what the agent, the world, both
together and chance contribute (two-way analysis of variance); G is the reliability of a mean over some worlds. Options:
--seeds 4301-4304 --jobs 1 --store FILE, in which money is kept, so that a stopped measurement continues.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from math import log
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from construct import BEFORE_DEAL, IN_GOODS, Changed, avoids, shop
from doc_tables import markdown_table, publish

from ecbench import Episode, load_world
from ecbench.analysis.bound.assets import upper_bound
from ecbench.market.best_shelf import Column
from ecbench.metrics.anchors import shipped_file, skill
from ecbench.players.driver import play_year
from ecbench.players.merchants.first_quote import FirstQuote
from ecbench.players.merchants.haggler import OFFERS, Haggler
from ecbench.players.merchants.protocol import Insider, Merchant, Play
from ecbench.players.merchants.steady import Steady
from ecbench.players.merchants.steady.state import MerchantState
from ecbench.rules import DEFAULT_RULES, Rules, rule_set

STAKE = DEFAULT_RULES.stake
SALTS = ("7b" * 16, "e4" * 16)
LIMITS = (0, 120, 60, 30)  # of listings; 0: none
WORLDS = (1, 3, 5, 10)


class FewListings(Steady):
    """`steady` that looks after so many listings at most."""

    def __init__(self, most: int, rules: Rules) -> None:
        super().__init__(rules=rules)
        self.most = most

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        state = MerchantState(self.days, rules=self.rules)
        state.most_listings, state.fewest_listings = min(state.most_listings, self.most), min(40, self.most)
        yield from self.play_from(state)


Make = Callable[[Rules], Merchant | Insider]


def haggler(_rules: Rules, **habits: Any) -> Merchant:
    return Haggler(**habits)


def first_quote(_rules: Rules) -> Merchant:
    return FirstQuote()


def careful(_rules: Rules) -> Insider:
    return Changed(partial(avoids, (*BEFORE_DEAL, *IN_GOODS)))


def slow(_rules: Rules) -> Insider:
    return Changed(partial(shop, restocked_a_day=0.8))


AGENTS: dict[str, Make] = {
    "first quotes": first_quote,
    "one round": partial(haggler, offers=OFFERS[:1]),
    "two rounds": partial(haggler, offers=OFFERS[:2]),
    "one good a category": partial(haggler, goods=1),
    "low prices": partial(haggler, price=0.9),
    "slow restocking": slow,
    "`haggler`": haggler,
    "five rounds": partial(haggler, offers=(*OFFERS, 0.16, 0.18)),
    "high prices": partial(haggler, price=1.25),
    "two goods": partial(haggler, goods=2),
    "six goods": partial(haggler, goods=6),
    "told who cheats": careful,
    "`steady`, 12 listings": partial(FewListings, 12),
    "`steady`, 30 listings": partial(FewListings, 30),
    "`steady`": partial(FewListings, 300),
}
CLOSE = ("one round", "two rounds", "`haggler`", "five rounds", "high prices")


class Year(NamedTuple):
    agent: str
    world: str
    limit: int  # of listings

    @property
    def key(self) -> str:
        return "|".join(map(str, self))


def rules_with(limit: int) -> Rules:
    return rule_set("fair").with_overrides({"most_listings": limit})


def money_of(year: Year) -> float:
    rules = rules_with(year.limit)
    episode = Episode(load_world(year.world), rules=rules)
    play_year(AGENTS[year.agent](rules), episode)
    return episode.account.books.purse.total


def measure(years: Sequence[Year], options: Namespace) -> dict[Year, float]:
    store: Path | None = options.store
    known: dict[str, float] = json.loads(store.read_text()) if store is not None and store.exists() else {}
    missing = [year for year in dict.fromkeys(years) if year.key not in known]
    with ProcessPoolExecutor(options.jobs) as pool:
        for year, money in zip(missing, pool.map(money_of, missing), strict=True):
            known[year.key] = money
            if store is not None:
                store.write_text(json.dumps(known, indent=1))
    return {year: known[year.key] for year in years}


@cache
def bound_of(seed: int) -> float:
    return upper_bound(load_world(f"seed-{seed}"), rules=rule_set("fair")).assets


class Components(NamedTuple):
    """Variances of skill."""

    agent: float
    world: float
    both: float
    chance: float

    def reliability(self, worlds: int) -> float:
        """Of a mean over worlds with one year each."""
        return self.agent / (self.agent + (self.both + self.chance) / worlds)


def components(skills: Column) -> Components:
    """Of an array by agent, world and salt."""
    agents, worlds, salts = skills.shape
    cells, mean = skills.mean(axis=2), skills.mean()
    of_agent, of_world = cells.mean(axis=1), cells.mean(axis=0)
    chance = float(skills.var(axis=2, ddof=1).mean())
    left = cells - of_agent[:, None] - of_world + mean
    interaction = float((left**2).sum() * salts / ((agents - 1) * (worlds - 1)))
    both = max(0.0, (interaction - chance) / salts)
    agent = max(0.0, float(of_agent.var(ddof=1)) - interaction / (salts * worlds))
    return Components(agent, max(0.0, float(of_world.var(ddof=1)) - interaction / (salts * agents)), both, chance)


def ladder_table(seeds: range, options: Namespace) -> str:
    limit = rule_set("fair").most_listings
    years = {
        (agent, seed, salt): Year(agent, f"seed-{seed}:{salt}", limit)
        for agent in AGENTS
        for seed in seeds
        for salt in SALTS
    }
    money = measure(list(years.values()), options)

    def skill_of(agent: str, seed: int, salt: str) -> float:
        found = skill(money[years[agent, seed, salt]], STAKE, bound_of(seed))
        assert found is not None
        return found

    skills = np.array([[[skill_of(agent, seed, salt) for salt in SALTS] for seed in seeds] for agent in AGENTS])
    order = sorted(range(len(AGENTS)), key=lambda number: skills[number].mean())
    names = list(AGENTS)
    rows = [
        [
            names[number],
            *(f"{value:.2f}" for value in (skills[number].mean(), skills[number].min(), skills[number].max())),
        ]
        for number in order
    ]
    parts = {"all fifteen": components(skills)}
    parts["five close ones"] = components(skills[[names.index(name) for name in CLOSE]])
    shares = [
        [who, *(f"{value / sum(found):.3f}" for value in found), *(f"{found.reliability(n):.2f}" for n in WORLDS)]
        for who, found in parts.items()
    ]
    head = ["Share of the variance", "agent", "world", "both", "chance", *(f"G, {n} worlds" for n in WORLDS)]
    return "\n\n".join(
        [
            f"{len(seeds)} fresh worlds (seeds {seeds[0]} to {seeds[-1]}), {len(SALTS)} salts each.",
            markdown_table(["Agent", "Mean skill", "Lowest year", "Highest year"], rows),
            markdown_table(head, shares),
        ]
    )


def listings_table(seeds: range, options: Namespace) -> str:
    """What the limit leaves of the lead of `steady` over `haggler`, in logarithms."""
    worlds, who = [f"seed-{seed}:{salt}" for seed in seeds for salt in SALTS], ("`haggler`", "`steady`")
    money = measure([Year(agent, world, limit) for limit in LIMITS for agent in who for world in worlds], options)
    rows, whole = [], 0.0
    for limit in LIMITS:
        low, high = (fmean(log(max(1.0, money[Year(agent, world, limit)])) for world in worlds) for agent in who)
        whole = whole or high - low
        amounts = [f"{np.exp(value) / 1e6:.2f}" for value in (low, high)]
        rows.append([str(limit or "no limit"), *amounts, f"{(high - low) / whole:.0%}"])
    return markdown_table(["`most_listings`", *(f"{agent}, ¥ million" for agent in who), "lead that is left"], rows)


def scores_table() -> str:
    """The shipped anchors of default: money and skill, and the upper bound."""
    terms = {each.rule_set: each for each in shipped_file().terms}
    sets = [terms[name] for name in ("paper", "fair-2")]
    rows = [
        [f"`{name}`", *(f"{each.assets[name] / 1e6:,.2f}" for each in sets),
         *(f"{skill(each.assets[name], STAKE, each.bound) or 0.0:.2f}" for each in sets)]
        for name in sets[0].assets
    ]  # fmt: skip
    rows.append(["upper bound", *(f"{each.bound / 1e6:,.2f}" for each in sets), "1", "1"])
    return markdown_table(["", "`paper`, ¥ million", "`fair`, ¥ million", "skill, `paper`", "skill, `fair`"], rows)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--seeds", default="4301-4304")  # nothing was tuned on them
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", type=Path)
    options = parser.parse_args()
    first, last = map(int, options.seeds.split("-"))
    seeds = range(first, last + 1)
    publish("scores", scores_table(), options.pages)
    publish("listings", listings_table(seeds, options), options.pages)
    publish("ladder", ladder_table(seeds, options), options.pages)


if __name__ == "__main__":
    main()
