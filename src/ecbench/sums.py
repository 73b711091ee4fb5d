"""Addition that comes out the same everywhere."""

import sys
from collections.abc import Iterable
from functools import reduce
from operator import add

if sys.version_info >= (3, 12):

    def added(values: Iterable[float], start: float = 0) -> float:
        """The start and then the values one after the other, from the first to the last.

        `sum` carries a correction from Python 3.12 on and so gives other last bits than before. A cent, or whether one
        more unit is sold, may hang on them. Whole numbers may be added either way.
        """
        return reduce(add, values, start)

else:
    added = sum  # which did no more than that, and quicker


def taken_from(start: float, values: Iterable[float]) -> float:
    """What is left of the start after the values have been taken off one after the other.

    Rounding treats both signs alike, so they may be added to its negative, which is quicker and as exact.
    """
    return 0.0 - added(values, -start)
