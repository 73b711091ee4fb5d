"""The plain data of an explanation: facts for a reader, panels for a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from ecbench.errors import RunError
from ecbench.ranges import quoted
from ecbench.world.model import Product, Supplier, World

Mark = Literal["line", "step", "point", "bar", "span", "grid", "flow"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One line: a named value, its unit, and where it comes from. Agents never see a hidden one."""

    name: str
    value: float | str
    unit: str = ""
    why: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """One mark of a panel, with a number or a name on the axis x.

    `series` names its colour and `style` its dashes, in the order of their first dots; the first style is solid. A span
    reaches from y to `end`. `text` stands beside the mark.
    """

    x: float | str
    y: float
    series: str = ""
    style: str = ""
    end: float | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One part of the picture.

    Bars and spans lie beside the names x, and bars of one name with several series are stacked. The cells of a grid
    have x as column, series as row and y as colour. The dots of a flow are arrows from x to series.
    """

    title: str
    x: str  # titles of the axes
    y: str
    dots: list[Dot]
    mark: Mark = "line"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What one command explains."""

    key: str
    title: str
    paper: str  # the figure of the paper that it follows
    facts: Sequence[Fact]
    panels: Sequence[Panel]


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
