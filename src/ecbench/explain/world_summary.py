"""The tables of a world, hidden values included: tab:store_types, tab:categories, tab:presets, tab:fraud_catalog and
tab:events."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from statistics import fmean, median
from typing import Any

from ecbench.market.calendar import event_window, promotion_windows
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.suppliers.scams import SCHEMES, Scheme
from ecbench.suppliers.templates import HONEST_MANNERS, STANCES, Manner
from ecbench.world.model import Event, StoreType, World

Rows = list[dict[str, Any]]

PRICE_STEPS = [digit * 10.0**power for power in range(-2, 9) for digit in (1, 2, 5)]
RETURN_STEPS = [round(step * 0.05, 2) for step in range(21)]


@dataclass(frozen=True, slots=True)
class Occasion:
    """An event, or one window of a promotion, in the year in which the world starts."""

    name: str
    kind: str  # "event" or "promotion"
    first: date
    last: date
    demand: float  # the multiplier farthest from 1 of any store type; of a promotion, at its full discount
    effect: str


@dataclass(frozen=True, slots=True)
class WorldSummary:
    """A world in tables. The rows of a table have the same keys."""

    name: str
    id: str
    seed: int
    start: date
    days: int
    setup_fee: float
    store_types: Rows  # by tier
    categories: Rows
    suppliers: Rows  # by template, then by scam
    prices: Rows  # of products, as a histogram
    return_rates: Rows
    calendar: Sequence[Occasion]


def summarize(world: World, rules: Rules = DEFAULT_RULES) -> WorldSummary:
    return WorldSummary(
        name=world.name,
        id=world.id,
        seed=world.seed,
        start=world.start,
        days=world.days,
        setup_fee=rules.setup_fee,
        store_types=[_store_type(world, each, rules) for each in sorted(world.store_types, key=lambda each: each.tier)],
        categories=[{**asdict(category), **_counts(world, [category.name])} for category in world.categories],
        suppliers=supplier_kinds(world, rules),
        prices=_histogram([product.reference_price for product in world.products], PRICE_STEPS),
        return_rates=_histogram([product.return_rate for product in world.products], RETURN_STEPS),
        calendar=calendar_of(world),
    )


def _store_type(world: World, store_type: StoreType, rules: Rules) -> dict[str, Any]:
    """Bands span those of its categories, ratios are the means of theirs, as in tab:store_types."""
    categories = [world.category_by_name[name] for name in store_type.categories]
    products = world.products_by_store_type[store_type.id]
    return {
        "id": store_type.id,
        "name": store_type.name,
        "tier": store_type.tier,
        "categories": len(categories),
        "prices": (min(c.price_min for c in categories), max(c.price_max for c in categories)),
        "returns": (min(c.return_min for c in categories), max(c.return_max for c in categories)),
        "opening_ratio": fmean(c.wholesale_ratio for c in categories),
        "floor_ratio": fmean(c.floor_ratio for c in categories),
        "seasonality": store_type.seasonality,
        "daily_cost": rules.operating_cost[store_type.tier],
        "median_price": median(p.reference_price for p in products) if products else None,
        "median_return": median(p.return_rate for p in products) if products else None,
        **_counts(world, store_type.categories),
    }


def _counts(world: World, categories: Sequence[str]) -> dict[str, int]:
    """How many products, and how many honest and fraudulent suppliers, these categories have."""
    suppliers = [supplier for name in categories for supplier in world.suppliers_by_category[name]]
    honest = sum(supplier.honest for supplier in suppliers)
    products = sum(len(world.products_by_category[name]) for name in categories)
    return {"products": products, "honest": honest, "fraudulent": len(suppliers) - honest}


def supplier_kinds(world: World, rules: Rules) -> Rows:
    """Each honest template and each scam, with its suppliers and its kernel (tab:presets, tab:fraud_catalog)."""
    honest = Counter(supplier.template for supplier in world.suppliers if supplier.honest)
    frauds = Counter(supplier.scam for supplier in world.suppliers if not supplier.honest)
    templates = [_kind(name, manner, honest[name], honest.total()) for name, manner in HONEST_MANNERS.items()]
    return templates + [
        {
            **_kind(name, scheme.manner, frauds[name], frauds.total()),
            "honest": False,
            "effects": [*_effects(scheme, rules)],
        }
        for name, scheme in SCHEMES.items()
    ]


def _kind(name: str, manner: Manner, count: int, total: int) -> dict[str, Any]:
    share, stance = count / max(1, total), STANCES[manner.stance_sign + 1]
    row = {"name": name, "honest": True, "suppliers": count, "share": share, "stance": stance, **asdict(manner)}
    return {**row, "effects": []}


def _effects(scheme: Scheme, rules: Rules) -> Iterator[str]:
    """What a scam says before the deal, and what it does."""
    percents = scheme.story.percents if scheme.story else ()
    if percents:
        span = f"{percents[0]}%" if len(percents) == 1 else f"{percents[0]}% to {percents[-1]}%"
        yield f"promises {span} of the reference price on the next order, never kept"
    elif scheme.story:
        yield "says that stock is short and the price about to rise; neither is true"
    if scheme.markup > 1:
        yield f"lowest price x{scheme.markup:g}, but not above the honest opening quote"
    if scheme.members_only:
        yield f"no order before a fee of ¥{rules.membership_fee:,.0f} is paid"
    if scheme.short:
        least, more = rules.short_delivery
        yield f"delivers {least:.0%} to {least + more:.0%} of the units that were paid for"
    if scheme.defective:
        rate = f"{rules.defective_factor:g} times the natural rate, at least {rules.defective_floor:.0%}"
        yield f"delivers defective units, which come back at {rate}, at most {rules.return_cap:.0%}"


def _histogram(values: Sequence[float], edges: Sequence[float]) -> Rows:
    """Counts between neighboring edges, lower end included, from the first bin in use to the last."""
    counts = Counter(min(max(bisect_right(edges, value) - 1, 0), len(edges) - 2) for value in values)
    bins = range(min(counts), max(counts) + 1)
    return [{"low": edges[n], "high": edges[n + 1], "count": counts[n]} for n in bins]


def calendar_of(world: World) -> list[Occasion]:
    """Events and promotion windows in the order of their first days (tab:events)."""
    occasions = [_event(event, world) for event in world.events]
    for promotion in world.promotions:
        effect = f"demand up to x{promotion.max_demand:g}, sensitivity x{promotion.elasticity_boost:g}"
        windows = promotion_windows(promotion, world.start.year)
        occasions += [Occasion(promotion.name, "promotion", *w, promotion.max_demand, effect) for w in windows]
    return sorted(occasions, key=lambda occasion: occasion.first)


def _event(event: Event, world: World) -> Occasion:
    changes = [f"{world.store_type_by_id[key].name} x{multiplier:g}" for key, multiplier in event.demand.items()]
    effects = [f"demand {', '.join(changes)}"] if changes else []
    if event.delay != 1 and (event.delayed is None or event.delayed):
        delayed = [s.name for s in world.store_types if event.delays(s.id)]
        who = "all stores" if event.delayed is None else ", ".join(delayed)
        effects.append(f"delivery time x{event.delay:g} ({who})")
    extreme = max(event.demand.values(), key=lambda multiplier: abs(multiplier - 1), default=1.0)
    return Occasion(event.name, "event", *event_window(event, world.start.year), extreme, "; ".join(effects))
