"""Whether a run is ranked among the paper's models, or shown on a ladder of anchors (docs/metrics.md)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ecbench.errors import RunError
from ecbench.formatting import counted
from ecbench.harness.context import ContextPolicy
from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.metrics.anchors import Rung, WorldAnchors, ladder
from ecbench.metrics.published import published_models
from ecbench.rules import DEFAULT_RULES, DEFAULT_SET
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import is_insider, short_name
from ecbench.runs.record.lines import End, is_over
from ecbench.runs.results.anchors_file import known_assets, stored_anchors
from ecbench.runs.terms import MAX_TURNS, OWN_LOOP_IN_INSPECT
from ecbench.world.load import is_named
from ecbench.world.release import is_release_catalog

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


def run_ladder(
    run: Run, ends: Mapping[int, End | None], axes: Mapping[str, float | None], bound: BoundOf
) -> AnchorLadder:
    """The ladder of a run, or of some of its years: `ends` has an item for each episode that counts."""
    assets = axes["final_assets"] or 0.0
    own = Rung(short_name(run.player.agent), "run", assets, assets / run.terms.stake, axes["skill"])
    if why := shown_alone_reason(run, list(ends.values())):
        return AnchorLadder([own], why)
    first, stored = {run.world_of(episode).id: episode for episode in ends}, stored_anchors(run)
    worlds = [WorldAnchors(known_assets(run, world, stored), bound(run, episode)) for world, episode in first.items()]
    return AnchorLadder(ladder(own, worlds, run.terms.stake), measured=all(world.assets for world in worlds))


def shown_alone_reason(run: Run, ends: Sequence[End | None]) -> str:
    """Why a run is not shown among others, in a short phrase; empty if it is."""
    return next(_reasons(run, ends), "")


def _reasons(run: Run, ends: Sequence[End | None]) -> Iterator[str]:
    if run.terms.shared:
        yield f"its market was shared by {run.seats} seats"
    if unfinished := [end for end in ends if not is_over(end)]:
        if len(ends) > 1:
            yield f"{len(unfinished)} of {len(ends)} episodes not over"
        yield f"not over, {_stopped(unfinished[0])}" if unfinished[0] else "not over"
    for episode, end in enumerate(ends):
        if end is not None and end.ending not in ENDED_BY_MARKET:
            yield _stopped(end) if len(ends) == 1 else f"episode {episode} {_stopped(end)}"


def _stopped(end: End) -> str:
    if end.never_acted:
        return "never called a tool"
    how = {"idle": "stopped", "turn_limit": "reached its turn limit"}.get(end.ending, end.ending.replace("_", " "))
    return f"{how} on day {end.day}"


FULL_YEAR = 365
PAPERS_WINDOW = ContextPolicy().to_json()
OTHER_CATALOG = "the paper's models played another catalog"
LONGEST = 24  # characters of a term that a phrase names

Departure = tuple[str, object, object]
"""The name of a term, its value, and the value that is asked for."""


def unranked_reason(run: Run, ends: Sequence[End | None]) -> str:
    """Why a run is not ranked among the paper's models, in a short phrase; empty if it is."""
    if not on_release_catalog(run):
        return OTHER_CATALOG
    return shown_alone_reason(run, ends) or next(_other_protocol(run), "")


def _other_protocol(run: Run) -> Iterator[str]:
    """Where a run is not what `ecbench run paper` plays with a model, a phrase each."""
    yield from map(_phrase, term_departures(run))
    yield from resumed_departures(run)
    if run.episodes != (papers := published_models()[0].episodes):
        yield f"{counted(run.episodes, 'episode')}, the paper has {papers}"
    if not run.terms.model_voice:
        yield "suppliers wrote from templates, the paper's with a model"
    if not run.player.names_model or is_insider(run.player.agent):
        yield "the agent is not a model"
    if run.player.transport not in ("", OWN_LOOP_IN_INSPECT):
        yield f"played over {run.player.transport}, in the loop of another program"
    if run.terms.fork:
        yield run.terms.fork.label


def on_release_catalog(run: Run) -> bool:
    """Whether every world of a run was imported from the published release; False if one cannot be found."""
    if any(is_named(ref.source) for ref in run.worlds):
        return False
    try:
        return all(is_release_catalog(run.load_world(number)) for number in range(len(run.worlds)))
    except RunError:
        return False


def resumed_departures(run: Run) -> Iterator[str]:
    """What a resume changed, a phrase each."""
    if run.manifest.resumed_window:
        yield f"resumed with a window of {run.manifest.resumed_window.get('window', 0):,} tokens"


def term_departures(run: Run, rules: str = DEFAULT_SET, days: int = FULL_YEAR) -> Iterator[Departure]:
    """The terms that are not the paper's, or not of the rule set and the days that a season asks for, apart from the
    world, the suppliers' voice and how the agent is connected."""
    terms, model = run.terms, run.player.model
    wanted: Sequence[Departure] = (
        ("days", terms.days, days),
        ("stake", terms.stake, DEFAULT_RULES.stake),
        ("rule set", terms.rule_set, rules),
        ("changed rules", dict(terms.rules), {}),
        ("turn limit", min(terms.turn_limit(run.entry), MAX_TURNS), MAX_TURNS),
        ("context window", model.get("window", PAPERS_WINDOW), PAPERS_WINDOW),
        ("brief", model.get("brief"), None),
        ("calls", model.get("calls", "native"), "native"),
    )
    return (departure for departure in wanted if departure[1] != departure[2])


def _phrase(departure: Departure) -> str:
    name, found, papers = departure
    if isinstance(papers, int | float):
        return f"{name} {found:,g}, the paper's is {papers:,g}"
    return f"{name} {found}" if isinstance(papers, str) and len(str(found)) <= LONGEST else f"{name} not the paper's"
