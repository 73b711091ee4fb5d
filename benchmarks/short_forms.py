"""How well short years rank agents: scripted agents on held-out worlds, after some days and after a whole year.

    python benchmarks/short_forms.py --store FILE                     play what is missing, print the tables
    python benchmarks/short_forms.py --store FILE docs/suite.md       put them into the page too, between its marks
    python benchmarks/short_forms.py --store FILE --figures FILE      and write the rank errors that commands print

Options: --worlds 20  --repeated 3  --jobs 1  --no-play. A world takes about a minute and a half. Years are kept in the
store, a line each: a stopped measurement continues, and the tables are of the worlds that are complete.

The score of an agent is the mean over worlds of the logarithm of its money, as in `ecbench compare`. The true ranking
is that of whole years on all worlds played. A form (days, worlds) is drawn many times: an agent's mean over all worlds
after so many days, and normal noise of the agent's own spread between worlds over the root of the number of worlds.
"""

import json
from argparse import ArgumentParser, Namespace
from itertools import combinations
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

import numpy as np
from doc_tables import markdown_table, publish
from scripted_agents import agents
from short_years import FIRST_WORLD, MARKS, SETS, SHORT_DAYS, YEAR, Played, Year, plan, play_missing, read_store

from ecbench.compare.verdict import log_assets
from ecbench.market.price_columns import Column
from ecbench.rules import DEFAULT_RULES, versioned_set
from ecbench.suite.season_kinds import FULL, SHORT, SeasonKind

DRAWS = 300
WORLD_COUNTS = (1, 5, 10, 20, 40)
SMALLEST_FAMILY = 5


class Form(NamedTuple):
    """Years of one length under one rule set."""

    title: str
    worlds: list[int]
    scores: Column  # a row for each world, a column for each agent
    calls: float  # of a year, on average


class Measured(NamedTuple):
    """What was played under one rule set."""

    worlds: list[int]  # that were played whole
    after: dict[int, Form]  # whole years up to some day, and to their end
    known: dict[int, Form]  # short years of agents that know how long they are

    @property
    def truth(self) -> Column:
        return self.after[YEAR].scores

    @property
    def forms(self) -> list[Form]:
        """The shortest first."""
        return [form for day in self.after for form in (self.after[day], self.known.get(day)) if form is not None]

    def season(self, kind: SeasonKind) -> Form:
        return self.after[YEAR] if kind.days == YEAR else self.known[kind.days]


def complete(known: dict[Year, Played], rules: str, days: int) -> list[int]:
    """The worlds on which every agent has played."""
    names = [agent.name for agent in agents()]
    worlds = sorted({year.world for year in known if year.days == days and year.rules == rules})
    return [world for world in worlds if all(Year(name, world, rules, days) in known for name in names)]


def measured(known: dict[Year, Played], rules: str) -> Measured:
    names = [agent.name for agent in agents()]

    def form(title: str, worlds: list[int], days: int, day: int) -> Form:
        years = [[known[Year(name, world, rules, days)] for name in names] for world in worlds]
        scores = [[log_assets(one.money[day], DEFAULT_RULES.stake) for one in row] for row in years]
        return Form(title, worlds, np.array(scores), fmean(one.calls[day] for row in years for one in row))

    short = {days: complete(known, rules, days) for days in SHORT_DAYS}
    whole = [world for world in complete(known, rules, YEAR) if all(world in worlds for worlds in short.values())]
    titles = {day: f"after {day}" for day in MARKS} | {YEAR: "365, the whole year"}
    return Measured(
        whole,
        {day: form(title, whole, YEAR, day) for day, title in titles.items()},
        {days: form(f"{days}, the agent knows", worlds, days, days) for days, worlds in short.items()},
    )


def families() -> list[list[int]]:
    """The places of the agents of each family that is large enough to be ranked."""
    by_family: dict[str, list[int]] = {}
    for place, agent in enumerate(agents()):
        by_family.setdefault(agent.family, []).append(place)
    return [places for places in by_family.values() if len(places) >= SMALLEST_FAMILY]


def rank_correlation(one: Column, other: Column) -> float:
    """Spearman's; agents that went bankrupt share a place."""
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def correlations(scores: Column, truth: Column) -> tuple[float, float, float]:
    """With the whole year on the same worlds: within a world, in the mean over worlds, and within family and world."""
    rows = list(zip(scores, truth, strict=True))
    return (
        fmean(rank_correlation(one, other) for one, other in rows),
        rank_correlation(scores.mean(axis=0), truth.mean(axis=0)),
        fmean(rank_correlation(one[own], other[own]) for one, other in rows for own in families()),
    )


