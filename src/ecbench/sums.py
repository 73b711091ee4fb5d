"""Floating-point sums with the same last bit on every version of Python."""

import sys
from collections.abc import Iterable
from functools import reduce
from operator import add

if sys.version_info >= (3, 12):

    def ordered_sum(values: Iterable[float], start: float = 0) -> float:
        """Add the values to the start one after the other, from the first to the last.

        From Python 3.12 on `sum` compensates rounding errors, which changes last bits. A cent, or whether one more
        unit is sold, can depend on them. Integers can be added either way.
        """
        return reduce(add, values, start)

else:
    ordered_sum = sum  # the same additions, in C


def ordered_difference(start: float, values: Iterable[float]) -> float:
    """Subtract the values from the start one after the other.

    Rounding is symmetric in the sign, so adding them to the negated start gives the same bits, faster.
    """
    return 0.0 - ordered_sum(values, -start)
