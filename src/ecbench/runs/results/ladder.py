"""A run on its ladder of anchors: the merchants of the package on the same worlds under the same terms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.metrics.anchors import Rung, WorldAnchors, ladder
from ecbench.metrics.axes import AxisFigures
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name
from ecbench.runs.record.lines import End, is_over
from ecbench.runs.results.anchors_file import known_assets, stored_anchors

BoundOf = Callable[[Run, int], float | None]
"""The upper bound of an episode, by which skill is measured; None if there is none."""


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
    first, stored = {run.world_of(episode).id: episode for episode in ends}, stored_anchors(run)
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
