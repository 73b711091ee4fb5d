"""When a season is clear: the plan of its looks, and what each look decides.

The worlds are played in an order that follows from their ids, and a look compares those that are over with the same
worlds of a finished run. A study ends when one agent is better, or when a difference of the stated size is excluded.
The plan is in `run.json` before the first year, so that neither order nor looks can be chosen to suit the result.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from math import exp, isclose, log
from statistics import fmean
from typing import Literal

from ecbench.compare.chance import Interval
from ecbench.compare.entries import ComparedRun, is_known
from ecbench.compare.fairness import GAME, HANDICAPS, differing_terms, played_terms
from ecbench.compare.planned_looks import interval_at, looks_of, p_at, share_spent
from ecbench.compare.verdict import (
    COUNTED_FROM,
    PlannedStop,
    Scale,
    Verdict,
    log_assets,
    planned_verdict,
    sentence,
    stop_ground,
    times,
)
from ecbench.errors import RunError
from ecbench.metrics.axes import SKILL, primary_axis
from ecbench.metrics.measures import MEASURES
from ecbench.quantiles import LEVEL
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.results.bounds_file import bound_of
from ecbench.runs.run_worlds import Site
from ecbench.runs.stopping_plan import RivalRecord, ScoreName, StoppingPlan, complete_worlds
from ecbench.runs.terms import Terms, rules_of

SMALLEST = 2.0  # ratio of final assets: about what ten worlds of two years show in four of five cases
PRECISION = 1e-6  # of a score: processors differ by far less in the last digits of a logarithm

Decision = Literal["better", "worse", "excluded", "go on", "not clear"]
Scores = Mapping[str, float]
"""By the id of a world: the logarithm of the final assets there, or skill."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a look shows: of the run over its rival, a difference on the scale of the score."""

    worlds: int
    planned: int  # worlds of the whole plan
    gaps: tuple[float, ...]  # by world, in the order of the plan
    decision: Decision
    effect: float
    interval: Interval | None
    p: float
    score: ScoreName

    @property
    def is_clear(self) -> bool:
        return self.decision not in ("go on", "not clear")

    @property
    def stopped_early(self) -> bool:
        return self.is_clear and self.worlds < self.planned


def plan_against(rival: ComparedRun, sites: Sequence[Site], smallest: float = SMALLEST) -> StoppingPlan:
    """The plan of a study on these worlds. Raises RunError where the rival has not finished them all."""
    fresh = [site for site in sites if not is_known(site)]
    if [site.id for site in rival.run.sites] != [site.id for site in sites]:
        raise RunError(f"{rival.run.folder} was not played on the worlds of this season; --against takes a run of it")
    if len(fresh) < COUNTED_FROM:
        raise RunError(f"looks need at least {COUNTED_FROM} fresh worlds, and there are {len(fresh)}; play them all")
    over = _complete(rival)
    if missing := sum(not over[place] for place, site in enumerate(sites) if site in fresh):
        raise RunError(f"{rival.run.folder} has not finished {missing} of {len(fresh)} fresh worlds; finish it first")
    score = score_of(rival)
    scores = world_scores(rival, score)
    order, looks = order_of(sites), looks_of(len(fresh))
    own = tuple(scores[sites[place].id] for place in order)
    return StoppingPlan(
        order,
        looks,
        tuple(share_spent(look, looks[-1]) for look in looks),
        smallest,
        smallest_gap(rival.run, order, score, smallest),
        score,
        RivalRecord(rival.run.terms.agent, records_of(rival.run), own),
    )


def refuse_mismatch(terms: Terms, rival: Run) -> None:
    """Raise RunError where an agent would play another game than the rival did, or under other terms."""
    for name, here, there in differing_terms(terms, played_terms(rival), {**GAME, **HANDICAPS}):
        raise RunError(f"{rival.folder} cannot be compared with this season's run: {name} {there}, and here {here}")


def order_of(sites: Sequence[Site]) -> tuple[int, ...]:
    """Places of the fresh worlds in an order that their ids fix and nobody can choose: that of digests of all ids."""
    ids = "\n".join(sorted(site.id for site in sites))
    fresh = [place for place, site in enumerate(sites) if not is_known(site)]
    return tuple(
        sorted(fresh, key=lambda place: sha256(f"order of worlds\n{ids}\n{sites[place].id}".encode()).digest())
    )


