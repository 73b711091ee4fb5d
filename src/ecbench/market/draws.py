"""Seeded random draws that are pure functions of their names.

Seeding a Mersenne Twister costs more than anything else in a simulated day, and every episode on a world asks for the
same draws, so each is made once per process.
"""

from datetime import date
from functools import lru_cache
from hashlib import md5
from random import Random


def named_stream(seed: int, name: str) -> Random:
    return Random(seed + int(md5(name.encode()).hexdigest()[:8], 16))


def demand_rounding(seed: int, sku: str, day: date) -> float:
    return named_stream(seed, f"demand{sku}{day.isoformat()}").random()


@lru_cache(maxsize=200_000)
def return_trials(seed: int, shipment: int, speed: str, units: int, first: int, last: int) -> tuple[list[float], int]:
    """One uniform per shipped unit, sorted, and the days (first to last) until what comes back arrives."""
    stream = named_stream(seed, f"ship{shipment}{speed}")
    trials = [stream.random() for _ in range(units)]
    return sorted(trials), stream.randint(first, last)
