"""Find the goods and suppliers that an explanation is asked about."""

from difflib import get_close_matches

from ecbench.errors import RunError
from ecbench.ranges import quoted
from ecbench.world.model import Product, Supplier, World


def product_of(world: World, sku: str) -> Product:
    """Raises RunError where the world has no such product."""
    product = world.product_by_sku.get(sku)
    if product is None:
        example = world.products[0]
        raise RunError(
            f"world {world.name} has no SKU {quoted(sku)}; one that it has is {example.sku} ({example.title}), and "
            "list_products or products.csv list all"
        )
    return product


def supplier_of(world: World, name: str, product: Product) -> Supplier:
    """By name or e-mail address. Raises RunError where there is none, or where it does not sell the product."""
    found = world.supplier_by_name.get(name) or world.supplier_by_email.get(name.lower())
    own = [supplier.name for supplier in world.suppliers if supplier.category == product.category]
    if found is None:
        close = get_close_matches(name, own, n=1) or own[:1]
        raise RunError(f"world {world.name} has no supplier {quoted(name)}; one that sells {product.sku} is {close[0]}")
    if found.category != product.category:
        raise RunError(f"{found.name} sells {found.category}; a supplier of {product.category} is {own[0]}")
    return found
