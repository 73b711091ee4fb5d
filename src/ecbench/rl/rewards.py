"""The rewards of a learner: three kinds, each of which adds up to a function of the final assets."""

from collections.abc import Callable
from dataclasses import dataclass
from math import log

GRAIN = 4_096  # parts of a yuan
LEAST = 1.0  # yuan, the least that a logarithm is taken of


def in_grains(assets: float) -> float:
    """Assets to 1/4096 of a yuan.

    Differences of such figures, and sums of those, are exact in floating point as long as assets are below two trillion
    yuan. A sum of plain differences would be wrong in its last bits, by more the longer the year is.
    """
    return round(assets * GRAIN) / GRAIN


@dataclass(frozen=True, slots=True)
class Reward:
    """`step` is the reward for a change of assets, `end` a further one for the assets at the end."""

    step: Callable[[float, float], float]
    end: Callable[[float, float], float]  # of the final assets and the stake
    formula: str

    def total(self, final: float, stake: float) -> float:
        """The sum over a whole year."""
        return self.step(stake, final) + self.end(final, stake)


def _nothing(_first: float, _second: float) -> float:
    return 0.0


REWARDS = {
    "change": Reward(lambda before, after: after - before, _nothing, "A(t) - A(t-1), which adds up to A(T) - A(0)"),
    "growth": Reward(
        _nothing, lambda final, stake: log(max(final, LEAST) / stake), "ln(max(A(T), 1) / A(0)) at the end"
    ),
    "multiple": Reward(_nothing, lambda final, stake: final / stake, "A(T) / A(0) at the end"),
}
"""A(t) are the total assets after step t in yuan, A(0) the stake, T the last step."""


def reward_named(name: str) -> Reward:
    found = REWARDS.get(name)
    if found is None:
        raise ValueError(f"there is no reward {name!r}; the rewards are: {', '.join(REWARDS)}")
    return found
