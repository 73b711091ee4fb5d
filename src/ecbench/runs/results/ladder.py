"""A run on its ladder of anchors, and the anchors of worlds that the package ships none for.

`ecbench show RUN --ladder` plays the anchors and keeps them in `anchors.json` beside the run. They follow from the
worlds, the days, the stake and the rules of the run, and from the behaviour of this version.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson
from msgspec import Struct
from msgspec.structs import asdict

from ecbench.episode import Episode
from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.metrics.anchors import Rung, WorldAnchors, ladder, shipped_anchors, shipped_file
from ecbench.metrics.axes import AxisFigures
from ecbench.metrics.rounding import yuan
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant, merchant_names
from ecbench.players.turn import Money
from ecbench.rules import Rules
from ecbench.runs.behaviour import BEHAVIOUR
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name
from ecbench.runs.record.atomic_write import atomic_write, read_file
from ecbench.runs.record.json_values import parse, typed
from ecbench.runs.record.lines import End, is_over
from ecbench.runs.terms import rules_of
from ecbench.world.model import World

ANCHORS = "anchors.json"
Assets = Mapping[str, float]
BoundOf = Callable[[Run, int], float | None]
"""The upper bound of an episode, by which skill is measured; None if there is none."""


class StoredAnchors(Struct):
    """Of `anchors.json`."""

    behaviour: int  # of the version that played them
    worlds: dict[str, dict[str, Money]]  # final assets by the id of a world, then by merchant


@dataclass(frozen=True, slots=True)
class AnchorLadder:
    """A run among its anchors, most assets first, or the run alone and why."""

    rungs: Sequence[Rung]
    alone: str = ""  # why it is shown alone, in a short phrase
    measured: bool = True  # whether the anchors of all its worlds are known

    def to_json(self) -> dict[str, Any]:
        return {"rungs": [rung._asdict() for rung in self.rungs], "alone": self.alone, "measured": self.measured}


def run_ladder(run: Run, ends: Mapping[int, End | None], axes: AxisFigures, bound: BoundOf) -> AnchorLadder:
    """The ladder of a run, or of some of its years: `ends` has an item for each episode that counts."""
    own = Rung(short_name(run.player.agent), "run", axes.final_assets, axes.multiplier, axes.skill)
    if why := shown_alone_reason(run, list(ends.values())):
        return AnchorLadder([own], why)
    first, stored = {run.world_of(episode).id: episode for episode in ends}, _stored(run)
    worlds = [
        WorldAnchors(known_assets(run, world, stored), run.terms.stake, bound(run, episode))
        for world, episode in first.items()
    ]
    return AnchorLadder(ladder(own, worlds), measured=all(world.assets for world in worlds))


def shown_alone_reason(run: Run, ends: Sequence[End | None]) -> str:
    """Why a run is not shown among others, in a short phrase; empty if it is."""
    return next(_reasons(run, ends), "")


def _reasons(run: Run, ends: Sequence[End | None]) -> Iterator[str]:
    if run.terms.shared:
        yield f"its market was shared by {run.seats} seats"
    if unfinished := [end for end in ends if not is_over(end)]:
        if len(ends) > 1:
            yield f"{len(unfinished)} of {len(ends)} years not over"
        yield f"not over, {_stopped(unfinished[0])}" if unfinished[0] else "not over"
    for episode, end in enumerate(ends):
        if end is not None and end.ending not in ENDED_BY_MARKET:
            yield _stopped(end) if len(ends) == 1 else f"episode {episode} {_stopped(end)}"


def _stopped(end: End) -> str:
    if end.never_acted:
        return "never called a tool"
    how = {"idle": "stopped", "turn_limit": "reached its turn limit"}.get(end.ending, end.ending.replace("_", " "))
    return f"{how} on day {end.day}"


def known_assets(run: Run, world_id: str, stored: Mapping[str, Assets]) -> Assets:
    """Of the anchors on one world of a run: those of the package, else those beside the run; empty without either."""
    terms = run.terms
    shipped = shipped_anchors(world_id, terms.days, terms.stake, rules_of(terms))
    if shipped is not None and shipped_file().behaviour == BEHAVIOUR:
        return shipped.assets
    return stored.get(world_id, {})


def _stored(run: Run) -> Mapping[str, Assets]:
    try:
        found = typed(parse(read_file(run.folder / ANCHORS)), StoredAnchors)
    except (OSError, ValueError):
        return {}
    return found.worlds if found.behaviour == BEHAVIOUR else {}


def measure_anchors(run: Run, progress: Callable[[str], None]) -> None:
    """Play the anchors on each world of a run that lacks them, and keep them beside it. Raises RunError.

    `progress` is called with a line before each year.
    """
    stored, terms, rules = _stored(run), run.terms, rules_of(run.terms)
    played: dict[str, dict[str, float]] = {}
    for number, site in enumerate(run.worlds):
        if terms.shared or known_assets(run, site.id, stored):
            continue
        world, played[site.id] = run.load_world(number), {}
        for name in merchant_names():
            progress(f"playing the anchor {name} on {site.name}")
            played[site.id][name] = anchor_assets(name, world, terms.days, terms.stake, rules)
    if played:
        kept = StoredAnchors(BEHAVIOUR, {world: dict(assets) for world, assets in stored.items()} | played)
        with suppress(OSError):
            atomic_write(run.folder / ANCHORS, orjson.dumps(asdict(kept), option=orjson.OPT_INDENT_2) + b"\n")


def anchor_assets(name: str, world: World, days: int, stake: float, rules: Rules) -> float:
    """What a merchant ends with."""
    year = Episode(world, days=days, stake=stake, rules=rules)
    play_year(get_merchant(name, days=days, rules=rules), year)
    return yuan(year.bank + year.wallet)
