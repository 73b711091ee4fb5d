"""Seeded random draws that are pure functions of their names.

Seeding a Mersenne Twister costs more than anything else in a simulated day, and every episode on a world asks for the
same draws, so those who draw keep what they drew.
"""

from datetime import date
from hashlib import md5
from random import Random


def named_stream(seed: int, name: str) -> Random:
    return Random(seed + int(md5(name.encode()).hexdigest()[:8], 16))


def demand_rounding(seed: int, sku: str, day: date) -> float:
    return named_stream(seed, f"demand{sku}{day.isoformat()}").random()


def return_trials(seed: int, shipment: int, speed: str, units: int, days: tuple[int, int]) -> tuple[list[float], int]:
    stream = named_stream(seed, f"ship{shipment}{speed}")
    trials = [stream.random() for _ in range(units)]
    return sorted(trials), stream.randint(*days)
