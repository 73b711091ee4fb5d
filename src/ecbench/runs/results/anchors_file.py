"""`anchors.json`: the upper bound and the merchants' assets on each world of a run, which take seconds to compute.

`ecbench verify` and the leaderboard use none that is stored.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from math import isfinite

import orjson
from msgspec import Struct, to_builtins

from ecbench.episode import Episode
from ecbench.errors import RunError
from ecbench.metrics.anchors import TermsAnchors, shipped_anchors, shipped_file
from ecbench.metrics.estimators import yuan
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant, merchant_names
from ecbench.players.turn import Money
from ecbench.rules import Rules
from ecbench.runs.folder import Run
from ecbench.runs.manifest import BEHAVIOUR
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, atomic_write, read_file
from ecbench.runs.record.json_values import parse, typed
from ecbench.runs.terms import rules_of
from ecbench.world.model import World

ANCHORS = "anchors.json"
NO_SKILL = "the upper bound of this world and these days is unknown, or no more than the stake"
Assets = Mapping[str, float]


class StoredAnchors(Struct):
    """The content of `anchors.json`, by the id of a world."""

    behaviour: int  # of the version that computed it
    bounds: dict[str, Money | None]  # null: no limit
    assets: dict[str, dict[str, Money]]  # at the end, by merchant


def stored_anchors(run: Run) -> StoredAnchors:
    """Empty if nothing is stored, or by another version."""
    try:
        found = typed(parse(read_file(run.folder / ANCHORS, MANIFEST_LIMIT)), StoredAnchors)
    except (OSError, ValueError):
        return StoredAnchors(BEHAVIOUR, {}, {})
    return found if found.behaviour == BEHAVIOUR else StoredAnchors(BEHAVIOUR, {}, {})


def _store(run: Run, anchors: StoredAnchors) -> None:
    """Where nothing can be written, they are computed whenever they are asked for."""
    content = orjson.dumps(to_builtins(anchors), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    with suppress(OSError):
        atomic_write(run.folder / ANCHORS, content, sync=False)


def bound_of(run: Run, episode: int, *, stored: bool = True) -> float | None:
    """The bound of an episode's world; None if there is no limit, rivals share the market, or the world is not here."""
    if run.seats > 1:
        return None
    kept, world = stored_anchors(run).bounds if stored else {}, run.world_of(episode).year_id
    if world in kept:
        return kept[world]
    if (shipped := _shipped(run, world)) is not None:
        return shipped.bound
    try:
        return _computed(run.load_world(episode), rules_of(run.terms), run.terms.days, run.terms.stake)
    except RunError:
        return None


def bound_missing(run: Run, episode: int) -> bool:
    """Whether `bound_of` would have to compute it, which takes seconds."""
    world = run.world_of(episode).year_id
    return run.seats == 1 and world not in stored_anchors(run).bounds and _shipped(run, world) is None


def write_bounds(run: Run) -> None:
    """Write the bounds of all worlds of a run, and of all years on them that have their own salt."""
    if run.seats == 1:
        first = {run.world_of(episode).year_id: episode for episode in reversed(range(run.episodes))}
        bounds = {world: bound_of(run, episode) for world, episode in first.items()}
        _store(run, StoredAnchors(BEHAVIOUR, bounds, stored_anchors(run).assets))


def _shipped(run: Run, world: str) -> TermsAnchors | None:
    return shipped_anchors(world, run.terms.days, run.terms.stake, rules_of(run.terms))


@lru_cache(maxsize=256)
def _computed(world: World, rules: Rules, days: int, stake: float) -> float | None:
    from ecbench.analysis.bound.assets import NoBound, upper_bound  # which a run rarely needs here

    try:
        found = upper_bound(world, days=days, stake=stake, rules=rules).assets
    except NoBound:
        return None
    return found if isfinite(found) else None


def known_assets(run: Run, world_id: str, stored: StoredAnchors) -> Assets:
    """The anchors' assets on one world: those of the package, else those beside the run; empty without either."""
    shipped = _shipped(run, world_id)
    if shipped is not None and shipped_file().behaviour == BEHAVIOUR:
        return shipped.assets
    return stored.assets.get(world_id, {})


def measure_anchors(run: Run, progress: Callable[[str], None]) -> None:
    """Play the merchants on each world of a run that lacks them, and keep what they end with. Raises RunError."""
    anchors, terms, rules = stored_anchors(run), run.terms, rules_of(run.terms)
    missing = [number for number, ref in enumerate(run.worlds) if not known_assets(run, ref.id, anchors)]
    for number in () if terms.shared else missing:
        ref, world = run.worlds[number], run.load_world(number)
        played = anchors.assets[ref.id] = {}
        for name in merchant_names():
            progress(f"playing the anchor {name} on {ref.name}")
            played[name] = anchor_assets(name, world, terms.days, terms.stake, rules)
    if missing and not terms.shared:
        _store(run, anchors)


def anchor_assets(name: str, world: World, days: int, stake: float, rules: Rules) -> float:
    """What a merchant ends with."""
    year = Episode(world, days=days, stake=stake, rules=rules)
    play_year(get_merchant(name, days=days, rules=rules), year)
    return yuan(year.bank + year.wallet)
