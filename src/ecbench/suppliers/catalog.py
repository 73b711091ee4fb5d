"""A supplier's price list. Its opening quotes are its opening targets, the same in every cycle."""

import re
from dataclasses import dataclass
from functools import lru_cache

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


def catalog_text(economy: Economy, supplier: Supplier) -> str:
    """What a supplier sells and at which opening quotes, a line per product; cached for all episodes on the economy."""
    return _texts(economy)[supplier.name]


# By economy, as traits are, so that those of few worlds stay in memory.
@lru_cache(maxsize=16)
def _texts(economy: Economy) -> FunctionCache[str, str]:
    world, delivery = economy.world, between(*economy.rules.lead_days, "day")

    def line(supplier: Supplier, product: Product) -> str:
        quote = terms_of(economy, supplier, product).opening_target
        return (
            f"- {product.sku} | {product.title} | {product.size} | reference ¥{product.reference_price:,.2f} | "
            f"opening quote ¥{quote:,.2f} | delivery {delivery}"
        )

    def text(name: str) -> str:
        supplier = world.supplier_by_name[name]
        return "\n".join([line(supplier, product) for product in world.products_by_category[supplier.category]])

    return FunctionCache(text, len(world.suppliers))
