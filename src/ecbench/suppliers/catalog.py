"""A supplier's price list. Its opening quotes are its opening targets, the same in every cycle."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary, ref

from ecbench.market.draws import named_stream
from ecbench.market.economy import Economy
from ecbench.suppliers.kernel import terms_of
from ecbench.suppliers.supplier_traits import traits_of
from ecbench.world.model import Product, Supplier

# A line of a price list, as `Catalog.text` has it.
_AMOUNT = r"\d[\d,]*(?:\.\d+)?"
CATALOG_LINE = re.compile(
    rf"^- (?P<sku>\S+) \| (?P<title>.*) \| (?P<size>[^|]*) \| reference ¥(?P<reference>{_AMOUNT}) \| "
    rf"opening quote ¥(?P<quote>{_AMOUNT}) \| delivery (?P<delivery>[^|\n]*)$",
    re.MULTILINE,
)


class CatalogRow(NamedTuple):
    """One SKU of a supplier's price list."""

    product: Product
    opening_quote: float
    delivery: str  # "3-5 days", as advertised; what an order takes is drawn when it is placed


@dataclass(frozen=True, slots=True)
class PriceListLine:
    """A line of a price list, as a letter states it."""

    sku: str
    title: str
    size: str
    reference: float
    quote: float
    delivery: str


def price_list_in(letter: str) -> tuple[list[PriceListLine], str]:
    """The price list of a supplier's letter, and the words around it."""
    listed = [
        PriceListLine(
            line["sku"],
            line["title"],
            line["size"],
            float(line["reference"].replace(",", "")),
            float(line["quote"].replace(",", "")),
            line["delivery"],
        )
        for line in CATALOG_LINE.finditer(letter)
    ]
    return listed, re.sub(r"\n{3,}", "\n\n", CATALOG_LINE.sub("", letter)).strip() if listed else letter


class Catalog:
    """A supplier's price list, built on first use and shared by all episodes on an economy."""

    def __init__(self, economy: Economy, supplier: Supplier) -> None:
        self._economy = ref(economy)
        self._supplier = supplier
        self.weekly_supply = traits_of(economy, supplier).weekly_supply  # units to one merchant; 0: any number

    @cached_property
    def rows(self) -> tuple[CatalogRow, ...]:
        economy, supplier = self._economy(), self._supplier
        assert economy is not None  # catalogs go with their economy
        stream = named_stream(economy.key, f"advertised delivery {supplier.id}")
        rows = []
        for product in economy.world.products_by_category[supplier.category]:
            earliest = stream.randint(3, 6)
            delivery = f"{earliest}-{earliest + stream.randint(1, 2)} days"
            rows.append(CatalogRow(product, terms_of(economy, supplier, product).opening_target, delivery))
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


# Shared by all episodes on an economy, and dropped with it.
_catalogs: WeakKeyDictionary[Economy, dict[str, Catalog]] = WeakKeyDictionary()


def catalog_of(economy: Economy, supplier: Supplier) -> Catalog:
    shelf = _catalogs.get(economy)
    if shelf is None:
        shelf = _catalogs[economy] = {}
    catalog = shelf.get(supplier.name)
    if catalog is None:
        catalog = shelf[supplier.name] = Catalog(economy, supplier)
    return catalog
