"""What fresh worlds are made from: named random streams, word lists, and the figures of the default world."""

import csv
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.resources import files
from random import Random

from ecbench.world.world_folder import CATEGORIES as CATEGORIES_FILE
from ecbench.world.world_folder import SETTINGS, SHIPPED, read_world_folder

SEPARATOR = "; "


def stream(seed: int, *names: str) -> Random:
    """A generator by name, so that the draws of one part of a world never shift those of another."""
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


def rows(file: str) -> Iterator[list[str]]:
    """The rows of a CSV file in `data/`, without its header."""
    text = (files("ecbench.world.generate") / "data" / file).read_text(encoding="utf-8")
    lines = csv.reader(text.splitlines(), strict=True)
    next(lines)
    return lines


def words(cell: str) -> tuple[str, ...]:
    """The words of a cell, in order."""
    return tuple(cell.split(SEPARATOR)) if cell else ()


_PUBLISHED = read_world_folder(SHIPPED / "default", (SETTINGS, CATEGORIES_FILE))

STORE_TYPES = _PUBLISHED.store_types
ALL_CATEGORIES = _PUBLISHED.categories
CATEGORIES = {s.id: tuple(_PUBLISHED.category_by_name[name] for name in s.categories) for s in STORE_TYPES}
EVENTS = _PUBLISHED.events
PROMOTIONS = _PUBLISHED.promotions

# What `store_worth.worth` and `store_worth.plain_worth` find for each store type of the default world, in yuan a day.
WORTH, PLAIN_WORTH = (
    {store_type: int(figures[index]) for store_type, *figures in rows("published_worth.csv")} for index in (0, 1)
)
