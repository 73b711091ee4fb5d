"""The ladder of a run: anchors on the same world, days, stake and rules, from doing nothing to the upper bound.

The anchors are the merchants of this package and the upper bound. Those of the world `default` under each rule set are
shipped in `data/anchors.json`, which `python benchmarks/anchors.py` measures again.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from statistics import fmean
from typing import Literal, NamedTuple

import msgspec

from ecbench.metrics.skill import skill
from ecbench.rules import RULE_SETS, Rules

UPPER_BOUND = "upper bound"
FILE = "anchors.json"


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
    stake: float
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


def ladder(own: Rung, worlds: Sequence[WorldAnchors]) -> list[Rung]:
    """A run among the anchors, most assets first; over several worlds each anchor is its mean.

    An anchor that ended with the same assets under the name of the run is the run itself.
    """
    names = [name for name in worlds[0].assets if all(name in world.assets for world in worlds)]
    rungs = [_rung(name, "anchor", [(world.assets[name], world) for world in worlds]) for name in names]
    bounds = [(world.bound, world) for world in worlds if world.bound is not None]
    if len(bounds) == len(worlds):
        rungs.append(_rung(UPPER_BOUND, "bound", bounds))
    others = [rung for rung in rungs if (rung.name, rung.final_assets) != (own.name, own.final_assets)]
    return sorted([own, *others], key=lambda rung: -rung.final_assets)


def _rung(name: str, kind: Literal["anchor", "bound"], reached: Sequence[tuple[float, WorldAnchors]]) -> Rung:
    skills = [None if world.bound is None else skill(assets, world.stake, world.bound) for assets, world in reached]
    known = [value for value in skills if value is not None]
    return Rung(
        name,
        kind,
        fmean(assets for assets, _ in reached),
        fmean(assets / world.stake for assets, world in reached),
        fmean(known) if len(known) == len(skills) else None,
    )