def score_of(entry: ComparedRun) -> ScoreName:
    """What looks compare: as the verdict does, skill where the rules rank by it and every year has one."""
    years = (year for years in entry.years.values() for year in years)
    ranked = primary_axis(rules_of(entry.run.terms)) is SKILL
    return (
        "skill" if ranked and all(MEASURES[SKILL.name].of_year(year) is not None for year in years) else "final_assets"
    )


def world_scores(entry: ComparedRun, score: ScoreName) -> dict[str, float]:
    """By the id of a world, where there is one."""
    found = {world: MEASURES[score].of_run(entry.distinct(world)).value for world in entry.years}
    known = {world: value for world, value in found.items() if value is not None}
    if score == "skill":
        return known
    return {world: log_assets(value, entry.run.terms.stake) for world, value in known.items()}


def smallest_gap(run: Run, order: Sequence[int], score: ScoreName, ratio: float) -> float:
    """A ratio of final assets on the scale of the score; for skill by the mean of the logarithms of the bounds."""
    if score == "final_assets":
        return log(ratio)
    bounds = [bound for place in order if (bound := bound_of(run, place))]
    return log(ratio) / fmean(log(bound / run.terms.stake) for bound in bounds)


def records_of(run: Run) -> str:
    """A checksum over the ends of all records of a run."""
    ends = (read_episode(run, episode).year_end for episode in range(run.episodes))
    return sha256("\n".join(end.check if end else "" for end in ends).encode()).hexdigest()


def finished_worlds(plan: StoppingPlan, entry: ComparedRun) -> int:
    """How many worlds from the beginning of its order a run has finished."""
    return complete_worlds(plan.order, _complete(entry))


def looks_taken(plan: StoppingPlan, entry: ComparedRun) -> list[Look]:
    """The looks whose worlds the run has finished, up to the first that is clear."""
    done, scores = finished_worlds(plan, entry), world_scores(entry, plan.score)
    rival = plan.against.scores
    gaps = [scores[entry.run.sites[place].id] - rival[number] for number, place in enumerate(plan.order[:done])]
    return looks_at(gaps, plan.looks, plan.smallest_gap, plan.score)


def looks_between(first: ComparedRun, second: ComparedRun, sites: Sequence[Site], smallest: float) -> list[Look]:
    """The looks at two runs on worlds that both play, as far as both have finished them, up to the first clear one."""
    order, score = order_of(sites), score_of(first)
    whole = [_whole_worlds(entry) for entry in (first, second)]
    done = complete_worlds(order, [all(site.id in worlds for worlds in whole) for site in sites])
    one, other = (world_scores(entry, score) for entry in (first, second))
    gaps = [one[sites[place].id] - other[sites[place].id] for place in order[:done]]
    places = [[site.id for site in first.run.sites].index(sites[place].id) for place in order]
    looks = looks_of(len(order))
    return looks_at(gaps, looks, smallest_gap(first.run, places, score, smallest), score) if done else []


def looks_at(gaps: Sequence[float], looks: Sequence[int], smallest: float, score: ScoreName) -> list[Look]:
    """What each look at these differences shows, up to the first that is clear."""
    taken: list[Look] = []
    for look in looks:
        if look > len(gaps) or (taken and taken[-1].is_clear):
            break
        taken.append(look_at(gaps[:look], looks, smallest, score))
    return taken


def look_at(gaps: Sequence[float], looks: Sequence[int], smallest: float, score: ScoreName) -> Look:
    """What the differences up to a look decide."""
    effect, interval, p = fmean(gaps), interval_at(gaps, looks), p_at(gaps, looks)
    decision: Decision = "go on" if len(gaps) < looks[-1] else "not clear"
    if p <= LEVEL and effect != 0:
        decision = "better" if effect > 0 else "worse"
    elif interval is not None and -smallest < interval[0] and interval[1] < smallest:
        decision = "excluded"
    return Look(len(gaps), looks[-1], tuple(gaps), decision, effect, interval, p, score)


def verdict_at(look: Look, smallest: float) -> Verdict:
    """The look as the verdict of a comparison."""
    scale: Scale = "skill" if look.score == "skill" else "logarithm"
    stop = PlannedStop(look.worlds, look.planned, smallest if look.decision == "excluded" else None)
    return planned_verdict(look.gaps, stop, scale, interval=look.interval, p=look.p)


