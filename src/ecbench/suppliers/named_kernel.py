"""A kernel by the names of its supplier and SKU, for studies."""

from ecbench.market.economy import Economy
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.suppliers.kernel import Kernel, new_kernel, terms_of
from ecbench.world.model import World


def open_kernel(world: World, supplier_name: str, sku: str, cycle: int, rules: Rules = DEFAULT_RULES) -> Kernel:
    """The kernel of a (supplier, SKU, cycle) triple; every draw it will make is a pure function of the triple.

    Where the rules hide the draws, they depend on the world's seed and salt too.
    """
    supplier = world.supplier_by_name.get(supplier_name)
    if supplier is None:
        raise ValueError(
            f"no supplier is named {supplier_name!r} in world {world.name!r}; its supplier_by_name holds them all"
        )
    product = world.product_by_sku.get(sku)
    if product is None:
        raise ValueError(
            f"no product has the SKU {sku!r} in world {world.name!r}; "
            f"its products_by_category[{supplier.category!r}] holds what {supplier.name} sells"
        )
    terms = terms_of(Economy.of(world, rules), supplier, product)
    return new_kernel(terms, supplier.name, sku, cycle)
