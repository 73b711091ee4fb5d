"""The normals of the kernels are numpy's, bit for bit."""

from random import Random

import pytest
from numpy.random import PCG64, Generator

from ecbench.suppliers.pcg64 import LARGEST_SEED, seeded, standard_normals

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
STATES = 1 << 128
PLACES = 1 << 52  # within a layer
HALF = 1 << 63  # the word that makes a uniform of one half


def by_numpy(state: int, increment: int, count: int) -> list[float]:
    bits = PCG64(0)
    bits.state = {**bits.state, "state": {"state": state, "inc": increment}}
    found: list[float] = Generator(bits).standard_normal(count).tolist()
    return found


def words_ahead(first: int, second: int) -> tuple[int, int]:
    """A state and an odd increment by which PCG64 draws these two 64-bit words, the second to its last bit."""
    increment = (second - first * MULTIPLIER) % STATES | 1
    return (first - increment) * pow(MULTIPLIER, -1, STATES) % STATES, increment


def edge(layer: int, words: int, low: int = 0) -> int:
    """The lowest place in a layer, from `low` on, at which numpy takes more words than this for its first normal; the
    second of them is `HALF`."""
    high = PLACES - 1
    while low < high:
        place = (low + high) // 2
        state, increment = words_ahead(place << 9 | layer, HALF)
        after = state
        for _ in range(words):
            after = (after * MULTIPLIER + increment) % STATES
        taken = by_numpy(state, increment, 2)[1:] == by_numpy(after, increment, 1)
        low, high = (place + 1, high) if taken else (low, place)
    return low


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1, 2**32, 2**63 - 1, 2**64 + 5, LARGEST_SEED])
def test_a_seed_gives_the_state_that_numpy_gives_it(seed: int) -> None:
    state = PCG64(seed).state["state"]
    assert seeded(seed) == (state["state"], state["inc"])


@pytest.mark.parametrize("seed", [-1, LARGEST_SEED + 1])
def test_a_seed_that_would_lose_digits_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="128 bits"):
        seeded(seed)


def test_many_short_streams_and_a_long_one_are_those_of_numpy() -> None:
    draw = Random(26)
    streams = [(draw.getrandbits(draw.choice((31, 63, 128))), 16) for _ in range(2_000)]
    for seed, count in [*streams, (7, 100_000)]:
        assert standard_normals(*seeded(seed), count) == Generator(PCG64(seed)).standard_normal(count).tolist()


def test_every_layer_of_the_ziggurat_ends_where_that_of_numpy_ends() -> None:
    """A draw left of its inner edge is taken at once, one right of its outer edge never; between them, if the next
    uniform lies under the curve. One half as that uniform makes the outer edge show the heights of both its layers."""
    for layer in range(256):
        inner = edge(layer, 1)
        outer = edge(layer, 2, inner) if layer else PLACES - 1
        for place in (1, inner - 1, inner, outer - 1, outer, PLACES - 1):
            for sign in (0, 256):
                state, increment = words_ahead(max(place, 0) << 9 | sign | layer, HALF)
                assert standard_normals(state, increment, 3) == by_numpy(state, increment, 3), (layer, place)
