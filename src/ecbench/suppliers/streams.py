"""The two random streams of a kernel, as cached sequences by seed.

A kernel holds positions in these sequences instead of generators: it is plain data and cheap to copy, and a replayed
negotiation draws nothing twice.
"""

from functools import lru_cache

from numpy.random import PCG64, Generator

from ecbench.market.draws import DrawKey, first_uniforms, named_seed

BLOCK = 8  # enough for a bargain of four rounds; longer ones double it


def kernel_seed(key: DrawKey, supplier: str, sku: str, cycle: int) -> int:
    """The seed of a kernel's streams; the paper's key is 0, so that its draws follow from the names alone."""
    return named_seed(key, f"{supplier}|{sku}|{cycle}")


@lru_cache(maxsize=16_384)
def normals(seed: int, count: int) -> tuple[float, ...]:
    """Standard normals in drawing order: `Generator.normal(mu, sigma)` is mu + sigma times the next of them."""
    return tuple(Generator(PCG64(seed)).standard_normal(count).tolist())


@lru_cache(maxsize=16_384)
def uniforms(seed: int, count: int) -> tuple[float, ...]:
    return first_uniforms(seed, count)
