"""Standard normals as numpy's `Generator(PCG64(seed))` draws them, bit for bit, in plain Python.

The published kernel draws its noise by numpy. To import numpy takes longer than all the normals of a year do here.
Three published algorithms make them: numpy's `SeedSequence` spreads a seed over the state, PCG64 (XSL-RR) steps it, and
the ziggurat method of 256 layers turns its words into normals. The ziggurat's tables are numpy's own, since no formula
in double precision gives all their last bits.
"""

from itertools import pairwise
from math import exp, log1p
from pathlib import Path

_M32, _M52, _M64, _M128 = (1 << 32) - 1, (1 << 52) - 1, (1 << 64) - 1, (1 << 128) - 1
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_TAIL, _INVERSE_TAIL = 3.6541528853610088, 0.27366123732975828  # where the outermost layer ends, and its reciprocal
_POOL = range(4)  # words of a SeedSequence
LARGEST_SEED = _M128


def _constants(first: int, factor: int, count: int) -> tuple[tuple[int, int], ...]:
    """What each of `count` hash steps combines a word with: they change from step to step, not with the seed."""
    powers = [first]
    for _ in range(count):
        powers.append(powers[-1] * factor & _M32)
    return tuple(pairwise(powers))


_SPREAD = _constants(0x43B0D7E5, 0x931E8875, 16)
_DRAWN = _constants(0x8B51F9DD, 0x58F38DED, 8)
_FILL, _PAIRS = _SPREAD[:4], tuple((a, b) for a in _POOL for b in _POOL if a != b)
_MIX = tuple((*pair, *constants) for pair, constants in zip(_PAIRS, _SPREAD[4:], strict=True))


def _ziggurat() -> tuple[tuple[float, ...], tuple[int, ...], tuple[float, ...]]:
    """By layer: width over 2**52, the share of it that lies inside the layer above times 2**52, and height."""
    lines = (Path(__file__).parent / "data" / "ziggurat.csv").read_text(encoding="ascii").splitlines()[1:]
    widths, inner, heights = zip(*[line.split(",") for line in lines], strict=True)
    return (
        tuple(map(float.fromhex, widths)),
        tuple([int(each, 16) for each in inner]),
        tuple(map(float.fromhex, heights)),
    )


_WIDTHS, _INNER, _HEIGHTS = _ziggurat()


def seeded(seed: int) -> tuple[int, int]:
    """State and increment of `PCG64(seed)`, for a seed of at most 128 bits."""
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"a seed has 1 to 128 bits and no sign; {seed} does not")
    pool = []
    for place, (mask, factor) in enumerate(_FILL):
        word = ((seed >> 32 * place & _M32) ^ mask) * factor & _M32
        pool.append(word ^ word >> 16)
    for source, target, mask, factor in _MIX:
        word = (pool[source] ^ mask) * factor & _M32
        word = 0xCA01F9DD * pool[target] - 0x4973F715 * (word ^ word >> 16) & _M32
        pool[target] = word ^ word >> 16
    words = []
    for place, (mask, factor) in enumerate(_DRAWN):
        word = (pool[place & 3] ^ mask) * factor & _M32
        words.append(word ^ word >> 16)
    a, b, c, d, e, f, g, h = words
    increment = ((f << 96 | e << 64 | h << 32 | g) << 1 | 1) & _M128
    return ((increment + (b << 96 | a << 64 | d << 32 | c)) * _MULTIPLIER + increment) & _M128, increment


def standard_normals(state: int, increment: int, count: int) -> list[float]:
    """The next `count` normals of a generator in this state."""
    drawn: list[float] = []
    while len(drawn) < count:
        state = (state * _MULTIPLIER + increment) & _M128
        word = (state >> 64 ^ state) & _M64
        turn = state >> 122
        word = (word >> turn | word << 64 - turn) & _M64
        layer, size = word & 255, word >> 9 & _M52
        normal = size * _WIDTHS[layer]
        if word & 256:
            normal = -normal
        if size < _INNER[layer]:  # 99 of 100
            drawn.append(normal)
        elif layer:
            state, uniform = _uniform(state, increment)
            height = (_HEIGHTS[layer - 1] - _HEIGHTS[layer]) * uniform + _HEIGHTS[layer]
            if height < exp(-0.5 * normal * normal):
                drawn.append(normal)
        else:
            state, beyond = _beyond(state, increment)
            drawn.append(-beyond if size >> 8 & 1 else beyond)
    return drawn


def _beyond(state: int, increment: int) -> tuple[int, float]:
    """The state after a draw of the tail, and its size."""
    while True:
        state, first = _uniform(state, increment)
        state, second = _uniform(state, increment)
        along, down = -_INVERSE_TAIL * log1p(-first), -log1p(-second)
        if down + down > along * along:
            return state, _TAIL + along


def _uniform(state: int, increment: int) -> tuple[int, float]:
    state = (state * _MULTIPLIER + increment) & _M128
    word = (state >> 64 ^ state) & _M64
    turn = state >> 122
    return state, ((word >> turn | word << 64 - turn & _M64) >> 11) * 2.0**-53
