"""The words a category's listings are made of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """Goods of one kind and price class: any product here may carry any of the materials, features and sizes beside it.

    A title reads "Brand Material Product, Feature, Size"; an empty tuple leaves that part out, but at least two
    of the three are given. Sizes are listed upwards. `level` says where in the category's price band these goods
    belong, from 0 (cheapest) to 1 (dearest).
    """

    level: float
    products: tuple[str, ...]
    materials: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All listings of one category. Brands are invented names that fit the trade."""

    category: str
    brands: tuple[str, ...]
    lines: tuple[Line, ...]
