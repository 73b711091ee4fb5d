"""The suppliers: who serves which category, who is honest, and names that show neither.

Names, order limits and row order are drawn apart from honesty, and ids and e-mails follow from row and name, so
nothing a merchant can see distinguishes an honest supplier from a fraudulent one.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

from ecbench.world.generate.largest_remainder import divide
from ecbench.world.generate.random_streams import stream
from ecbench.world.model import Supplier
from ecbench.world.supplier_kinds import FRAUDULENT, HONEST, Scam, Template

ORDER_LIMITS = (10, 20)

Kind = TypeVar("Kind", Template, Scam)

PLACES = tuple(
    first + second
    for first in ("An", "Bei", "Chang", "Dong", "Feng", "Gao", "Hai", "Jiang", "Lan", "Ming")
    for second in ("lou", "qiao", "tan", "wan")
)
ELEMENTS = tuple(
    first + second
    for first in ("Bai", "Chen", "De", "Fu", "Hong", "Jin", "Kai", "Rui", "Tian", "Yi")
    for second in ("duo", "lei", "qin", "zhu")
)
KINDS = (
    "Commodities",
    "Enterprises",
    "Import-Export",
    "Industrial",
    "Manufacturing",
    "Merchandise",
    "Merchants",
    "Products",
    "Sourcing",
    "Trade House",
    "Trading",
    "Wholesale",
)


def draw_roster(
    seed: int, categories: Sequence[str], suppliers: int, fraud_share: float, scams: Mapping[Scam, int] = FRAUDULENT
) -> tuple[Supplier, ...]:
    """Draw this many suppliers; fraudulent ones have the scams in proportion to these counts."""
    fraudulent = _count_fraudulent(len(categories), suppliers, fraud_share)
    posts = _deal_categories(stream(seed, "roster", "honest"), categories, suppliers - fraudulent)
    marks = _deal_categories(stream(seed, "roster", "fraudulent"), categories, fraudulent)
    templates = _deal_kinds(stream(seed, "roster", "templates"), HONEST, len(posts))
    dealt = _deal_kinds(stream(seed, "roster", "scams"), scams, len(marks))
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
    room = len(PLACES) * len(ELEMENTS) * len(KINDS) // 2
    if suppliers > room:
        raise ValueError(f"{suppliers:,} suppliers are too many: there are names for {room:,}")
    return fraudulent


def _deal_categories(rng: Random, categories: Sequence[str], count: int) -> list[str]:
    """As even as possible: every category gets the same number, some at random one more."""
    each, more = divmod(count, len(categories))
    return [*categories] * each + rng.sample(categories, more)


def _deal_kinds(rng: Random, counts: Mapping[Kind, int], count: int) -> list[Kind]:
    shares = divide(count, list(counts.values()))
    dealt = [kind for kind, share in zip(counts, shares, strict=True) for _ in range(share)]
    rng.shuffle(dealt)
    return dealt


def _draw_names(rng: Random, count: int) -> list[str]:
    names: dict[str, None] = {}
    while len(names) < count:
        names[f"{rng.choice(PLACES)} {rng.choice(ELEMENTS)} {rng.choice(KINDS)}"] = None
    return list(names)
