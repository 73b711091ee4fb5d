"""The ladder of a run: merchants of the package and the upper bound on the same world, days, stake and rules.

Those of the world `default` under each rule set are shipped in `data/anchors.json` (`python benchmarks/anchors.py`).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import isfinite, log
from statistics import fmean
from typing import Literal, NamedTuple

import msgspec

from ecbench.metrics.estimators import Report
from ecbench.rules import RULE_SETS, Rules

UPPER_BOUND = "upper bound"
FILE = "anchors.json"
KEPT = 0.01  # of the stake: a year that ends with less is ruined


class TermsAnchors(msgspec.Struct, frozen=True):
    """The anchors under a rule set, with its stake: final assets by merchant, and the upper bound."""

    rule_set: str
    days: int
    bound: float
    assets: dict[str, float]


class AnchorsFile(msgspec.Struct, frozen=True):
    """Of `data/anchors.json`: the anchors, and the world and the behaviour that they were measured at."""

    world: str  # its id
    behaviour: int
    terms: list[TermsAnchors]


class Rung(NamedTuple):
    """A line of a ladder."""

    name: str
    kind: Literal["run", "anchor", "bound"]
    final_assets: float
    multiplier: float | None  # of the stake
    skill: float | None  # None without a bound


class WorldAnchors(NamedTuple):
    """What was measured on one world: final assets by merchant, empty if nothing was, and the upper bound."""

    assets: Mapping[str, float]
    bound: float | None


@cache
def shipped_file() -> AnchorsFile:
    """The anchors that the package contains."""
    return msgspec.json.decode((files("ecbench.metrics") / "data" / FILE).read_bytes(), type=AnchorsFile)


def shipped_anchors(world_id: str, days: int, stake: float, rules: Rules) -> TermsAnchors | None:
    """The anchors that the package contains for a world and terms; None for all others."""
    if world_id != shipped_file().world:
        return None
    known = ((each, RULE_SETS[each.rule_set].rules) for each in shipped_file().terms)
    return next((each for each, own in known if (each.days, own.stake, own) == (days, stake, rules)), None)


def ladder(own: Rung, worlds: Sequence[WorldAnchors], stake: float) -> list[Rung]:
    """A run among the anchors, most assets first; over several worlds each anchor is its mean."""
    bounds = [world.bound for world in worlds]

    def rung(name: str, kind: Literal["anchor", "bound"], assets: Sequence[float]) -> Rung:
        skills = [None if bound is None else skill(each, stake, bound) for each, bound in zip(assets, bounds)]
        known = [value for value in skills if value is not None]
        mean = fmean(assets)
        return Rung(name, kind, mean, mean / stake, fmean(known) if len(known) == len(skills) else None)

    names = [name for name in worlds[0].assets if all(name in world.assets for world in worlds)]
    rungs = [rung(name, "anchor", [world.assets[name] for world in worlds]) for name in names]
    if (known := [bound for bound in bounds if bound is not None]) and len(known) == len(bounds):
        rungs.append(rung(UPPER_BOUND, "bound", known))
    others = [rung for rung in rungs if (rung.name, rung.final_assets) != (own.name, own.final_assets)]
    return sorted([own, *others], key=lambda rung: -rung.final_assets)


def skill(final_assets: float, stake: float, bound: float) -> float | None:
    """ln(final / stake) over ln(bound / stake), or over ln(1 / KEPT) if the year ends below the stake.

    Between -1 and 1; None if the bound is not finite or does not exceed the stake.
    """
    if not (isfinite(bound) and bound > stake > 0):
        return None
    growth = log(max(final_assets / stake, KEPT))
    return min(1.0, growth / log(bound / stake)) if growth > 0 else growth / -log(KEPT)


def with_skill(report: Report, bound: float | None) -> Report:
    """The report of a year with a section `bound`; the same report where there is no bound."""
    if bound is None:
        return report
    money = report["profitability"]
    found = {"assets": bound, "skill": skill(money["final_balance"], money["initial_balance"], bound)}
    if "conduct" in report:
        earned = money["final_balance"] - report["conduct"]["falsehood_gain"]
        found["skill_without_falsehood"] = skill(earned, money["initial_balance"], bound)
    return {**report, "bound": found}