def residuals(scores: Column) -> Column:
    """What is left of scores without the agents' and the worlds' effects."""
    left: Column = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
    return left


def information(scores: Column, calls: float) -> float:
    """Variance between agents over that of a year's noise, world effects taken off, for each 1,000 calls."""
    effects = scores.mean(axis=0)
    worlds, count = len(scores), len(effects)
    noise = float((residuals(scores) ** 2).sum()) / ((worlds - 1) * (count - 1))
    return float(effects.var(ddof=1) - noise / worlds) / noise / (calls / 1_000)


def ranks(scores: Column) -> Column:
    """Places around 0, those of ties shared."""
    gaps = np.sign(scores[:, None] - scores[None, :])
    places: Column = gaps.sum(axis=1) / 2
    return places


def rank_error(scores: Column, truth: Column, count: int) -> tuple[float, float]:
    """By how many places an agent is off, and the share of pairs in the wrong order, for a form on `count` worlds."""
    draws, true = np.random.default_rng(28), truth.mean(axis=0)
    means, spread = scores.mean(axis=0), np.sqrt((residuals(scores) ** 2).sum(axis=0) / (len(scores) - 1))
    above = np.triu_indices(len(true), 1)
    places, swapped = [], []
    for _ in range(DRAWS):
        guess = means + spread / count**0.5 * draws.normal(size=len(true))
        places.append(float(np.abs(ranks(true) - ranks(guess)).mean()))
        gaps = [np.sign(one[:, None] - one[None, :])[above] for one in (true, guess)]
        swapped.append(float((gaps[0] * gaps[1] < 0).mean()))
    return fmean(places), fmean(swapped)


def season_error(found: Measured, kind: SeasonKind) -> dict[str, float]:
    """Of a kind of season. The second year of a full season repeats that of a script, and is not counted on."""
    form = found.season(kind)
    places, swapped = rank_error(form.scores, found.truth, kind.worlds)
    calls = form.calls * kind.years * (kind.worlds + 1)
    return {"places": round(places, 2), "swapped": round(swapped, 4), "calls": round(calls)}


def agreement_table(by_rules: dict[str, Measured]) -> str:
    head = ["Rules", "Days", "Calls of a year", "Within a world", "Means over worlds", "Within a family and a world"]
    head += ["Information per 1,000 calls", "Within a family"]
    rows = []
    for rules, found in by_rules.items():
        for form in found.forms:
            shared = [row for row, world in enumerate(form.worlds) if world in found.worlds]
            agreed = correlations(form.scores[shared], found.truth)
            shown = [f"{value:.2f}" for value in agreed] if form is not found.after[YEAR] else ["", "", ""]
            own = fmean(information(form.scores[:, family], form.calls) for family in families())
            shown += [f"{information(form.scores, form.calls):.1f}", f"{own:.1f}"]
            rows.append([f"`{rules}`", form.title, f"{form.calls:,.0f}", *shown])
    return markdown_table(head, rows)


def whole_years_text(by_rules: dict[str, Measured]) -> str:
    said = []
    for rules, found in by_rules.items():
        pairs = [rank_correlation(one, other) for one, other in combinations(found.truth, 2)]
        said.append(f"{fmean(pairs):.2f} under `{rules}`")
    return f"Two whole years of the same agents on different worlds agree at {' and '.join(said)}."


def error_table(by_rules: dict[str, Measured]) -> str:
    rows = []
    for rules, found in by_rules.items():
        for form in found.forms:
            cells = []
            for count in WORLD_COUNTS:
                places, swapped = rank_error(form.scores, found.truth, count)
                cells.append(f"{places:.1f} ({swapped:.1%})")
            rows.append([f"`{rules}`", form.title, f"{form.calls:,.0f}", *cells])
    head = ["Rules", "Days", "Calls of a year"]
    return markdown_table([*head, *(f"{count} world{'s' * (count > 1)}" for count in WORLD_COUNTS)], rows)


def among_model_like(found: Measured, kind: SeasonKind) -> str:
    """The rank error within the family whose years differ by luck."""
    own = [place for place, agent in enumerate(agents()) if agent.noisy]
    places, swapped = rank_error(found.season(kind).scores[:, own], found.truth[:, own], kind.worlds)
    return f"{places:.1f} of {len(own)} ({swapped:.0%})"


