"""A supplier's price list. Its opening quotes are its opening targets, the same in every cycle."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ecbench.formatting import between
from ecbench.market.cache import FunctionCache
from ecbench.market.economy import Economy
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Product, Supplier

# A line of a price list, as `catalog_text` has it.
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


def catalog_rows(economy: Economy, supplier: Supplier) -> tuple[CatalogRow, ...]:
    """What a supplier sells and at which opening quotes, cached for all episodes on the economy."""
    return _price_lists(economy)[supplier.name]


def catalog_text(economy: Economy, supplier: Supplier) -> str:
    """One line per product, for a letter. The days are the range that an order's are drawn from."""
    return _texts(economy)[supplier.name]


# By economy, as traits are, so that those of few worlds stay in memory.
@lru_cache(maxsize=16)
def _price_lists(economy: Economy) -> FunctionCache[str, tuple[CatalogRow, ...]]:
    world = economy.world

    def rows(name: str) -> tuple[CatalogRow, ...]:
        supplier = world.supplier_by_name[name]
        products = world.products_by_category[supplier.category]
        return tuple([CatalogRow(product, terms_of(economy, supplier, product).opening_target) for product in products])

    return FunctionCache(rows, len(world.suppliers))


@lru_cache(maxsize=16)
def _texts(economy: Economy) -> FunctionCache[str, str]:
    delivery = between(*economy.rules.lead_days, "day")

    def text(name: str) -> str:
        return "\n".join(
            [
                f"- {row.product.sku} | {row.product.title} | {row.product.size} | reference "
                f"¥{row.product.reference_price:,.2f} | opening quote ¥{row.opening_quote:,.2f} | delivery {delivery}"
                for row in _price_lists(economy)[name]
            ]
        )

    return FunctionCache(text, len(economy.world.suppliers))
