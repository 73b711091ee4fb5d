"""Ranks on the axes: of runs among the paper's models, of entries in a season, and of seats in an arena.

Every table, figure and file that shows a rank calls `ranks`. Which runs are ranked among the paper's models is decided
in `runs/results/ranking.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from ecbench.metrics.axes import ASSETS, AXES, SKILL, Axis
from ecbench.metrics.published import published_models


class Rank(NamedTuple):
    """A rank from 1, or None and the reason in a short phrase."""

    rank: int | None
    unranked_reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Entrant:
    """One of those that are ranked: a model of the paper, a run, or a seat in a round."""

    name: str
    values: Mapping[str, float | None]  # by the name of an axis; None without a sample
    episodes: int = 1
    bankrupt: int = 0  # of its episodes
    barred: str = ""  # why it cannot be compared with the others
    printed: Mapping[str, str] = field(default_factory=dict)  # by axis: what the paper prints for its model

    @property
    def assets(self) -> float | None:
        return self.values[ASSETS.name]

    def text(self, axis: Axis) -> str:
        """The value on an axis as a person is shown it: of the paper's models as printed."""
        return self.printed.get(axis.name) or axis.text(self.values[axis.name])


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


def unranked_reason(who: Entrant, axis: Axis) -> str:
    """Why an entrant is not ranked on an axis, in a short phrase; empty if it is ranked.

    An early bankruptcy leaves little time to be cheated or to take goods back, which is not a merit: an entrant whose
    episodes all ended so is ranked by final assets and skill alone.
    """
    if who.barred:
        return who.barred
    if who.values[axis.name] is None:
        return axis.no_sample
    return "every year ended in bankruptcy" if axis not in (ASSETS, SKILL) and who.bankrupt >= who.episodes else ""


def may_lead(who: Entrant) -> bool:
    """Whether an entrant may be first: none of its episodes ended in bankruptcy."""
    return not who.bankrupt


def ranks(entrants: Sequence[Entrant], axis: Axis) -> list[int | None]:
    """The rank of each entrant from 1, None if it is not ranked; a tie shares the better rank.

    The best of those that may lead is first; without one, rank 1 stays empty.
    """
    scores = [None if unranked_reason(who, axis) else _score(who, axis) for who in entrants]
    candidates = [score for who, score in zip(entrants, scores, strict=True) if score is not None and may_lead(who)]
    best = max(candidates, default=None)
    leads = [score is not None and score == best and may_lead(who) for who, score in zip(entrants, scores, strict=True)]
    others = [score for score, first in zip(scores, leads, strict=True) if score is not None and not first]
    behind = 1 + max(sum(leads), 1)
    return [
        None if score is None else 1 if first else behind + sum(other > score for other in others)
        for score, first in zip(scores, leads, strict=True)
    ]


def ranks_among_models(who: Entrant) -> dict[str, Rank]:
    """By the name of an axis: the rank of an entrant as one more among the paper's models."""
    return {axis.name: Rank(ranks([who, *paper_entrants()], axis)[0], unranked_reason(who, axis)) for axis in AXES}


def ranked_by(axis: Axis, entrants: Sequence[Entrant]) -> list[Entrant]:
    """The best first, behind the best that may lead; those without a sample last, the richest of them first."""

    def merit(who: Entrant) -> tuple[bool, float, float]:
        value = who.values[axis.name]
        return value is None, -axis.score(value or 0.0), -(who.assets or 0.0)

    best = sorted(entrants, key=merit)
    leader = next(filter(may_lead, best), None)
    return sorted(best, key=lambda who: who is not leader)


def _score(who: Entrant, axis: Axis) -> float:
    value = who.values[axis.name]
    assert value is not None, f"{who.name} has no sample on {axis.name}"
    return axis.score(value)
