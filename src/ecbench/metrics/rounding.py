"""How a report forms and rounds its numbers: null or 0 where there is no sample, never a negative zero."""

from collections.abc import Sequence

from ecbench.sums import ordered_sum


def figure(value: float, places: int = 4) -> float:
    """Rounded for the report. Adding zero turns -0.0 into 0.0."""
    return round(value, places) + 0.0


def yuan(value: float) -> float:
    return figure(value, 2)


def mean_or_null(values: Sequence[float]) -> float | None:
    return figure(ordered_sum(values) / len(values)) if values else None


def mean_or_zero(values: Sequence[float], places: int = 4) -> float:
    return figure(ordered_sum(values) / len(values), places) if values else 0.0


def share(part: float, whole: float) -> float:
    """A rate whose denominator is floored at 1, so that nothing out of nothing is 0."""
    return figure(part / max(1, whole))
