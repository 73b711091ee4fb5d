"""Telling a supplier's kind from one bargaining letter by computing its kernel.

A kernel's random draws follow from the names of supplier and SKU and the number of the bargain, not from the world's
seed. So a program with this package computes what each kind of supplier would quote, and compares. It needs nothing
hidden: the reference price, the opening quote of the catalog, the names, and the quotes of one letter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ecbench.suppliers.kernel import new_kernel, terms_at
from ecbench.suppliers.supplier_traits import published_traits
from ecbench.suppliers.templates import HONEST_MANNERS
from ecbench.world.supplier_kinds import Scam, Template

Kind = Literal["honest", "before the deal", "in the goods"]
STEP = 0.001  # of the reference price: floors of the published data and of fresh worlds are multiples of it
STEPS = 10  # to each side of 2 x opening - reference, within which the floor lies
NEAR = 1e-6  # yuan: replies state quotes unrounded
HALF_A_CENT = 0.005  # yuan: unless kernels decide in cents


class Bid(NamedTuple):
    """A first bid for one SKU, and what a customer knows of it."""

    sku: str
    reference: float
    opening: float  # of the catalog
    bid: float
    quote: float  # the answer


@dataclass(frozen=True, slots=True)
class Label:
    """What a supplier is, and its floor over reference where the quotes determine it."""

    kind: Kind
    floor_ratio: float | None = None


def label(supplier: str, bids: Sequence[Bid], near: float = NEAR) -> Label:
    """The kind whose kernel gives these quotes.

    Scams before the deal have a raised floor with a hidden cap, so they are what no other kernel explains.
    """
    for template, scam in _kinds():
        for floor_ratio in _floors(bids):
            if all(abs(_quote(supplier, one, template, scam, floor_ratio) - one.quote) <= near for one in bids):
                return Label("in the goods" if scam else "honest", floor_ratio)
    return Label("before the deal")


def _kinds() -> Iterator[tuple[Template, Scam]]:
    yield from ((template, "") for template in HONEST_MANNERS)
    yield "adversarial", "qty_bait"  # both scams in the goods bargain alike


def _floors(bids: Sequence[Bid]) -> list[float]:
    """What the category's floor over reference may be, the likeliest first."""
    middle = 2 * _opening_ratio(bids[0]) - 1
    return sorted((round(middle + STEP * step, 3) for step in range(-STEPS, STEPS + 1)), key=lambda f: abs(f - middle))


def _opening_ratio(one: Bid) -> float:
    return round(one.opening / one.reference, 2)


def _quote(supplier: str, one: Bid, template: Template, scam: Scam, floor_ratio: float) -> float:
    traits = published_traits(template, scam, floor_ratio, _opening_ratio(one), 1.0)
    terms = terms_at(traits, one.reference)
    kernel = new_kernel(terms, supplier, one.sku, 0)
    kernel.answer(None)
    return kernel.answer(one.bid).price or 0.0
