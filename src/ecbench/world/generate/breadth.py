"""How many goods each category has."""

from collections.abc import Callable, Sequence
from math import sqrt

from ecbench.world.generate.figures import CATEGORIES, MEDIAN_PRICE, UNDERSTATED_RETURNS, UNDERSTATED_SHARE
from ecbench.world.generate.shares import divide
from ecbench.world.generate.streams import stream

FEWEST = 5
# Goods in the narrowest, a usual and the broadest of the published categories: the corners of a triangular spread.
NARROWEST, USUAL, BROADEST = 10, 75, 260

SHARE_TOLERANCE = 0.0005  # tenths of a percent read the same
MEDIAN_TOLERANCE = 0.01  # of all goods may lie between the two medians

_PUBLISHED = [category for categories in CATEGORIES.values() for category in categories]
_UNDERSTATED = [float(category.name in UNDERSTATED_RETURNS) for category in _PUBLISHED]
_CHEAPER = [min(1.0, max(0.0, (MEDIAN_PRICE - c.price_min) / (c.price_max - c.price_min))) for c in _PUBLISHED]

Fit = Callable[[Sequence[int]], bool]


def any_deal(_counts: Sequence[int]) -> bool:
    return True


def published_deal(counts: Sequence[int]) -> bool:
    """What is known of how the published goods are spread over named categories, in the order of the figures."""
    return (
        abs(_share(counts, _UNDERSTATED) - UNDERSTATED_SHARE) < SHARE_TOLERANCE
        and abs(_share(counts, _CHEAPER) - 0.5) < MEDIAN_TOLERANCE
    )


def draw_counts(seed: int, categories: int, products: int, fits: Fit = any_deal) -> list[int]:
    """Most categories are of middling breadth, a few very narrow and a few very broad; who is which is by lot.

    The lots are drawn again until they fit.
    """
    counts = spread_counts(categories, products)
    rng = stream(seed, "catalog", "counts")
    while True:
        rng.shuffle(counts)
        if fits(counts):
            return counts


def spread_counts(categories: int, products: int) -> list[int]:
    """The published spread, from the narrowest category to the broadest, scaled to this many products."""
    if products < FEWEST * categories:
        raise ValueError(
            f"{products:,} products are too few: {categories} categories need at least {FEWEST} each, "
            f"{FEWEST * categories:,} in total"
        )
    breadths = [_breadth(rank / max(1, categories - 1)) for rank in range(categories)]
    extra = divide(products - FEWEST * categories, [breadth - FEWEST for breadth in breadths])
    return [FEWEST + more for more in extra]


def _breadth(quantile: float) -> float:
    """The quantile function of the triangular distribution."""
    width = BROADEST - NARROWEST
    if quantile * width < USUAL - NARROWEST:
        return NARROWEST + sqrt(quantile * width * (USUAL - NARROWEST))
    return BROADEST - sqrt((1 - quantile) * width * (BROADEST - USUAL))


def _share(counts: Sequence[int], parts: Sequence[float]) -> float:
    """Of all goods, when each category counts in part."""
    return sum(count * part for count, part in zip(counts, parts, strict=True)) / sum(counts)
