"""Ranks on the axes, wherever one is shown; `runs/results/ranking.py` decides which runs stand among the models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from ecbench.metrics.measures import ASSETS, AXES, SKILL, Axis
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
    """Why an entrant is not ranked on an axis, in a short phrase; empty if it is ranked."""
    if who.barred:
        return who.barred
    if who.values[axis.name] is None:
        return axis.no_sample
    return "every episode ended in bankruptcy" if axis not in (ASSETS, SKILL) and who.bankrupt >= who.episodes else ""


def ranks(entrants: Sequence[Entrant], axis: Axis) -> list[int | None]:
    """The rank of each entrant from 1, None if it is not ranked; a tie shares the better rank.

    The best of those without a bankruptcy is first; without one, rank 1 stays empty.
    """
    scores = [None if unranked_reason(who, axis) else axis.score(who.values[axis.name] or 0.0) for who in entrants]
    scored = {
        index: (who, score)
        for index, (who, score) in enumerate(zip(entrants, scores, strict=True))
        if score is not None
    }
    best = max((score for who, score in scored.values() if not who.bankrupt), default=None)
    first = 1 if best is not None else 2
    merits = {index: (score == best and not who.bankrupt, score) for index, (who, score) in scored.items()}
    found = {index: first + sum(other > own for other in merits.values()) for index, own in merits.items()}
    return [found.get(index) for index in range(len(entrants))]


def ranks_among_models(who: Entrant) -> dict[str, Rank]:
    """By the name of an axis: the rank of an entrant as one more among the paper's models."""
    return {axis.name: Rank(ranks([who, *paper_entrants()], axis)[0], unranked_reason(who, axis)) for axis in AXES}


def ranked_by(axis: Axis, entrants: Sequence[Entrant]) -> list[Entrant]:
    """The best first, after the best without a bankruptcy; those without a sample last, the richest of them first."""

    def merit(who: Entrant) -> tuple[bool, float, float]:
        value = who.values[axis.name]
        return value is None, -axis.score(value or 0.0), -(who.assets or 0.0)

    best = sorted(entrants, key=merit)
    leader = next((who for who in best if not who.bankrupt), None)
    return sorted(best, key=lambda who: who is not leader)
