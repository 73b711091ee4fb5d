"""The suppliers: who serves which category, who is honest, and names that show neither."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import comb, prod
from random import Random
from typing import TypeVar

from ecbench.world.generate.sources import divide, rows, stream, words
from ecbench.world.model import Supplier
from ecbench.world.supplier_kinds import FRESH_FRAUDULENT, HONEST, Scam, Template

ORDER_LIMITS = (10, 20)
FEWEST_HONEST = 4  # suppliers of a category of a fresh world

Kind = TypeVar("Kind", Template, Scam)

# A name has a part of each: a place, an element and a kind of business.
NAME_PARTS = [
    [beginning + ending for beginning in words(beginnings) for ending in words(endings) or ("",)]
    for _, beginnings, endings in rows("supplier_names.csv")
]


def fresh_shares(seed: int, categories: Sequence[str], suppliers: int, fraudulent: int) -> tuple[list[str], list[str]]:
    """The categories of the honest and of the fraudulent suppliers, each fraudulent by a draw of its own.

    Every category keeps four honest suppliers, or one fewer than an even deal would give it if that is less. The draws
    that this takes back are made up by the chance of each, so `fraudulent` is the number on average.
    """
    fewest = max(1, min(FEWEST_HONEST, (suppliers - fraudulent) // len(categories) - 1))
    draws, posts, marks = stream(seed, "roster", "fraudulent"), list[str](), list[str]()
    each, more = divmod(suppliers, len(categories))  # as even as possible: some at random have one more
    sizes = Counter([*categories] * each + stream(seed, "roster", "categories").sample(categories, more))
    chance = _fraud_chance(Counter(sizes.values()), fewest, fraudulent)
    for category, size in sizes.items():
        drawn = sum(draws.random() < chance for _ in range(size))
        cheats = min(drawn, size - fewest)
        posts += [category] * (size - cheats)
        marks += [category] * cheats
    return posts, marks


def _fraud_chance(sizes: Mapping[int, int], fewest: int, fraudulent: int) -> float:
    """The chance of a supplier to be fraudulent at which this many are expected; categories counted by their size."""
    low, high = 0.0, 1.0
    for _ in range(40):
        chance = (low + high) / 2
        expected = 0.0
        for size, count in sizes.items():  # the mean of a binomial number that is cut off
            expected += count * sum(
                min(number, size - fewest) * comb(size, number) * chance**number * (1 - chance) ** (size - number)
                for number in range(size + 1)
            )
        low, high = (chance, high) if expected < fraudulent else (low, chance)
    return high


def draw_roster(seed: int, categories: Sequence[str], suppliers: int, fraud_share: float) -> tuple[Supplier, ...]:
    """Draw this many suppliers, whose kinds are in proportion to the counts of `world/supplier_kinds.py`."""
    fraudulent = _count_fraudulent(len(categories), suppliers, fraud_share)
    posts, marks = fresh_shares(seed, categories, suppliers, fraudulent)
    templates = _deal_kinds(stream(seed, "roster", "templates"), HONEST, len(posts))
    dealt = _deal_kinds(stream(seed, "roster", "scams"), FRESH_FRAUDULENT, len(marks))
    characters: list[tuple[str, Template, Scam]] = [
        (category, template, "") for category, template in zip(posts, templates, strict=True)
    ]
    characters += [(category, "adversarial", scam) for category, scam in zip(marks, dealt, strict=True)]
    stream(seed, "roster", "row order").shuffle(characters)

    names = _draw_names(stream(seed, "roster", "names"), suppliers)
    limits = stream(seed, "roster", "order limits")
    return tuple(
        Supplier(
            id=f"SUP-{row:04d}",
            name=name,
            email=email_of(name),
            template=template,
            scam=scam,
            category=category,
            order_limit=limits.randint(*ORDER_LIMITS),
        )
        for row, (name, (category, template, scam)) in enumerate(zip(names, characters, strict=True), start=1)
    )


def email_of(name: str) -> str:
    """The reserved domain keeps a supplier's address from ever being a real one."""
    return f"{name.lower().replace(' ', '.')}@suppliers.example"


def _count_fraudulent(categories: int, suppliers: int, fraud_share: float) -> int:
    if not 0 <= fraud_share < 1:
        raise ValueError(f"the share of fraudulent suppliers is {fraud_share:g}; it must be at least 0 and below 1")
    fraudulent = round(suppliers * fraud_share)
    if suppliers - fraudulent < categories:
        raise ValueError(
            f"{suppliers:,} suppliers with {fraudulent:,} fraudulent ones leave {suppliers - fraudulent:,} honest; "
            f"{categories} categories need at least one honest supplier each"
        )
    room = prod(map(len, NAME_PARTS)) // 2
    if suppliers > room:
        raise ValueError(f"{suppliers:,} suppliers are too many: there are names for {room:,}")
    return fraudulent


def _deal_kinds(rng: Random, counts: Mapping[Kind, int], count: int) -> list[Kind]:
    shares = divide(count, list(counts.values()))
    dealt = [kind for kind, share in zip(counts, shares, strict=True) for _ in range(share)]
    rng.shuffle(dealt)
    return dealt


def _draw_names(rng: Random, count: int) -> list[str]:
    names: dict[str, None] = {}
    while len(names) < count:
        names[" ".join([rng.choice(parts) for parts in NAME_PARTS])] = None
    return list(names)
