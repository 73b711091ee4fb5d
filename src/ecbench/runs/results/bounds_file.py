"""`bounds.json`: the upper bound of each world of a run under its terms, by which skill is measured.

A bound takes seconds to compute, so a run keeps those of its worlds, and the package those of its own world. They are
written when a run is played; a command that only reads computes what is missing and writes nothing. `ecbench verify`
and the leaderboard use none that is stored.
"""

from contextlib import suppress
from functools import lru_cache
from math import isfinite
from pathlib import Path

import orjson
from msgspec import Struct
from msgspec.structs import asdict

from ecbench.errors import RunError
from ecbench.extras import MissingExtra
from ecbench.metrics.anchors import shipped_anchors
from ecbench.players.turn import Money
from ecbench.rules import Rules
from ecbench.runs.folder import Run
from ecbench.runs.record.atomic_write import atomic_write, read_file
from ecbench.runs.record.json_values import parse, typed
from ecbench.runs.terms import rules_of
from ecbench.world.model import World

BOUNDS = "bounds.json"
METHOD = 1  # of the computation; a change that gives other numbers gets the next number


class BoundsFile(Struct):
    """Of `bounds.json`."""

    method: int  # of the computation: another one finds other bounds
    bounds: dict[str, Money | None]  # by the id of the world; null: no limit


def bound_of(run: Run, episode: int, *, stored: bool = True) -> float | None:
    """Of the world of an episode; None where there is no limit, rivals share the market, the world is not here, or
    NumPy is missing. `stored`: whether the bound that the run keeps may be used."""
    try:
        return _known_bound(run, episode, stored=stored)
    except MissingExtra:
        return None


def why_no_bound(run: Run, episode: int) -> str:
    """Why `bound_of` found none: the extra that is missing, if that is the reason."""
    try:
        _known_bound(run, episode)
    except MissingExtra as missing:
        return str(missing)
    return "no bound is known"


def _known_bound(run: Run, episode: int, *, stored: bool = True) -> float | None:
    """The same; raises MissingExtra where it would have to be computed without NumPy."""
    if run.seats > 1:
        return None
    kept, world = stored_bounds(run.folder) if stored else {}, run.world_of(episode).id
    if world in kept:
        return kept[world]
    shipped = _shipped(run, world)
    if shipped is not None:
        return shipped
    try:
        return _computed(run.load_world(episode), rules_of(run.terms), run.terms.days, run.terms.stake)
    except MissingExtra:
        raise
    except RunError:
        return None


def bound_missing(run: Run, episode: int) -> bool:
    """Whether `bound_of` would have to compute it, which takes seconds."""
    if run.seats > 1:
        return False
    world = run.world_of(episode).id
    return world not in stored_bounds(run.folder) and _shipped(run, world) is None


def _shipped(run: Run, world: str) -> float | None:
    found = shipped_anchors(world, run.terms.days, run.terms.stake, rules_of(run.terms))
    return None if found is None else found.bound


@lru_cache(maxsize=256)
def _computed(world: World, rules: Rules, days: int, stake: float) -> float | None:
    from ecbench.bound.assets import NoBound, upper_bound  # with NumPy, which a run rarely needs here

    try:
        found = upper_bound(world, days=days, stake=stake, rules=rules).assets
    except NoBound:
        return None
    return found if isfinite(found) else None


def stored_bounds(folder: Path) -> dict[str, float | None]:
    """By the id of the world; empty where nothing is stored, or by another method."""
    try:
        found = typed(parse(read_file(folder / BOUNDS)), BoundsFile)
    except (OSError, ValueError):
        return {}
    return found.bounds if found.method == METHOD else {}


def write_bounds(run: Run) -> None:
    """Those of all worlds of a run; where nothing can be written, they are computed whenever they are asked for.

    Raises MissingExtra, and writes nothing, where one would have to be computed without NumPy.
    """
    if run.seats == 1:
        bounds = {site.id: _known_bound(run, place) for place, site in enumerate(run.worlds)}
        content = orjson.dumps(asdict(BoundsFile(METHOD, bounds)), option=orjson.OPT_INDENT_2)
        with suppress(OSError):
            atomic_write(run.folder / BOUNDS, content + b"\n", sync=False)
