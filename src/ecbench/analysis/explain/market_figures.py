"""What a day sells, and what customers think of a store (fig:demand_model, fig:reputation).

The units of one SKU on one day follow from base sales by the chain of eq:demand. A store's reputation moves with what
it ships, and with what comes back or is cancelled.
"""

from datetime import date, timedelta
from itertools import accumulate
from math import prod
from operator import mul
from statistics import median
from typing import Annotated

from msgspec import Meta

from ecbench.analysis.explain.explanation import Count, Explanation, Fact, Price, Rows, Share, evenly_spaced, product_of
from ecbench.errors import RunError
from ecbench.market.calendar import Calendar, is_running
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
    reputation: Share = 1.0,
    listed: Annotated[int, Meta(ge=1, le=10_000)] = 1,
) -> Explanation:
    """Every factor between the category's base sales and the units of a day.

    `listed` SKUs of the category, this one included, are offered at the same price ratio.
    """
    product, day = product_of(world, sku), day or world.start
    last = world.start + timedelta(days=world.days - 1)
    if not world.start <= day <= last:
        raise RunError(f"day {day}: the year of {world.name} runs from {world.start} to {last}")
    asked = price or product.reference_price
    offer = _offer(world, rules, day, discount)
    factors = _factors(world, rules, product, day, asked, offer, reputation)
    facts = [*factors, *_saturated(world, rules, product, day, prod(float(f.value) for f in factors), listed)]
    title = f"Demand for {product.title} ({sku}) at ¥{asked:,.2f} on {day}"
    panels = {"response": _families(world, rules), "factors": _running_product(facts)}
    return Explanation("demand", title, "fig:demand_model", facts, panels)


def _offer(world: World, rules: Rules, day: date, discount: float) -> Offer:
    if not discount:
        return NO_OFFER
    running = next((promotion for promotion in world.promotions if is_running(promotion, day)), None)
    if running is None:
        names = ", ".join(promotion.name for promotion in world.promotions)
        raise RunError(f"no promotion of world {world.name} runs on {day}, so there is no discount to give ({names})")
    return offer_on(running, discount, day, rules)


def _factors(
    world: World, rules: Rules, product: Product, day: date, price: float, offer: Offer, reputation: float
) -> list[Fact]:
    category = world.category_by_name[product.category]
    store_type = world.store_type_by_id[category.store_type]
    calendar, economy = Calendar(world), Economy.of(world, rules)
    charged = (1.0 - offer.discount) * price
    monthly = f"{category.sales_min:,.0f} to {category.sales_max:,.0f} a month"
    base = f"{monthly}, x platform share {rules.platform_share:g} x scale {store_type.demand_scale:g}"
    response = price_response(category, charged, product.reference_price, offer.boost, rules)
    curve = f"{category.elasticity}, η {category.eta:g} x boost {offer.boost:g}"
    ratio = f"{charged / product.reference_price:.4f} of the reference price ¥{product.reference_price:,.2f}"
    events = ", ".join(event.name for event in calendar.events_on(day)) or "no event"
    factors = [
        Fact("base demand β", base_demand(category, store_type, rules), "units a day", base, True),
        Fact("price response φ", response, "factor", f"{curve}, ¥{charged:,.2f} is {ratio}", True),
        Fact("weekday w", weekend(day, rules), "factor", f"{day:%A}", True),
        Fact("promotion m", offer.traffic, "factor", f"discount {offer.discount:.0%}", True),
        Fact("season σ", season(store_type, day), "factor", f"{store_type.name} in {day:%B}", True),
        Fact("events ε", calendar.demand_factor(store_type.id, day), "factor", events, True),
        Fact("reputation ρ", reputation, "factor", "of the store"),
    ]
    if economy.drift:
        drift = economy.drift_factor(category, day)
        factors.append(Fact("drift", drift, "factor", "of the category, since the year began", True))
    return factors


