"""The words that titles of listings are made of, read from `data/lines.csv` and `data/brands.csv`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from ecbench.world.generate.word_files import rows, words


@dataclass(frozen=True, slots=True)
class Line:
    """Goods of one kind and price class: any product here may carry any of the materials, features and sizes beside it.

    A title reads "Brand Material Product, Feature, Size"; an empty tuple leaves that part out, but at least two
    of the three are given. Sizes are listed upwards. `level` says where in the category's price band these goods
    belong, from 0 (cheapest) to 1 (dearest).
    """

    level: float
    products: tuple[str, ...]
    materials: tuple[str, ...]
    features: tuple[str, ...]
    sizes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one category. Brands are invented names that fit its goods."""

    category: str
    brands: tuple[str, ...]
    lines: tuple[Line, ...]


@cache
def vocabularies() -> Mapping[str, Vocabulary]:
    """The vocabulary of every category, by its name."""
    lines: dict[str, list[Line]] = {}
    for category, level, *lists in rows("lines.csv"):
        lines.setdefault(category, []).append(Line(float(level), *map(words, lists)))
    return MappingProxyType(
        {
            category: Vocabulary(category, words(brands), tuple(lines[category]))
            for category, brands in rows("brands.csv")
        }
    )
