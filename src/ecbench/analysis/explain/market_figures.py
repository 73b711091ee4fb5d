"""What a day sells by eq:demand (fig:demand_model), and what customers think of a store (fig:reputation)."""

from datetime import date, timedelta
from itertools import accumulate
from math import prod
from operator import mul
from statistics import median
from typing import Annotated

from msgspec import Meta

from ecbench.analysis.explain.explanation import Explanation, Fact, Price, Rows, evenly_spaced, product_of
from ecbench.errors import RunError
from ecbench.market.calendar import is_running
from ecbench.market.demand import (
    NO_OFFER,
    PRICE_CURVES,
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
from ecbench.market.storefronts import standing
from ecbench.rules import Rules
from ecbench.world.model import Product, World

RATIOS = (0.4, 2.0)  # of the price to the reference price, in the picture
HIGHEST_RESPONSE = 4.0  # in the picture
MANY = 1_000_000  # units shipped: goodwill is complete
CANCELLED, RETURNED = (0.0, 0.1, 0.2), evenly_spaced(0.0, 0.6)  # shares of recent sales, in the picture
DAYS = 42
BAD_DAY = 7


def explain_demand(
    world: World,
    rules: Rules,
    sku: str,
    *,
    price: Price | None = None,
    day: date | None = None,
    discount: Annotated[float, Meta(ge=0, le=0.5)] = 0.0,
    reputation: Annotated[float, Meta(ge=0, le=1)] = 1.0,
) -> Explanation:
    """Every factor between the category's base sales and the units of a day, of a store that lists one SKU."""
    product, day = product_of(world, sku), day or world.start
    last = world.start + timedelta(days=world.days - 1)
    if not world.start <= day <= last:
        raise RunError(f"day {day}: the year of {world.name} runs from {world.start} to {last}")
    category, economy, offer = world.category_by_name[product.category], Economy.of(world, rules), NO_OFFER
    if discount:
        offer = _offer(world, rules, day, discount)
    store_type = world.store_type_by_id[category.store_type]
    asked = price or product.reference_price
    factors = _factors(economy, product, (1.0 - offer.discount) * asked, day, offer)
    factors.append(Fact("reputation ρ", reputation, "factor", "of the store"))
    if economy.drift:
        factors.append(Fact("drift", economy.drift_factor(category, day), "factor", "since the year began", True))
    raw, capacity = prod(float(fact.value) for fact in factors), category_capacity(store_type, rules)
    gamma = 1.0 if capacity is None else saturation(capacity, raw)
    store = saturation(store_type.capacity, raw * gamma)
    demand, draw = raw * gamma * store, demand_rounding(draw_key(world, rules), sku, day.isoformat())
    factors += [
        Fact("category saturation γ", gamma, "factor", f"raw demand {raw:,.2f}", True),
        Fact("store saturation", store, "factor", f"capacity {store_type.capacity:,.2f} a day", True),
    ]
    sold = Fact("units sold", whole_units(demand, draw), "units", "at most what is on the shelf")
    facts = [
        *factors,
        Fact("demand", demand, "units a day", "the product of all these", True),
        Fact("rounding draw u", draw, "", "one unit more if u is below the fraction of the demand", True),
        sold,
    ]
    title = f"Demand for {product.title} ({sku}) at ¥{asked:,.2f} on {day}"
    panels = {"response": _families(world, rules), "factors": _running_product(factors, sold)}
    return Explanation("demand", title, "fig:demand_model", facts, panels)


def _factors(economy: Economy, product: Product, charged: float, day: date, offer: Offer) -> list[Fact]:
    """Those of eq:demand that follow from the price charged and the day."""
    world, rules = economy.world, economy.rules
    category = world.category_by_name[product.category]
    store_type, ratio = world.store_type_by_id[category.store_type], charged / product.reference_price
    response = price_response(category, charged, product.reference_price, offer.boost, rules)
    curve = f"{category.elasticity}, η {category.eta:g} x boost {offer.boost:g}, at {ratio:.4f} of reference"
    events = ", ".join(event.name for event in economy.calendar.events_on(day)) or "no event"
    sales = f"{category.sales_min:,.0f} to {category.sales_max:,.0f} a month in all stores"
    return [
        Fact("base demand β", base_demand(category, store_type, rules), "units a day", sales, True),
        Fact("price response φ", response, "factor", curve, True),
        Fact("weekday w", weekend(day, rules), "factor", f"{day:%A}", True),
        Fact("promotion m", offer.traffic, "factor", f"discount {offer.discount:.0%}", True),
        Fact("season σ", season(store_type, day), "factor", f"{store_type.name} in {day:%B}", True),
        Fact("events ε", economy.calendar.demand_factor(store_type.id, day), "factor", events, True),
    ]


def _offer(world: World, rules: Rules, day: date, discount: float) -> Offer:
    running = next((promotion for promotion in world.promotions if is_running(promotion, day)), None)
    if running is None:
        raise RunError(f"no promotion of world {world.name} runs on {day}, so there is no discount to give")
    return offer_on(running, discount, day, rules)


def _families(world: World, rules: Rules) -> Rows:
    """The four families at their median parameter: without a promotion, and with the largest boost of the world."""
    largest = max((promotion.elasticity_boost for promotion in world.promotions), default=1.0)
    etas = {family: [c.eta for c in world.categories if c.elasticity == family] for family in PRICE_CURVES}
    return [
        {"family": family.replace("_", " "), "boost": name, "ratio": ratio, "response": response}
        for family in PRICE_CURVES
        if etas[family]
        for name, boost in {"no promotion": 1.0, f"sensitivity x{largest:g}": largest}.items()
        for ratio in evenly_spaced(*RATIOS, count=161)
        if (response := curve_response(family, median(etas[family]) * boost, ratio, rules)) <= HIGHEST_RESPONSE
    ]


def _running_product(factors: list[Fact], sold: Fact) -> Rows:
    units = accumulate((float(fact.value) for fact in factors), mul)
    rows = [{"factor": f.name, "units": n, "text": f"x{f.value:.3g}"} for f, n in zip(factors, units, strict=True)]
    rows[0]["text"] = ""
    return [*rows, {"factor": sold.name, "units": sold.value, "text": ""}]


def explain_reputation(_world: World, rules: Rules) -> Explanation:
    """What moves the reputation of a store."""
    best = standing(MANY, 0, 0, 0, rules)
    facts = [
        Fact("a new store opens with", rules.opening_reputation, "", "until its first morning"),
        Fact("its first morning", standing(0, 0, 0, 0, rules), "", "nothing shipped"),
        Fact("complete goodwill", best, "", "after many units shipped"),
    ]
    counts = map(round, evenly_spaced(0, int(4 * max(rules.goodwill_midpoint, rules.goodwill_scale, 1))))
    panels: dict[str, Rows] = {
        "goodwill": [{"shipped": units, "reputation": standing(units, 0, 0, 0, rules)} for units in counts],
        "penalty": [
            {"cancelled": f"{off:.0%} cancelled", "returned": back, "lost": best - standing(MANY, 1, back, off, rules)}
            for off in CANCELLED
            for back in RETURNED
        ],
        "recovery": _recovery(rules),
    }
    return Explanation("reputation", "How a store's reputation comes about", "fig:reputation", facts, panels)


def _recovery(rules: Rules) -> Rows:
    """Ten units a day: a fifth of one day's orders cancelled once, and a fifth cancelled every day."""
    rows = []
    for name, last in (("one bad day", BAD_DAY), ("every day from then", DAYS)):
        sold = cancelled = 0.0
        for day in range(DAYS):
            sold, cancelled = sold + 10, cancelled + (2.0 if BAD_DAY <= day <= last else 0.0)
            rows.append({"shock": name, "day": day, "reputation": standing(MANY, sold, 0.0, cancelled, rules)})
            sold, cancelled = sold * rules.counter_decay, cancelled * rules.counter_decay
    return rows