def _saturated(world: World, rules: Rules, product: Product, day: date, raw: float, listed: int) -> list[Fact]:
    """From the product of the factors to whole units: both saturations, and the rounding."""
    store_type = world.store_type_by_id[world.category_by_name[product.category].store_type]
    capacity, category_demand = category_capacity(store_type, rules), raw * listed
    gamma = 1.0 if capacity is None else saturation(capacity, category_demand)
    store_saturation = saturation(store_type.capacity, category_demand * gamma)
    demand, draw = raw * gamma * store_saturation, demand_rounding(draw_key(world, rules), product.sku, day.isoformat())
    served = "the whole store" if capacity is None else f"a capacity of {capacity:,.2f}"
    asked = f"demand of {category_demand:,.2f} for {listed:,} SKU of the category meets {served}"
    return [
        Fact("raw demand", raw, "units a day", "the product of the factors", True),
        Fact("category saturation γ", gamma, "factor", asked, True),
        Fact("store saturation", store_saturation, "factor", f"capacity {store_type.capacity:,.2f} a day", True),
        Fact("demand", demand, "units a day", "raw demand x both saturations", True),
        Fact("rounding draw u", draw, "", "one unit more if u is below the fraction of the demand", True),
        Fact("units sold", whole_units(demand, draw), "units", "at most what is on the shelf"),
    ]


def _families(world: World, rules: Rules) -> Rows:
    """The four families at their median parameter: without a promotion, and with the largest boost of the world."""
    boosts = {"no promotion": 1.0}
    if world.promotions:
        largest = max(promotion.elasticity_boost for promotion in world.promotions)
        boosts[f"sensitivity x{largest:g}"] = largest
    etas = {f: [c.eta for c in world.categories if c.elasticity == f] for f in PRICE_CURVES}
    return [
        {"family": family.replace("_", " "), "boost": name, "ratio": ratio, "response": response}
        for family in PRICE_CURVES
        if etas[family]
        for name, boost in boosts.items()
        for ratio in evenly_spaced(*RATIOS, count=161)
        if (response := curve_response(family, median(etas[family]) * boost, ratio, rules)) <= HIGHEST_RESPONSE
    ]


def _running_product(facts: list[Fact]) -> Rows:
    base, *factors = [fact for fact in facts if fact.unit == "factor" or fact is facts[0]]
    products = accumulate((float(fact.value) for fact in factors), mul, initial=float(base.value))
    texts = ["", *(f"x{fact.value:.3g}" for fact in factors), ""]
    units = [*products, float(facts[-1].value)]
    named = zip((base, *factors, facts[-1]), units, texts, strict=True)
    return [{"factor": fact.name, "units": each, "text": text} for fact, each, text in named]


def explain_reputation(
    _world: World, rules: Rules, *, shipped: Count = 0, sold: Count = 0, returned: Count = 0, cancelled: Count = 0
) -> Explanation:
    """The reputation of a store with these counters, and what moves it."""
    if returned + cancelled > sold:
        raise RunError("returned and cancelled count units of sold; they cannot be more than that together")
    goodwill, found = standing(shipped, 0, 0, 0, rules), standing(shipped, sold, returned, cancelled, rules)
    recent, best = max(1, sold), standing(MANY, 0, 0, 0, rules)
    facts = [
        Fact("a new store opens with", rules.opening_reputation, "", "until its first morning"),
        Fact("units shipped", shipped, "units", "since it opened"),
        Fact("goodwill", goodwill, "", "rises with the units shipped", True),
        Fact("returned", returned / recent, "share of recent sales", f"weight {rules.return_weight:g}", True),
        Fact("cancelled", cancelled / recent, "share of recent sales", f"weight {rules.cancel_weight:g}", True),
        Fact("penalty", goodwill - found, "", f"at most {rules.penalty_cap:g}", True),
        Fact("reputation", found, "factor of demand", f"between {rules.reputation_floor:g} and 1"),
        Fact("decay", rules.counter_decay, "a day", "what is left of the recent counters each morning", True),
    ]
    counts = map(round, evenly_spaced(0, int(4 * max(rules.goodwill_midpoint, rules.goodwill_scale, 1))))
    panels: dict[str, Rows] = {
        "goodwill": [{"shipped": units, "reputation": standing(units, 0, 0, 0, rules)} for units in counts],
        "penalty": [
            {
                "cancelled": f"{off:.0%} cancelled",
                "returned": back,
                "lost": best - standing(MANY, 1.0, back, off, rules),
            }
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
