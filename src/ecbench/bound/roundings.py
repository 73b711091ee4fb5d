"""The draws that round demand to whole units, for many goods and days at once.

What `market.draws.demand_rounding` gives one by one: the first uniform of a Mersenne Twister that Python seeds with a
whole number. Seeding takes 1,247 steps, each from the word before; here a block of generators takes them together.
"""

from collections.abc import Sequence
from functools import cache
from hashlib import md5

import numpy as np
import numpy.typing as npt

from ecbench.market.draws import DrawKey, demand_rounding, named_seed
from ecbench.market.price_columns import Column

Words = npt.NDArray[np.uint32]

STATE, MIDDLE = 624, 397  # words of a generator, and the distance of the two that make a new one
FIRST_MIX, SECOND_MIX = np.uint32(1_664_525), np.uint32(1_566_083_941)
BLOCK = 8_192  # generators at a time: the words they work on fit a processor's cache
LARGEST_SEED = (1 << 63) - (1 << 32)  # above it, or below zero, draws are made one by one


def demand_roundings(key: DrawKey, skus: Sequence[str], days: Sequence[str]) -> Column:
    """One row a day, one column a SKU."""
    if isinstance(key, bytes):
        seeds = np.array([named_seed(key, f"demand{sku}{day}") for day in days for sku in skus], dtype=np.int64)
        return first_uniforms(seeds).reshape(len(days), len(skus))
    if not 0 <= key < LARGEST_SEED:
        return np.array([[demand_rounding(key, sku, day) for sku in skus] for day in days])
    names = [f"demand{sku}".encode() for sku in skus]
    digests = b"".join([md5(name + day.encode()).digest()[:4] for day in days for name in names])
    return first_uniforms(np.frombuffer(digests, dtype=">u4").astype(np.int64) + key).reshape(len(days), len(names))


def first_uniforms(seeds: npt.NDArray[np.int64]) -> Column:
    """What `random.Random(seed).random()` gives for each seed of 0 or more."""
    low, high = (seeds & 0xFFFF_FFFF).astype(np.uint32), (seeds >> 32).astype(np.uint32)
    drawn = np.empty(len(seeds))
    for places, key in ((np.flatnonzero(high == 0), (low,)), (np.flatnonzero(high), (low, high))):
        for start in range(0, len(places), BLOCK):
            block = places[start : start + BLOCK]
            drawn[block] = _first_uniforms([word[block] for word in key])
    return drawn


@cache
def _array_state() -> tuple[int, ...]:
    """The state that every seeding starts from."""
    words = [19_650_218]
    for place in range(1, STATE):
        words.append((1_812_433_253 * (words[-1] ^ words[-1] >> 30) + place) & 0xFFFF_FFFF)
    return tuple(words)


def _first_uniforms(key: list[Words]) -> Column:
    """Two words of 27 and 26 bits make a uniform."""
    state = _seeded(key)
    high, low = (_tempered(state, place) for place in (0, 1))
    return ((high >> 5) * 67_108_864.0 + (low >> 6)) / 9_007_199_254_740_992.0


def _seeded(key: list[Words]) -> Words:
    """Python's seeding by an array of words: the key is mixed in once around, then the words once more."""
    count = len(key[0])
    start = _array_state()
    added = [word + np.uint32(place) for place, word in enumerate(key)]
    state, mixed = np.empty((STATE, count), np.uint32), np.empty(count, np.uint32)
    before = np.full(count, start[0], np.uint32)
    for turn, place in enumerate([*range(1, STATE), 1]):
        around = state[1] if turn == STATE - 1 else np.uint32(start[place])
        _mix(before, FIRST_MIX, mixed)
        np.bitwise_xor(mixed, around, out=mixed)
        before = np.add(mixed, added[turn % len(added)], out=state[place])
        if place == STATE - 1:
            state[0] = before
    for place in [*range(2, STATE), 1]:
        _mix(before, SECOND_MIX, mixed)
        np.bitwise_xor(mixed, state[place], out=mixed)
        before = np.subtract(mixed, np.uint32(place), out=state[place])
    state[0] = 0x8000_0000
    return state


def _mix(before: Words, factor: np.uint32, mixed: Words) -> None:
    np.right_shift(before, 30, out=mixed)
    np.bitwise_xor(mixed, before, out=mixed)
    np.multiply(mixed, factor, out=mixed)


def _tempered(state: Words, place: int) -> Words:
    """The generator's next word: out of two neighbours and one far away."""
    joined = state[place] & np.uint32(0x8000_0000) | state[place + 1] & np.uint32(0x7FFF_FFFF)
    word: Words = state[place + MIDDLE] ^ joined >> 1 ^ (joined & 1) * np.uint32(0x9908_B0DF)
    word ^= word >> 11
    word ^= word << 7 & np.uint32(0x9D2C_5680)
    word ^= word << 15 & np.uint32(0xEFC6_0000)
    word ^= word >> 18
    return word
