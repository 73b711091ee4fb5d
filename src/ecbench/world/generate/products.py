"""The catalog: how many products each category has, their titles from its vocabulary, their prices over its band."""

from collections.abc import Sequence
from functools import cache
from math import exp, sqrt
from random import Random
from typing import NamedTuple, get_args

from ecbench.world.generate.sources import divide, rows, stream, words
from ecbench.world.model import Category, Product, Size

SIZES: tuple[Size, ...] = get_args(Size)
OTHER_SIZE_SHARE = 0.3  # of goods: their parcel is one size off their category's
LEVEL_WIDTH = 0.08  # how far a listing's level in the price band strays from the level of its line
TITLE_TRIES = 50

FEWEST = 5
# Goods in the narrowest, a usual and the broadest of the published categories: the corners of a triangular spread.
NARROWEST, USUAL, BROADEST = 10, 75, 260


class Line(NamedTuple):
    """Goods of one kind and price class: any product here may carry any of the materials, features and sizes beside it.

    A title reads "Brand Material Product, Feature, Size", without a part whose tuple is empty. Sizes are listed
    upwards; `level` is from 0 (cheapest of the category's price band) to 1 (dearest).
    """

    level: float
    products: tuple[str, ...]
    materials: tuple[str, ...]
    features: tuple[str, ...]
    sizes: tuple[str, ...]


class Vocabulary(NamedTuple):
    """The words of one category. Brands are invented names that fit its goods."""

    brands: tuple[str, ...]
    lines: tuple[Line, ...]


@cache
def vocabularies() -> dict[str, Vocabulary]:
    """The vocabulary of every category, by its name."""
    lines: dict[str, list[Line]] = {}
    for category, level, *lists in rows("lines.csv"):
        lines.setdefault(category, []).append(Line(float(level), *map(words, lists)))
    return {category: Vocabulary(words(brands), tuple(lines[category])) for category, brands in rows("brands.csv")}


def draw_catalog(seed: int, categories: Sequence[Category], counts: Sequence[int]) -> tuple[Product, ...]:
    """As many products of each category as its count says, in shuffled order."""
    products: list[Product] = []
    taken: set[str] = set()
    for category, count in zip(categories, counts, strict=True):
        products += _draw_category(seed, category, vocabularies()[category.name], count, taken)
    stream(seed, "catalog", "row order").shuffle(products)
    return tuple(products)


def _draw_category(seed: int, category: Category, vocabulary: Vocabulary, count: int, taken: set[str]) -> list[Product]:
    room = len(vocabulary.brands) * sum(_wordings(line) for line in vocabulary.lines)
    if count > room // 2:
        raise ValueError(f"{count:,} products are too many for {category.name}: its vocabulary serves {room // 2:,}")
    rng = stream(seed, "catalog", category.name)
    titles: set[str] = set()
    return [_draw_product(rng, category, vocabulary, titles, taken) for _ in range(count)]


def _draw_product(
    rng: Random, category: Category, vocabulary: Vocabulary, titles: set[str], taken: set[str]
) -> Product:
    level = rng.random()
    price = category.price_min + (category.price_max - category.price_min) * level
    brand, title = _draw_title(rng, vocabulary, level, titles)
    titles.add(title)
    return Product(
        sku=_draw_sku(rng, taken),
        category=category.name,
        brand=brand,
        title=title,
        size=_draw_size(rng, category.size),
        reference_price=round(price, 2),
        return_rate=round(rng.uniform(category.return_min, category.return_max), 4),
    )


def _draw_title(rng: Random, vocabulary: Vocabulary, level: float, titles: set[str]) -> tuple[str, str]:
    """A title not yet used, of goods whose level in the price band is near this one while there are such goods."""
    lines = vocabulary.lines
    near = [exp(-(((line.level - level) / LEVEL_WIDTH) ** 2) / 2) * len(line.products) for line in lines]
    wide = [float(_wordings(line)) for line in lines]
    tries = 0
    while True:
        scarce = tries >= TITLE_TRIES or not any(near)
        line = _pick(rng, lines, wide if scarce else near)
        brand = rng.choice(vocabulary.brands)
        title = _word(rng, brand, line, 0.0 if scarce else (level - line.level) / LEVEL_WIDTH)
        if title not in titles:
            return brand, title
        tries += 1


def _word(rng: Random, brand: str, line: Line, dearness: float) -> str:
    """Words for goods that cost more (above 0) or less than their line usually does."""
    material = rng.choice(line.materials) if line.materials else ""
    details = [rng.choice(line.products)]
    if line.features:
        details.append(rng.choice(line.features))
    if line.sizes:
        details.append(_pick_size(rng, line.sizes, dearness))
    return " ".join(filter(None, (brand, material, ", ".join(details))))


def _pick_size(rng: Random, sizes: Sequence[str], dearness: float) -> str:
    """Vocabularies list sizes upwards, so of the same goods the larger pack tends to cost more."""
    point = 0.5 + 0.25 * dearness + rng.uniform(-0.5, 0.5)
    return sizes[int(min(0.999, max(0.0, point)) * len(sizes))]


def _wordings(line: Line) -> int:
    count = len(line.products)
    for choices in (line.materials, line.features, line.sizes):
        count *= max(1, len(choices))
    return count


def _pick(rng: Random, lines: Sequence[Line], weights: Sequence[float]) -> Line:
    point = rng.random() * sum(weights)
    for line, weight in zip(lines, weights, strict=True):
        point -= weight
        if point < 0:
            return line
    return lines[-1]


def _draw_size(rng: Random, usual: Size) -> Size:
    """The category's, or its neighbour's. As in the published data, a larger parcel does not go with a higher price."""
    if rng.random() >= OTHER_SIZE_SHARE:
        return usual
    middle = SIZES.index(usual)
    return rng.choice([size for size in SIZES if abs(SIZES.index(size) - middle) == 1])


def _draw_sku(rng: Random, taken: set[str]) -> str:
    while True:
        sku = f"{rng.getrandbits(48):012x}"
        if sku not in taken:
            taken.add(sku)
            return sku


def draw_counts(seed: int, categories: int, products: int) -> list[int]:
    """The number of products of each category: the published spread, scaled to this many, dealt at random."""
    if products < FEWEST * categories:
        raise ValueError(
            f"{products:,} products are too few: {categories} categories need at least {FEWEST} each, "
            f"{FEWEST * categories:,} in total"
        )
    breadths = [_breadth(rank / max(1, categories - 1)) for rank in range(categories)]
    extra = divide(products - FEWEST * categories, [breadth - FEWEST for breadth in breadths])
    counts = [FEWEST + more for more in extra]
    stream(seed, "catalog", "counts").shuffle(counts)
    return counts


def _breadth(quantile: float) -> float:
    """The quantile function of the triangular distribution."""
    width = BROADEST - NARROWEST
    if quantile * width < USUAL - NARROWEST:
        return NARROWEST + sqrt(quantile * width * (USUAL - NARROWEST))
    return BROADEST - sqrt((1 - quantile) * width * (BROADEST - USUAL))
