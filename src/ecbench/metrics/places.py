"""Places on the seven axes, among the paper's models and among runs.

Every table, figure and file that shows a place calls `places`; `why_no_place` is the only rule on who has one. What a
run is barred for is decided where runs are known, in `runs/results/place_rule.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from ecbench.metrics.axes import ASSETS, AXES, SKILL, Axis
from ecbench.metrics.published import published_models


class Place(NamedTuple):
    """A place from 1, or None and why there is none, in a short phrase."""

    place: int | None
    no_place: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Entrant:
    """One of those that are ranked: a model of the paper, a run, or a single year."""

    name: str
    values: Mapping[str, float | None]  # by the name of an axis; None without a sample
    episodes: int = 1
    bankrupt: int = 0  # of its episodes
    barred: Mapping[str, str] = field(default_factory=dict)  # by axis: why it cannot be compared with the others
    printed: Mapping[str, str] = field(default_factory=dict)  # by axis: what the paper prints for its model

    @property
    def assets(self) -> float | None:
        return self.values[ASSETS.name]


@cache
def paper_entrants() -> tuple[Entrant, ...]:
    """The paper's eighteen models, most assets first. They are ranked by their printed figures, bankruptcies or not."""
    return tuple(
        Entrant(
            model.name,
            {axis.name: model[axis.name] for axis in AXES} | {SKILL.name: None},
            model.episodes,
            printed={axis.name: model.text(axis.name) for axis in AXES},
        )
        for model in published_models()
    )


def why_no_place(who: Entrant, axis: Axis) -> str:
    """Why an entrant has no place on an axis, in a short phrase; empty where it has one.

    It needs a sample that can be compared. An early bankruptcy leaves little time to be cheated or to take goods back,
    which is no merit: where every episode ended so, only final assets have a place.
    """
    if axis.name in who.barred:
        return who.barred[axis.name]
    if who.values[axis.name] is None:
        return axis.no_sample
    return "every year ended in bankruptcy" if axis not in (ASSETS, SKILL) and who.bankrupt >= who.episodes else ""


def may_lead(who: Entrant) -> bool:
    """Whether an entrant may be first: none of its episodes ended in bankruptcy."""
    return not who.bankrupt


def places(entrants: Sequence[Entrant], axis: Axis) -> list[int | None]:
    """The place of each entrant from 1, None where it earns none; a tie shares the better place.

    The best of those that may lead is first; without one, the first place stays empty.
    """
    scores = [None if why_no_place(who, axis) else _score(who, axis) for who in entrants]
    candidates = [score for who, score in zip(entrants, scores, strict=True) if score is not None and may_lead(who)]
    best = max(candidates, default=None)
    leads = [score is not None and score == best and may_lead(who) for who, score in zip(entrants, scores, strict=True)]
    others = [score for score, first in zip(scores, leads, strict=True) if score is not None and not first]
    behind = 1 + max(sum(leads), 1)
    return [
        None if score is None else 1 if first else behind + sum(other > score for other in others)
        for score, first in zip(scores, leads, strict=True)
    ]


def places_among_models(who: Entrant) -> dict[str, Place]:
    """By the name of an axis: the place that an entrant takes as one more among the paper's models, or why none."""
    return {axis.name: Place(places([who, *paper_entrants()], axis)[0], why_no_place(who, axis)) for axis in AXES}


def ranked_by(axis: Axis, entrants: Sequence[Entrant]) -> list[Entrant]:
    """The best first, behind the best that may lead; those without a sample last, the richest of them first."""

    def merit(who: Entrant) -> tuple[bool, float, float]:
        value = who.values[axis.name]
        return value is None, -axis.score(value or 0.0), -(who.assets or 0.0)

    best = sorted(entrants, key=merit)
    leader = next(filter(may_lead, best), None)
    return sorted(best, key=lambda who: who is not leader)


def position(who: Entrant, axis: Axis, others: Sequence[Entrant]) -> float | None:
    """Where an entrant lies on an axis between the worst of others, 0, and their best, 1; None where it earns no place.

    Better than their best is above 1, worse than their worst below 0. One that may not lead lies no higher than their
    second best.
    """
    if why_no_place(who, axis):
        return None
    own, scores = _score(who, axis), sorted(_score(other, axis) for other in others)
    worst, second, best = scores[0], scores[-2], scores[-1]
    return ((own if may_lead(who) else min(own, second)) - worst) / (best - worst)


def _score(who: Entrant, axis: Axis) -> float:
    value = who.values[axis.name]
    assert value is not None, f"{who.name} has no sample on {axis.name}"
    return axis.score(value)
