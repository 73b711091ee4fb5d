"""From base sales to units: the chain of eq:demand for one SKU on one day (fig:demand_model)."""

from dataclasses import dataclass
from datetime import date
from math import prod
from statistics import median

from ecbench.errors import RunError
from ecbench.explain.explanation import Dot, Explanation, Fact, Panel, evenly_spaced
from ecbench.explain.lookups import product_of
from ecbench.market.calendar import Calendar, is_running
from ecbench.market.demand import (
    NO_OFFER,
    Offer,
    base_demand,
    category_capacity,
    curve_response,
    offer_on,
    price_response,
    saturation,
    season,
    weekend,
    whole_units,
)
from ecbench.market.draws import demand_rounding, draw_key
from ecbench.market.economy import Economy
from ecbench.market.elasticity import PRICE_CURVES
from ecbench.rules import Rules
from ecbench.world.model import Category, Product, World

RATIOS = (0.4, 2.0)  # of the price to the reference price, in the picture


@dataclass(frozen=True, slots=True)
class Shelf:
    """How a store offers the SKU: its price, the discount of a promotion, its reputation, and how many SKUs of the
    same category it lists at the same price ratio."""

    price: float
    discount: float = 0.0
    reputation: float = 1.0
    listed: int = 1


def explain_demand(world: World, rules: Rules, sku: str, day: date, shelf: Shelf) -> Explanation:
    """Every factor between the category's base sales and the units of a day."""
    product = product_of(world, sku)
    offer = _offer(world, rules, day, shelf.discount)
    chain = _chain(world, rules, product, day, shelf, offer)
    panels = [_curves(world, rules, product, offer), _bars(chain)]
    title = f"Demand for {product.title} ({sku}) at ¥{shelf.price:,.2f} on {day}"
    return Explanation("demand", title, "fig:demand_model", chain, panels)


def _offer(world: World, rules: Rules, day: date, discount: float) -> Offer:
    if not discount:
        return NO_OFFER
    running = next((promotion for promotion in world.promotions if is_running(promotion, day)), None)
    if running is None:
        names = ", ".join(promotion.name for promotion in world.promotions)
        raise RunError(f"no promotion of world {world.name} runs on {day}, so there is no discount to give ({names})")
    return offer_on(running, discount, day, rules)


def _chain(world: World, rules: Rules, product: Product, day: date, shelf: Shelf, offer: Offer) -> list[Fact]:
    category = world.category_by_name[product.category]
    store_type = world.store_type_by_id[category.store_type]
    calendar = Calendar(world)
    charged = (1.0 - offer.discount) * shelf.price
    factors = [
        Fact(
            "base demand β",
            base_demand(category, store_type, rules),
            "units a day",
            _base_of(world, rules, product),
            True,
        ),
        Fact(
            "price response φ",
            price_response(category, charged, product.reference_price, offer.boost, rules),
            "factor",
            f"{category.elasticity}, η {category.eta:g} x boost {offer.boost:g}",
            True,
        ),
        Fact("weekday w", weekend(day, rules), "factor", f"{day:%A}", True),
        Fact(
            "promotion m", offer.traffic, "factor", f"discount {offer.discount:.0%}" if offer.discount else "none", True
        ),
        Fact("season σ", season(store_type, day), "factor", f"{store_type.name} in {day:%B}", True),
        Fact("events ε", calendar.demand_factor(store_type.id, day), "factor", _events_on(calendar, day), True),
        *_drift(world, rules, category, day),
        Fact("reputation ρ", shelf.reputation, "factor", "of the store"),
    ]
    wish = prod(float(fact.value) for fact in factors)
    return [
        Fact(
            "price ratio r",
            charged / product.reference_price,
            "",
            f"¥{charged:,.2f} over ¥{product.reference_price:,.2f}",
        ),
        *factors,
        Fact("wish", wish, "units a day", "the product of the factors", True),
        *_saturated(world, rules, product, day, wish, shelf.listed),
    ]


def _drift(world: World, rules: Rules, category: Category, day: date) -> list[Fact]:
    """Nothing where the rules let no category drift."""
    economy = Economy.of(world, rules)
    factor = economy.drift_factor(category, day)
    return [Fact("drift", factor, "factor", "of the category, since the year began", True)] if economy.drift else []


def _saturated(world: World, rules: Rules, product: Product, day: date, wish: float, listed: int) -> list[Fact]:
    """From the wish to whole units: both saturations, and the rounding."""
    store_type = world.store_type_by_id[world.category_by_name[product.category].store_type]
    capacity, stacked = category_capacity(store_type, rules), wish * listed
    gamma = 1.0 if capacity is None else saturation(capacity, stacked)
    crowding = saturation(store_type.capacity, stacked * gamma)
    demand, draw = wish * gamma * crowding, demand_rounding(draw_key(world, rules), product.sku, day.isoformat())
    skus = "1 SKU wishes" if listed == 1 else f"{listed:,} SKUs wish"
    served = f"{skus} for {stacked:,.2f}; the category serves {_shown(capacity)}"
    return [
        Fact("category saturation γ", gamma, "factor", served, True),
        Fact("store saturation", crowding, "factor", f"the market serves {store_type.capacity:,.2f} units a day", True),
        Fact("demand", demand, "units a day", "wish x γ x store saturation", True),
        Fact("rounding draw u", draw, "", "one unit more if u is below the fraction of the demand", True),
        Fact("units sold", whole_units(demand, draw), "units", "at most what is on the shelf"),
    ]


def _base_of(world: World, rules: Rules, product: Product) -> str:
    category = world.category_by_name[product.category]
    scale = world.store_type_by_id[category.store_type].demand_scale
    monthly = f"{category.sales_min:,.0f} to {category.sales_max:,.0f} a month"
    return f"{monthly}, x platform share {rules.platform_share:g} x scale {scale:g}"


def _events_on(calendar: Calendar, day: date) -> str:
    return ", ".join(event.name for event in calendar.events_on(day)) or "no event"


def _shown(capacity: float | None) -> str:
    return "as much as the store" if capacity is None else f"{capacity:,.2f}"


def _curves(world: World, rules: Rules, product: Product, offer: Offer) -> Panel:
    """The four families at their median parameter, and this SKU's own curve."""
    category = world.category_by_name[product.category]
    points = [
        Dot(
            ratio,
            curve_response(family, median(c.eta for c in world.categories if c.elasticity == family), ratio, rules),
            family,
        )
        for family in PRICE_CURVES
        if any(c.elasticity == family for c in world.categories)
        for ratio in evenly_spaced(*RATIOS)
    ]
    own = f"{product.sku}, boost {offer.boost:g}"
    eta = category.eta * offer.boost
    points += [
        Dot(ratio, curve_response(category.elasticity, eta, ratio, rules), own) for ratio in evenly_spaced(*RATIOS)
    ]
    return Panel("Price response", "price over reference price", "φ", points)


def _bars(chain: list[Fact]) -> Panel:
    """The running product, factor by factor."""
    running, points = 0.0, []
    for step in chain:
        if step.name.startswith("base demand") and isinstance(step.value, float):
            running = step.value
        elif step.unit == "factor" and isinstance(step.value, float):
            running *= step.value
        elif step.name != "units sold":
            continue
        points.append(Dot(step.name, float(step.value) if step.name == "units sold" else running))
    return Panel("Units a day, after each factor", "", "units a day", points, bars=True)
