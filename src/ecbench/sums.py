"""Floating-point sums with the same last bit on every version of Python."""

import sys
from collections.abc import Iterable
from functools import reduce
from operator import add

if sys.version_info >= (3, 12):

    def ordered_sum(values: Iterable[float], start: float = 0) -> float:
        """Add the values to the start in their order; since Python 3.12 `sum` compensates, which changes last bits."""
        return reduce(add, values, start)

else:
    ordered_sum = sum  # the same additions, in C


def ordered_difference(start: float, values: Iterable[float]) -> float:
    """Subtract the values from the start one after the other.

    Rounding is symmetric in the sign, so adding them to the negated start gives the same bits, faster.
    """
    return 0.0 - ordered_sum(values, -start)