def kinds_table(by_rules: dict[str, Measured], figures: dict[str, dict[str, dict[str, float]]]) -> str:
    rows = []
    for (rules, kinds), found in zip(figures.items(), by_rules.values(), strict=True):
        for kind in (FULL, SHORT):
            error = kinds[kind.name]
            shape = f"{kind.worlds} worlds, {kind.years} x {kind.days} days"
            share = f"{error['calls'] / kinds[FULL.name]['calls']:.0%}"
            errors = [f"{error['places']:.1f} of {len(agents())}", f"{error['swapped']:.1%}"]
            row = [f"`{rules}`", f"{kind.name}: {shape}", *errors, f"{error['calls']:,.0f}", share]
            rows.append([*row, among_model_like(found, kind)])
    head = ["Rules", "Season", "A rank is off by", "Pairs swapped", "Calls of an agent", "Calls over a full season's"]
    head.append("Among model-like scripts")
    return markdown_table(head, rows)


def luck_text(known: dict[Year, Played]) -> str:
    """How much years of one agent on one world differ, beside the paper's models."""
    ratios = []
    for agent in filter(lambda agent: agent.noisy, agents()):
        pairs = [
            (known[year].money[YEAR], known[again].money[YEAR])
            for year in known
            if year.agent == agent.name and year.days == YEAR and (again := year._replace(repeat=1)) in known
            if year.repeat == 0
        ]
        spreads = [abs(one - other) / abs(one + other) * 2**0.5 for one, other in pairs if one + other > 0]
        if spreads:
            ratios.append(float(np.sqrt(np.mean(np.square(spreads)))))
    return (
        f"Years of a model-like script on one world differ by {min(ratios):.0%} to {max(ratios):.0%} of their mean "
        f"(standard deviation, median {median(ratios):.0%}); those of the paper's models by 20% to 103%, median 46%."
    )


def report(known: dict[Year, Played], figures: dict[str, dict[str, dict[str, float]]]) -> str:
    by_rules = {rules: measured(known, rules) for rules in SETS}
    played = "; ".join(
        f"`{rules}`: {len(found.worlds)} worlds whole, "
        + ", ".join(f"{len(form.worlds)} for {days} days" for days, form in found.known.items())
        for rules, found in by_rules.items()
    )
    rows = [len(form.worlds) for found in by_rules.values() for form in (found.after[YEAR], *found.known.values())]
    years = sum(rows) * len(agents())
    return "\n\n".join(
        [
            f"{len(agents())} scripts, {years:,} years, fresh worlds from seed {FIRST_WORLD} on ({played}). "
            + luck_text(known),
            kinds_table(by_rules, figures),
            "Rank correlation with the whole year, and how much a year says for its calls:",
            agreement_table(by_rules),
            whole_years_text(by_rules),
            f"Mean rank error in places of {len(agents())}, and pairs in the wrong order, by days and worlds:",
            error_table(by_rules),
        ]
    )


def season_figures(known: dict[Year, Played]) -> dict[str, dict[str, dict[str, float]]]:
    """By rule set and kind of season."""
    by_rules = {versioned_set(rules): measured(known, rules) for rules in SETS}
    return {
        rules: {kind.name: season_error(found, kind) for kind in (FULL, SHORT)} for rules, found in by_rules.items()
    }


def options() -> Namespace:
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--store", type=Path, required=True, help="the file that keeps the years")
    parser.add_argument("--figures", type=Path, help="a file for the rank errors that commands print")
    parser.add_argument("--worlds", type=int, default=20)
    parser.add_argument("--repeated", type=int, default=3, help="worlds on which years with luck are played twice")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-play", action="store_true", help="tables of what is there")
    return parser.parse_args()


def main() -> None:
    asked = options()
    if not asked.no_play:
        play_missing(plan(asked.worlds, asked.repeated), asked.store, asked.jobs)
    known = read_store(asked.store)
    figures = season_figures(known)
    if asked.figures:
        worlds = min(len(complete(known, rules, YEAR)) for rules in SETS)
        stated = {"scripts": len(agents()), "worlds": worlds, "errors": figures}
        asked.figures.write_text(json.dumps(stated, indent=2) + "\n", encoding="utf-8")
    publish("short-forms", report(known, figures), asked.pages)


if __name__ == "__main__":
    main()
