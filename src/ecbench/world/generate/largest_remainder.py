"""Dividing a whole number into whole shares."""

from collections.abc import Sequence


def divide(total: int, weights: Sequence[float]) -> list[int]:
    """Shares in proportion to the weights that add up to the total; the largest remainders are rounded up."""
    whole = sum(weights)
    exact = [total * weight / whole for weight in weights]
    shares = [int(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: (shares[i] - exact[i], i))
    for i in by_remainder[: total - sum(shares)]:
        shares[i] += 1
    return shares
