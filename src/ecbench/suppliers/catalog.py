"""A supplier's price list. Its opening quotes are the calibrated ones, the same in every cycle."""

from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary, ref

from ecbench.market.draws import named_stream
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Product, Supplier, World


class CatalogRow(NamedTuple):
    """One SKU of a supplier's price list."""

    product: Product
    opening_quote: float
    delivery: str  # "3-5 days", as advertised; what an order takes is drawn when it is placed


class Catalog:
    """A supplier's price list, built on first use and shared by all episodes on a world."""

    def __init__(self, world: World, supplier: Supplier) -> None:
        self._world = ref(world)
        self._supplier = supplier

    @cached_property
    def rows(self) -> tuple[CatalogRow, ...]:
        world, supplier = self._world(), self._supplier
        assert world is not None  # catalogs go with their world
        category = world.category_by_name[supplier.category]
        stream = named_stream(world.seed, f"advertised delivery {supplier.id}")
        rows = []
        for product in world.products_by_category[supplier.category]:
            earliest = stream.randint(3, 6)
            delivery = f"{earliest}-{earliest + stream.randint(1, 2)} days"
            rows.append(CatalogRow(product, terms_of(supplier, product, category).opening_target, delivery))
        return tuple(rows)

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


# Shared by all episodes on a world, and dropped with it.
_catalogs: WeakKeyDictionary[World, dict[str, Catalog]] = WeakKeyDictionary()


def catalog_of(world: World, supplier: Supplier) -> Catalog:
    shelf = _catalogs.get(world)
    if shelf is None:
        shelf = _catalogs[world] = {}
    catalog = shelf.get(supplier.name)
    if catalog is None:
        catalog = shelf[supplier.name] = Catalog(world, supplier)
    return catalog
