"""What a supplier shows of its goods. The opening quote is the calibrated one, the same in every cycle."""

from functools import cached_property
from typing import NamedTuple
from weakref import finalize

from ecbench.market.draws import named_stream
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Product, Supplier, World


class CatalogRow(NamedTuple):
    product: Product
    opening_quote: float
    delivery: str  # "3-5 days"


class Catalog:
    def __init__(self, rows: tuple[CatalogRow, ...]) -> None:
        self.rows = rows

    @cached_property
    def text(self) -> str:
        """One line per product, for a letter."""
        return "\n".join(
            [
                f"- {row.product.sku} | {row.product.title} | {row.product.size} | reference "
                f"¥{row.product.reference_price:,.2f} | opening quote ¥{row.opening_quote:,.2f} | "
                f"delivery {row.delivery}"
                for row in self.rows
            ]
        )


# By the world's identity, dropped with it: episodes on one world share what its suppliers show.
_shelves: dict[int, dict[str, Catalog]] = {}


def catalog_of(world: World, supplier: Supplier) -> Catalog:
    shelf = _shelves.get(id(world))
    if shelf is None:
        shelf = _shelves[id(world)] = {}
        finalize(world, _shelves.pop, id(world), None)
    catalog = shelf.get(supplier.name)
    if catalog is None:
        catalog = shelf[supplier.name] = _print_catalog(world, supplier)
    return catalog


def _print_catalog(world: World, supplier: Supplier) -> Catalog:
    category = world.category_by_name[supplier.category]
    stream = named_stream(world.seed, f"advertised delivery {supplier.id}")
    rows = []
    for product in world.products_by_category[supplier.category]:
        earliest = stream.randint(3, 6)
        delivery = f"{earliest}-{earliest + stream.randint(1, 2)} days"
        rows.append(CatalogRow(product, terms_of(supplier, product, category).opening_target, delivery))
    return Catalog(tuple(rows))
