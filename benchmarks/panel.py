"""Whether measures measure: axes of a shop that is changed in one thing, graded agents, and the limit of listings.

    python benchmarks/panel.py                    print the tables
    python benchmarks/panel.py docs/studies.md    put them into the page too, between its marks

All play the same fresh worlds with several salts under `fair`. A movement of an axis is shown if the 99% interval of
its mean over worlds does not contain 0. Skill is split into what the agent, the world, both together and chance
contribute (two-way analysis of variance); G is the reliability of a mean over some worlds. Nothing was tuned on these
worlds. Options: --jobs 2. It takes ten minutes of one core.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from math import exp, log
from statistics import fmean, median, stdev
from typing import NamedTuple

import numpy as np
from doc_tables import in_processes, markdown_table, options_of, publish
from shops import (
    BEFORE_DEAL,
    IN_GOODS,
    Change,
    Changed,
    Make,
    avoids,
    before_night,
    dawdles,
    falls_for_cheats,
    few_listings,
    haggler,
    learns_late,
    orders_too_much,
    pads,
    ships_rarely,
    ships_slowly,
)

from ecbench import Episode, load_world
from ecbench.analysis.bound.assets import upper_bound
from ecbench.market.best_shelf import Column
from ecbench.metrics.anchors import skill
from ecbench.metrics.measures import ABILITIES, ASSETS, Axis, measured_year
from ecbench.players.driver import play_year
from ecbench.players.merchants.corner_shop import FirstQuote
from ecbench.players.merchants.haggler import OFFERS
from ecbench.rules import DEFAULT_RULES, rule_set

SEEDS, SALTS = range(4321, 4327), ("5a" * 16, "c3" * 16)
GRADED = SEEDS[:2]  # of the ladder and of listings
WORLDS, FEWER = ([(seed, salt) for seed in seeds for salt in SALTS] for seeds in (SEEDS, GRADED))
STUDENT_99 = 4.032  # of five degrees of freedom
AXES = (ASSETS, *ABILITIES)
STAKE = DEFAULT_RULES.stake
RUINED = STAKE / 100  # yuan, from which on a year counts as ruined
LIMIT = rule_set("fair").most_listings
LIMITS = (0, 120, LIMIT, 30)  # 0: none
SIZES = (1, 3, 5, 10)  # numbers of worlds


class Agent(NamedTuple):
    make: Make
    change: Change = lambda _year, calls: calls
    axis: str = ""  # that the change is meant to move


STEADY = Agent(partial(few_listings, 300))
BASE = "unchanged"
SHOPS = {
    BASE: Agent(haggler),
    "bargains one round instead of three": Agent(partial(haggler, offers=OFFERS[:1]), axis="range_captured"),
    "bargains five rounds": Agent(partial(haggler, offers=(*OFFERS, 0.16, 0.18)), axis="range_captured"),
    "pads with one-unit deals": Agent(pads),
    "avoids cheats in the goods": Agent(partial(avoids, IN_GOODS), axis="lost_to_cheats_percent"),
    "avoids cheats before the deal": Agent(partial(avoids, BEFORE_DEAL), axis="lost_to_cheats_percent"),
    "buys from cheats in the goods": Agent(falls_for_cheats, axis="lost_to_cheats_percent"),
    "ships every fourth day": Agent(haggler, ships_rarely, "service_loss_percent"),
    "ships everything slowly": Agent(haggler, ships_slowly, "service_loss_percent"),
    "orders four times what it needs": Agent(orders_too_much, axis="most_committed"),
    "four useless calls a day": Agent(haggler, before_night(dawdles), "profit_per_minute"),
    "first quotes for three weeks, then bargains": Agent(learns_late, axis="learning_gain"),
    "prices at 0.85 of the reference price": Agent(partial(haggler, price=0.85)),
    "prices at 1.3": Agent(partial(haggler, price=1.3)),
}
LADDER = {
    "first quotes": Agent(lambda _year: FirstQuote()),
    "one round": SHOPS["bargains one round instead of three"],
    "two rounds": Agent(partial(haggler, offers=OFFERS[:2])),
    "one good a category": Agent(partial(haggler, goods=1)),
    "low prices": Agent(partial(haggler, price=0.9)),
    "slow restocking": Agent(partial(haggler, restocked_a_day=0.8)),
    "`haggler`": SHOPS[BASE],
    "five rounds": SHOPS["bargains five rounds"],
    "high prices": Agent(partial(haggler, price=1.25)),
    "two goods": Agent(partial(haggler, goods=2)),
    "six goods": Agent(partial(haggler, goods=6)),
    "told who cheats": Agent(partial(avoids, (*BEFORE_DEAL, *IN_GOODS))),
    "`steady`, 12 listings": Agent(partial(few_listings, 12)),
    "`steady`, 30 listings": Agent(partial(few_listings, 30)),
    "`steady`": STEADY,
}
CLOSE = ("one round", "two rounds", "`haggler`", "five rounds", "high prices")
AGENTS = SHOPS | LADDER

Year = tuple[str, int, str, int]
"""An agent, a seed, a salt, and the most listings."""
Found = Mapping[Year, Mapping[str, float]]


def played(agent: str, seed: int, salt: str, limit: int) -> dict[str, float]:
    """The values on the axes."""
    make, change, _ = AGENTS[agent]
    rules, player = rule_set("fair").with_overrides({"most_listings": limit}), Changed(make, change)
    year = Episode(load_world(f"seed-{seed}:{salt}"), rules=rules)
    play_year(player, year)
    found = measured_year({**year.report(), "run": {"minutes": player.minutes}})
    return {axis.name: value for axis in AXES if (value := found[axis.name]) is not None}


def movement(axis: Axis, changed: Sequence[float], base: Sequence[float]) -> str:
    """The mean change over worlds, in bold if its interval leaves 0 out; of money and of effort as a factor."""
    is_factor = axis.name in (ASSETS.name, "profit_per_minute")
    pairs = zip(changed, base, strict=True)
    gaps = [log(max(0.01, one / other)) if is_factor else one - other for one, other in pairs]
    by_world = [fmean(gaps[n : n + len(SALTS)]) for n in range(0, len(gaps), len(SALTS))]
    mean, error = fmean(by_world), STUDENT_99 * stdev(by_world) / len(by_world) ** 0.5
    text = f"{exp(mean):.2f}x" if is_factor else axis.text(mean)
    return f"**{text}**" if abs(mean) > error else text


def construct_table(found: Found) -> str:
    values = {
        name: {axis: [found[name, *world, LIMIT][axis.name] for world in WORLDS] for axis in AXES} for name in SHOPS
    }
    base = values.pop(BASE)
    rows = [
        [BASE, *(axis.text(exp(fmean(map(log, own))) if axis is ASSETS else fmean(own)) for axis, own in base.items())]
    ]
    for name, changed in values.items():
        star = {axis: "*" if axis.name == SHOPS[name].axis else "" for axis in AXES}
        rows.append([name, *(movement(axis, changed[axis], base[axis]) + star[axis] for axis in AXES)])
    return f"{about(SEEDS)}\n\n{markdown_table(['The shop', *(axis.title for axis in AXES)], rows)}"


def about(seeds: range) -> str:
    return f"{len(seeds)} fresh worlds (seeds {seeds[0]} to {seeds[-1]}), {len(SALTS)} salts, `fair`."


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


def ladder_table(found: Found) -> str:
    money = [[[found[name, seed, salt, LIMIT][ASSETS.name] for salt in SALTS] for seed in GRADED] for name in LADDER]
    bounds = [bound_of(seed) for seed in GRADED]
    skills = np.array([[[skill(one, STAKE, bound) for one in cell] for cell, bound in zip(row, bounds, strict=True)]
                       for row in money])  # fmt: skip
    ruined = (np.array(money) <= RUINED).sum(axis=(1, 2))
    names, order = list(LADDER), np.argsort(skills.mean(axis=(1, 2)))
    rows = [
        [names[n], *(f"{value:.2f}" for value in (skills[n].mean(), skills[n].min(), skills[n].max())), str(ruined[n])]
        for n in order.tolist()
    ]
    parts = {"all fifteen": components(skills)}
    if ruined.any():
        parts[f"the {(ruined == 0).sum()} without a ruined year"] = components(skills[ruined == 0])
    parts["five close ones"] = components(skills[[names.index(name) for name in CLOSE]])
    shares = [
        [who, *(f"{value / sum(part):.3f}" for value in part), *(f"{part.reliability(n):.2f}" for n in SIZES)]
        for who, part in parts.items()
    ]
    head = ["Share of the variance", "agent", "world", "both", "chance", *(f"G, {n} worlds" for n in SIZES)]
    ladder = markdown_table(["Agent", "Mean skill", "Lowest year", "Highest year", "Ruined years"], rows)
    return f"{about(GRADED)}\n\n{ladder}\n\n{markdown_table(head, shares)}"


def listings_table(found: Found) -> str:
    """What the limit leaves of the lead of `steady` over `haggler` in logarithms, and how much of it is scale."""
    rows, whole = [], 0.0
    for limit in LIMITS:
        low, few, high = (
            max(RUINED, median(found[name, *world, limit][ASSETS.name] for world in FEWER))
            for name in ("`haggler`", "`steady`, 12 listings", "`steady`")
        )
        ruined = sum(found["`steady`", *world, limit][ASSETS.name] <= RUINED for world in FEWER)
        lead = log(high / low)
        whole = whole or lead
        amounts = [f"{amount / 1e6:.2f}" for amount in (low, few, high)]
        scale = f"{log(high / few) / lead:.0%}" if high > max(low, few) else "-"
        rows.append([str(limit or "no limit"), *amounts, f"{ruined} of {len(FEWER)}", f"{lead / whole:.0%}", scale])
    head = ("`most_listings`", "`haggler`, ¥ million", "`steady`, 12 listings", "`steady`", "ruined years of `steady`",
            "lead that is left", "share of scale")  # fmt: skip
    return markdown_table(head, rows)


def main() -> None:
    options = options_of(__doc__, jobs=2)
    years = [(name, *world, LIMIT) for name in SHOPS for world in WORLDS]
    years += [(name, *world, LIMIT) for name in LADDER for world in FEWER]
    leads = ("`haggler`", "`steady`, 12 listings", "`steady`")
    years += [(name, *world, limit) for limit in LIMITS if limit != LIMIT for name in leads for world in FEWER]
    found = dict(zip(years, in_processes(played, years, options.jobs), strict=True))
    publish("construct", construct_table(found), options.pages)
    publish("listings", listings_table(found), options.pages)
    publish("ladder", ladder_table(found), options.pages)


if __name__ == "__main__":
    main()
