"""The plain data of an explanation: facts for a reader, rows for a picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from ecbench.errors import RunError
from ecbench.ranges import quoted
from ecbench.world.model import Product, Supplier, World

Price = Annotated[float, Meta(ge=0.01, le=1_000_000)]
Rows = list[dict[str, Any]]
"""What a row of a picture shows, by the names that `pages/report/explained.toml` draws it by."""


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
        raise RunError(f"world {world.name} has no SKU {quoted(sku)}; one that it has is {world.products[0].sku}")
    return product


def supplier_of(world: World, name: str, product: Product) -> Supplier:
    """By name or e-mail address. Raises RunError if no such supplier sells the product."""
    sellers = world.suppliers_by_category[product.category]
    found = next((each for each in sellers if name in (each.name, each.email)), None)
    if found is None:
        known = f"one that does is {sellers[0].name}"
        raise RunError(f"no supplier {quoted(name)} of world {world.name} sells {product.sku}; {known}")
    return found
