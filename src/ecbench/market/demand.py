"""The deterministic multi-factor demand model (sec:demand, app:econ_demand).

Equation eq:demand, factor by factor in its order. For a store i of type tau, a SKU j of category c and a date t:

    raw_demand       = beta * phi(r; eta * b) * w * m * sigma * epsilon * rho
    category_demand  = the sum of raw_demand over the listings of a category
    claim            = raw_demand * saturation(kappa_c, category_demand)    without gamma if one category has it all
    store_saturation = saturation(kappa, the sum of claim over the store)
    demand           = claim * store_saturation

`market/day_demand.py` calls these functions for every shelf; `market/sharing.py` adds what rivals change.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from math import exp
from types import MappingProxyType
from typing import Final

from ecbench.market.calendar import Calendar, is_running
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.world.model import Category, Elasticity, Promotion, StoreType

SATURDAY = 5

PriceCurve = Callable[[float, float], float]
"""The response to `ratio`, the price that a customer pays over the reference price, at an elasticity of eta."""


def base_demand(category: Category, store_type: StoreType, rules: Rules) -> float:
    """beta: units a day of each SKU of a category in a store of its type, before any multiplier (eq:app_base)."""
    monthly = (category.sales_min + category.sales_max) / 2
    return monthly / 30 * rules.platform_share * store_type.demand_scale


# The four families of eq:app_elasticity, one per category. `market/best_shelf.py` has them for columns of prices.


def linear(ratio: float, eta: float) -> float:
    return max(0.0, 1.0 - eta * (ratio - 1.0))


def exponential(ratio: float, eta: float) -> float:
    return exp(-eta * (ratio - 1.0))


def constant_elasticity(ratio: float, eta: float) -> float:
    return float(ratio**-eta)


def quadratic(ratio: float, eta: float) -> float:
    gap = ratio - 1.0
    return max(0.0, 1.0 - eta * (gap * gap))  # a product may be infinite where a power would raise


PRICE_CURVES: Mapping[Elasticity, PriceCurve] = MappingProxyType(
    {
        "linear": linear,
        "exponential": exponential,
        "constant_elasticity": constant_elasticity,
        "quadratic": quadratic,
    }
)


def price_response(
    category: Category, charged: float, reference: float, boost: float, rules: Rules = DEFAULT_RULES
) -> float:
    """phi at the price charged: r is its ratio to the reference price, b multiplies eta."""
    return curve_response(category.elasticity, category.eta * boost, charged / reference, rules)


def curve_response(family: Elasticity, eta: float, ratio: float, rules: Rules = DEFAULT_RULES) -> float:
    """phi of one family (eq:app_elasticity), flat below the lowest ratio and nothing above the ceiling."""
    if ratio > rules.price_ceiling:
        return 0.0
    return PRICE_CURVES[family](max(rules.lowest_price_ratio, ratio), eta)


def weekend(day: date, rules: Rules) -> float:
    """w: the factor of Saturdays and Sundays."""
    return rules.weekend_factor if day.weekday() >= SATURDAY else 1.0


@dataclass(frozen=True, slots=True)
class Offer:
    """A store's promotion on one date: the discount delta, the traffic factor m, the elasticity boost b."""

    discount: float = 0.0
    traffic: float = 1.0
    boost: float = 1.0


NO_OFFER: Final = Offer()


def offer_on(promotion: Promotion, discount: float, day: date, rules: Rules) -> Offer:
    """m(delta) and b: traffic grows with the discount up to `full_boost_discount`, and no further."""
    if not is_running(promotion, day):
        return NO_OFFER
    reach = min(1.0, discount / rules.full_boost_discount)
    return Offer(discount, 1.0 + (promotion.max_demand - 1.0) * reach, promotion.elasticity_boost)


def season(store_type: StoreType, day: date) -> float:
    """sigma: the factor of the month."""
    return store_type.seasonality[day.month - 1]


def traffic(store_type: StoreType, day: date, calendar: Calendar, rules: Rules) -> float:
    """w * sigma * epsilon: the factor of a date for all stores of a type; epsilon is that of the active events."""
    return weekend(day, rules) * season(store_type, day) * calendar.demand_factor(store_type.id, day)


def category_capacity(store_type: StoreType, rules: Rules) -> float | None:
    """kappa_c; None if one category can claim the whole store."""
    fraction = category_share(len(store_type.categories), rules)
    return fraction * store_type.capacity if fraction < 1.0 else None


def category_share(categories: int, rules: Rules) -> float:
    """chi: the share of a store's capacity that one of its categories can claim (eq:app_saturation)."""
    return min(1.0, max(rules.category_fraction, rules.category_spread / categories))


def saturation(capacity: float, demand: float) -> float:
    """The share of the demand that a category or a store can serve (eq:app_saturation)."""
    return capacity / (capacity + demand)


def whole_units(demand: float, draw: float) -> int:
    """Demand becomes whole units: one more where the uniform draw falls below the fraction (eq:app_round)."""
    whole = int(demand)
    return whole + 1 if draw < demand - whole else whole
