"""The plain data of an explanation: facts for a reader, rows for a picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from msgspec import Meta

from ecbench.errors import RunError
from ecbench.ranges import quoted
from ecbench.world.model import Product, Supplier, World

Price = Annotated[float, Meta(ge=0.01, le=1_000_000)]
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Speed = Literal["fast", "standard", "slow"]
"""What a person may ask an explanation about."""

Rows = list[dict[str, Any]]
"""Plain data: what a row of a picture shows, by the names that `pages/report/explained.toml` draws it by."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line: a named value, its unit, and where it comes from. Agents never see a hidden one."""

    name: str
    value: float | str
    unit: str = ""
    why: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """What one command explains."""

    key: str
    title: str
    paper: str  # the figure of the paper that it follows
    facts: Sequence[Fact]
    panels: Mapping[str, Rows]  # of its picture, by their names there


def evenly_spaced(low: float, high: float, count: int = 61) -> list[float]:
    """Evenly spaced figures from low to high, both included."""
    return [low + (high - low) * index / (count - 1) for index in range(count)]


def product_of(world: World, sku: str) -> Product:
    """Raises RunError if the world has no such product."""
    product = world.product_by_sku.get(sku)
    if product is None:
        example = world.products[0]
        raise RunError(
            f"world {world.name} has no SKU {quoted(sku)}; one that it has is {example.sku} ({example.title}), and "
            "list_products or products.csv list all"
        )
    return product


def supplier_of(world: World, name: str, product: Product) -> Supplier:
    """By name or e-mail address. Raises RunError if there is none, or if it does not sell the product."""
    found = world.supplier_by_name.get(name) or world.supplier_by_email.get(name.lower())
    own = [supplier.name for supplier in world.suppliers_by_category[product.category]]
    if found is None:
        close = get_close_matches(name, own, n=1) or own[:1]
        raise RunError(f"world {world.name} has no supplier {quoted(name)}; one that sells {product.sku} is {close[0]}")
    if found.category != product.category:
        raise RunError(f"{found.name} sells {found.category}; a supplier of {product.category} is {own[0]}")
    return found
