"""A supplier's price list. Its opening quotes are its opening targets, the same in every cycle."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ecbench.formatting import between
from ecbench.market.cache import FunctionCache
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
        self._economy = economy
        self._supplier = supplier
        self._rows: tuple[CatalogRow, ...] | None = None
        self._text: str | None = None
        self.weekly_supply = traits_of(economy, supplier).weekly_supply  # units to one merchant; 0: any number

    # Cached by hand: a compiled class has no dictionary in which `cached_property` could store its value.
    @property
    def rows(self) -> tuple[CatalogRow, ...]:
        if self._rows is None:
            self._rows = _catalog_rows(self._economy, self._supplier)
        return self._rows

    @property
    def text(self) -> str:
        """One line per product, for a letter. The days are the range that an order's are drawn from."""
        if self._text is None:
            delivery = between(*self._economy.rules.lead_days, "day")
            self._text = "\n".join(
                [
                    f"- {row.product.sku} | {row.product.title} | {row.product.size} | reference "
                    f"¥{row.product.reference_price:,.2f} | opening quote ¥{row.opening_quote:,.2f} | "
                    f"delivery {delivery}"
                    for row in self.rows
                ]
            )
        return self._text


def _catalog_rows(economy: Economy, supplier: Supplier) -> tuple[CatalogRow, ...]:
    products = economy.world.products_by_category[supplier.category]
    return tuple([CatalogRow(product, terms_of(economy, supplier, product).opening_target) for product in products])


def catalog_of(economy: Economy, supplier: Supplier) -> Catalog:
    """The price list of one of the world's suppliers, cached for all episodes on the economy."""
    return _catalogs(economy)[supplier.name]


@lru_cache(maxsize=16)
def _catalogs(economy: Economy) -> FunctionCache[str, Catalog]:
    world = economy.world
    return FunctionCache(lambda name: Catalog(economy, world.supplier_by_name[name]), len(world.suppliers))
