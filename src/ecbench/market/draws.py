"""Seeded random draws that are pure functions of their names.

Seeding a Mersenne Twister costs more than anything else in a simulated day. Every episode on a world asks for the same
draws, so those who draw keep what they drew; and one generator per thread is seeded anew for each draw, which costs
half of making a new one.
"""

from collections.abc import Callable
from hashlib import md5
from random import Random
from threading import local
from typing import NamedTuple


class _Generator(local):
    def __init__(self) -> None:
        self.random = Random(0)
        self.seed = super(Random, self.random).seed  # a whole number needs none of Random.seed's checks


_generator = _Generator()


def named_seed(seed: int, name: str) -> int:
    """The world's seed plus the first eight hexadecimal digits of the name's digest."""
    return seed + int.from_bytes(md5(name.encode()).digest()[:4], "big")


def named_stream(seed: int, name: str) -> Random:
    """A generator of its own."""
    return Random(named_seed(seed, name))


def _lent_stream(seed: int, name: str) -> Random:
    """This thread's generator, seeded for one draw; it must not be kept."""
    generator = _generator
    generator.seed(named_seed(seed, name))
    return generator.random


def draw_between(bits: Callable[[int], int], low: int, high: int) -> int:
    """What `randint(low, high)` of the generator that owns these random bits gives, at half the price."""
    span = high - low + 1
    if span < 1:
        raise ValueError(f"nothing lies between {low} and {high}")
    width = span.bit_length()
    drawn = bits(width)
    while drawn >= span:
        drawn = bits(width)
    return low + drawn


def demand_rounding(seed: int, sku: str, day: str) -> float:
    return _lent_stream(seed, f"demand{sku}{day}").random()


class ReturnTrials(NamedTuple):
    """Whether units of a shipment come back: one uniform for each, and the days until those that do arrive."""

    lowest: float
    days: int
    trials: list[float]  # in ascending order


def return_trials(seed: int, speed: str, shipment: int, units: int, days: tuple[int, int]) -> ReturnTrials:
    stream = _lent_stream(seed, f"ship{shipment}{speed}")
    draw = stream.random
    trials = [draw() for _ in range(units)]
    trials.sort()
    return ReturnTrials(trials[0], draw_between(stream.getrandbits, *days), trials)