def look_sentence(look: Look, agent: str, rival: str, smallest: float) -> str:
    """The last look in one sentence, as `ecbench compare` says it."""
    verdict = verdict_at(look, smallest)
    ground = stop_ground(f"{look.worlds:,} worlds", verdict.stop)
    return sentence(replace(verdict, p_adjusted=verdict.p), agent, rival, ground, "worlds", 1)


def look_line(look: Look, agent: str, rival: str, smallest: float) -> str:
    """One line for a look: worlds, interval and decision."""
    says: Mapping[Decision, str] = {
        "better": f"{agent} is better",
        "worse": f"{rival} is better",
        "excluded": f"a difference of {times(smallest)[0]} times or more is excluded",
        "go on": "not clear yet",
        "not clear": "not clear after all worlds",
    }
    return f"Look after {look.worlds} of {look.planned} worlds: {_effect(look)}: {says[look.decision]}."


def _effect(look: Look) -> str:
    if look.score == "skill":
        bounds = f" (95%: {look.interval[0]:.3f} to {look.interval[1]:.3f})" if look.interval else ""
        return f"skill A - B {look.effect:+.3f}{bounds}"
    ratio, *ends = times(*map(exp, (look.effect, *(look.interval or ()))))
    bounds = f" (95%: {ends[0]} to {ends[1]})" if ends else ""
    return f"A / B {ratio}{bounds}"


def plan_differences(plan: StoppingPlan, entry: ComparedRun, rival: ComparedRun | None = None) -> Iterator[str]:
    """Where a run is not what its plan says: the plan itself, the worlds that were played, and where it stopped."""
    run = entry.run
    if plan.order != order_of(run.sites):
        yield "stopping: the order of worlds does not follow from their ids"
        return
    looks = looks_of(len(plan.order))
    if plan.looks != looks or any(
        not isclose(found, share_spent(look, looks[-1])) for found, look in zip(plan.spent, looks, strict=False)
    ):
        yield f"stopping: looks and boundaries are not those of {len(plan.order)} worlds"
        return
    if rival is not None:
        yield from _rival_differences(plan, rival)
    if not isclose(plan.smallest_gap, smallest_gap(run, plan.order, plan.score, plan.smallest), rel_tol=PRECISION):
        yield "stopping: smallest_gap does not follow from smallest"
    yield from _stop_differences(plan, entry)


def _rival_differences(plan: StoppingPlan, rival: ComparedRun) -> Iterator[str]:
    if plan.against.records != records_of(rival.run):
        yield f"stopping: {rival.run.folder} is not the run that the plan compares with"
        return
    made = plan_against(rival, rival.run.sites, plan.smallest)
    stated, found = ((*each.against.scores, each.smallest_gap) for each in (plan, made))
    if not all(isclose(one, other, abs_tol=PRECISION) for one, other in zip(stated, found, strict=True)):
        yield f"stopping: the plan's scores of {plan.against.agent} are not those of {rival.run.folder}"
    if (plan.score, plan.against.agent) != (made.score, made.against.agent):
        yield f"stopping: {rival.run.folder} is of {made.against.agent}, compared by {made.score}"


def _stop_differences(plan: StoppingPlan, entry: ComparedRun) -> Iterator[str]:
    """Years that are over on worlds that the plan has not come to, or never does, since it was clear before."""
    taken = looks_taken(plan, entry)
    last = taken[-1] if taken else None
    if last is not None and last.is_clear:
        reached, why = last.worlds, f"it was clear after {last.worlds} worlds, where the plan ends"
    else:
        if last is not None and last.worlds == last.planned:
            return
        reached = plan.looks[len(taken)]
        why = f"the plan has come to its first {reached} worlds"
    known = {entry.run.sites[place].id for place in plan.order[:reached]}
    if beyond := [world for world in entry.years if world not in known]:
        yield f"stopping: {why}, and years on {', '.join(entry.names(beyond))} are over"


def _complete(entry: ComparedRun) -> list[bool]:
    """By place of a world: whether all its years are over."""
    whole = _whole_worlds(entry)
    return [site.id in whole for site in entry.run.sites]


def _whole_worlds(entry: ComparedRun) -> set[str]:
    each = entry.run.episodes // len(entry.run.sites)
    return {world for world, years in entry.years.items() if len(years) == each}
