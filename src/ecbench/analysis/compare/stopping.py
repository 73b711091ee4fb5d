"""A season that stops when it is clear: its plan, and what each interim analysis decides (docs/compare.md)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from math import log
from statistics import fmean

from ecbench.analysis.compare.chance import FEWEST_WORLDS, analyses_of
from ecbench.analysis.compare.entries import GAME, HANDICAPS, ComparedRun, differing_terms, is_known, played_terms
from ecbench.analysis.compare.verdict import (
    SMALLEST,
    Decision,
    InterimAnalysis,
    Verdict,
    WorldPair,
    paired_verdict,
    primary_of,
    world_scores,
)
from ecbench.errors import RunError
from ecbench.metrics.measures import ASSETS, Axis
from ecbench.runs.folder import Run
from ecbench.runs.manifest import StoppingPlan
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.terms import Terms, WorldRef


def order_of(sites: Sequence[WorldRef]) -> list[int]:
    """Indices of the fresh worlds in an order that their ids fix and nobody can choose: that of digests of all ids."""
    ids = "\n".join(sorted(site.id for site in sites))
    fresh = [index for index, site in enumerate(sites) if not is_known(site)]
    return sorted(fresh, key=lambda index: sha256(f"order of worlds\n{ids}\n{sites[index].id}".encode()).digest())


def episodes_of(run: Run, number: int) -> list[int]:
    """The episodes that are played for an analysis, beyond those of earlier ones."""
    order = order_of(run.worlds)
    sizes = (0, *analyses_of(len(order)))
    worlds = set(order[sizes[number] : sizes[number + 1]])
    return [episode for episode in range(run.episodes) if episode % len(run.worlds) in worlds]


def plan_against(rival: ComparedRun, sites: Sequence[WorldRef]) -> StoppingPlan:
    """The plan of a study on these worlds. Raises RunError if the rival has not finished them all."""
    fresh = [site.id for site in sites if not is_known(site)]
    if [site.id for site in rival.run.worlds] != [site.id for site in sites]:
        raise RunError(f"{rival.run.folder} was not played on the worlds of this season; --against takes a run of it")
    if len(fresh) < FEWEST_WORLDS:
        raise RunError(
            f"interim analyses need at least {FEWEST_WORLDS} fresh worlds, and there are {len(fresh)}; play them all"
        )
    if missing := len(set(fresh) - finished_worlds(rival)):
        raise RunError(f"{rival.run.folder} has not finished {missing} of {len(fresh)} fresh worlds; finish it first")
    scores = world_scores(rival, primary_of(rival))
    return StoppingPlan(rival.run.player.agent, {world: scores[world] for world in fresh})


def refuse_mismatch(terms: Terms, rival: Run) -> None:
    """Raise RunError if an agent would play another game than the rival did, or under other terms."""
    for name, here, there in differing_terms(terms, played_terms(rival), {**GAME, **HANDICAPS}):
        raise RunError(f"{rival.folder} cannot be compared with this season's run: {name} {there}, and here {here}")


def finished_worlds(entry: ComparedRun) -> set[str]:
    """The worlds on which all years of a run are over."""
    each = entry.run.episodes // len(entry.run.worlds)
    return {world for world, years in entry.years.items() if len(years) == each}


def analysed_worlds(*entries: ComparedRun) -> list[str]:
    """The worlds from the beginning of the order that all these runs of a season have finished."""
    sites, over = entries[0].run.worlds, set[str].intersection(*map(finished_worlds, entries))
    order = [sites[index].id for index in order_of(sites)]
    return order[: next((number for number, world in enumerate(order) if world not in over), len(order))]


def analyses_taken(entry: ComparedRun) -> list[Verdict]:
    """The analyses whose worlds a run with a plan has finished, up to the first that is clear."""
    run, plan = entry.run, entry.run.manifest.stopping
    assert plan is not None, "only a run with a plan has interim analyses"
    order, axis = [run.worlds[index] for index in order_of(run.worlds)], primary_of(entry)
    if unknown := [site.name for site in order if site.id not in plan.scores]:
        raise RunError(f"{run.folder}: its stopping plan has no score of {', '.join(unknown)}")
    own, sizes, taken = world_scores(entry, axis), analyses_of(len(order)), list[Verdict]()
    pairs = [(own[world], plan.scores[world]) for world in analysed_worlds(entry)]
    for size in sizes:
        if size > len(pairs) or (taken and taken[-1].interim and taken[-1].interim.is_clear):
            break
        taken.append(analysis_of(pairs[:size], sizes, smallest_gap(entry, axis), axis))
    return taken


def analysis_of(pairs: Sequence[WorldPair], sizes: Sequence[int], limit: float, axis: Axis = ASSETS) -> Verdict:
    """What the worlds up to an analysis decide; `limit` is SMALLEST on the scale of the score."""
    if not pairs:
        return Verdict(axis, interim=InterimAnalysis(0, sizes[-1], "go on"))
    found = paired_verdict(pairs, axis, sizes)
    found = replace(found, p_adjusted=found.p, ruin_p_adjusted=found.ruin_p)
    decision: Decision = "go on" if len(pairs) < sizes[-1] else "not clear"
    if found.shown:
        decision = "better" if found.first_is_better else "worse"
    elif found.interval is not None and not found.ruin_gap and max(map(abs, found.interval)) < limit:
        decision = "excluded"
    return replace(found, interim=InterimAnalysis(len(pairs), sizes[-1], decision))


def smallest_gap(entry: ComparedRun, axis: Axis) -> float:
    """SMALLEST on the scale of the score; for skill by the mean logarithm of the bounds of a run's worlds."""
    run = entry.run
    if axis is ASSETS:
        return log(SMALLEST)
    bounds = [bound for index in order_of(run.worlds) if (bound := bound_of(run, index, stored=not entry.recomputed))]
    return log(SMALLEST) / fmean(log(bound / run.terms.stake) for bound in bounds)


def plan_differences(entry: ComparedRun) -> Iterator[str]:
    """Where a run did not stop as its plan says."""
    run, taken, sizes = entry.run, analyses_taken(entry), analyses_of(len(order_of(entry.run.worlds)))
    last = taken[-1].interim if taken else None
    if last is not None and last.is_clear:
        reached, why = last.worlds, f"it was clear after {last.worlds} worlds, where the plan ends"
    elif len(taken) == len(sizes):
        return
    else:
        reached, why = sizes[len(taken)], f"the plan has come to its first {sizes[len(taken)]} worlds"
    known = {run.worlds[index].id for index in order_of(run.worlds)[:reached]}
    if beyond := [world for world in entry.years if world not in known]:
        yield f"stopping: {why}, and years on {', '.join(entry.names(beyond))} are over"
