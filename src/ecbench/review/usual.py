"""What is usual for a player: the middle of its own weeks, and how far they lie from it.

Both are medians, so that weeks with a mistake, up to half of the year, do not move them.
"""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

DEVIATION = 1.4826  # standard deviations of a normal distribution in its median absolute deviation


class Usual(NamedTuple):
    """A rate, and the standard deviation of the player's weeks around it."""

    rate: float
    spread: float


NOTHING_USUAL = Usual(0.0, 0.0)


def usual_of(rates: Sequence[float]) -> Usual:
    """Of at least one week."""
    rate = median(rates)
    return Usual(rate, DEVIATION * median(abs(each - rate) for each in rates))
