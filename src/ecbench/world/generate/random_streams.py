"""Named random streams, by which the draws of one part of a world never shift those of another, and whole shares."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random


def stream(seed: int, *names: str) -> Random:
    digest = sha256("/".join((str(seed), *names)).encode()).digest()
    return Random(int.from_bytes(digest[:8], "big"))


def divide(total: int, weights: Sequence[float]) -> list[int]:
    """Shares in proportion to the weights that add up to the total; the largest remainders are rounded up."""
    whole = sum(weights)
    exact = [total * weight / whole for weight in weights]
    shares = [int(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: (shares[i] - exact[i], i))
    for i in by_remainder[: total - sum(shares)]:
        shares[i] += 1
    return shares
