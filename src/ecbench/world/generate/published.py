"""Store types and categories with the published figures."""

from ecbench.world.generate.figures import CATEGORIES, SEASONALITY, CategoryFigures, StoreTypeFigures
from ecbench.world.generate.vocabulary import RETURN_NOTES
from ecbench.world.model import Category, StoreType


def wholesale_ratio(floor_ratio: float) -> float:
    """Suppliers open midway between their floor and the reference price."""
    return round(0.5 + 0.5 * floor_ratio, 2)


def published_store_type(figures: StoreTypeFigures) -> StoreType:
    return StoreType(
        id=figures.id,
        name=figures.name,
        tier=figures.tier,
        capacity=figures.capacity,
        demand_scale=figures.demand_scale,
        seasonality=SEASONALITY[figures.id],
        categories=tuple(category.name for category in CATEGORIES[figures.id]),
    )


def published_categories(store_type: str) -> tuple[Category, ...]:
    return tuple(_published_category(store_type, figures) for figures in CATEGORIES[store_type])


def _published_category(store_type: str, figures: CategoryFigures) -> Category:
    return Category(
        name=figures.name,
        store_type=store_type,
        size=figures.size,
        price_min=float(figures.price_min),
        price_max=float(figures.price_max),
        sales_min=float(figures.sales_min),
        sales_max=float(figures.sales_max),
        return_min=figures.return_min,
        return_max=figures.return_max,
        return_note=RETURN_NOTES[figures.name],
        elasticity=figures.elasticity,
        eta=figures.eta,
        wholesale_ratio=wholesale_ratio(figures.floor_ratio),
        floor_ratio=figures.floor_ratio,
        scam_cap_ratio=figures.scam_cap_ratio,
        price_range=f"{figures.price_min}-{figures.price_max}",
    )
