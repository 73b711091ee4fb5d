"""Seeded random draws that are pure functions of their names.

Seeding costs more than anything else in a simulated day: callers cache draws, and a thread reseeds one generator.
"""

from collections.abc import Callable
from random import Random
from struct import Struct
from threading import local

from ecbench.rules import Rules
from ecbench.world.model import World

# `hashlib` gives the same digests, but loads OpenSSL and sets it up again for every name, at five times the price.
try:
    from _blake2 import blake2b
    from _md5 import md5  # type: ignore[import-not-found]  # typeshed leaves it out
except ImportError:  # a Python that was built without them
    from hashlib import blake2b, md5

_thread = local()  # holds the generator of each thread; a subclass of `local` would not compile
_first_four_bytes = Struct(">I").unpack_from

DrawKey = int | bytes
"""What the names of draws are combined with: the world's seed, or a secret key under the rule `secret_draws`."""


def draw_key(world: World, rules: Rules) -> DrawKey:
    """Under `secret_draws` a digest of the world's seed and salt, without which no name reveals its draw."""
    if not rules.secret_draws:
        return world.seed
    return blake2b(f"{world.seed}|{world.salt}".encode(), digest_size=32).digest()


def named_seed(key: DrawKey, name: str) -> int:
    """The world's seed plus the first eight hexadecimal digits of the name's digest; with a secret key, the first 63
    bits of the name's keyed digest."""
    if isinstance(key, bytes):
        return int.from_bytes(blake2b(name.encode(), key=key, digest_size=8).digest()) >> 1
    digits: int
    (digits,) = _first_four_bytes(md5(name.encode()).digest())
    return key + digits


def name_bits(name: str) -> int:
    """64 random bits, the same for the same name."""
    return int.from_bytes(md5(name.encode()).digest()[:8], "big")


def named_stream(key: DrawKey, name: str) -> Random:
    """A new generator, seeded by name."""
    return Random(named_seed(key, name))


def reseeded(seed: int) -> Random:
    """This thread's generator, seeded for one draw; the caller must not keep it."""
    reseed: Callable[[int], None]
    stream: Random
    try:
        reseed, stream = _thread.generator
    except AttributeError:
        stream = Random(0)
        reseed = super(Random, stream).seed  # a whole number needs none of Random.seed's checks
        _thread.generator = reseed, stream
    reseed(seed)
    return stream


def whole_number(stream: Random, least: int, most: int) -> int:
    """What `stream.randint` draws, in half of its time: orders draw three, and it takes 2% less of a replayed year."""
    count = most - least + 1
    bits = count.bit_length()
    drawn = stream.getrandbits(bits)
    while drawn >= count:
        drawn = stream.getrandbits(bits)
    return least + drawn


def demand_rounding(key: DrawKey, sku: str, day: str) -> float:
    return reseeded(named_seed(key, f"demand{sku}{day}")).random()


def first_uniforms(seed: int, count: int) -> tuple[float, ...]:
    """What a generator with this seed draws first."""
    draw = reseeded(seed).random
    return tuple([draw() for _ in range(count)])
