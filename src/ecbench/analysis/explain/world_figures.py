"""The data of a world, hidden values included, in tables (tab:store_types, tab:categories, tab:presets,
tab:fraud_catalog, tab:events) and pictures (fig:catalog, fig:seasonality, fig:calendar)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import date
from statistics import fmean, median
from typing import Any, NamedTuple

from ecbench.analysis.explain.explanation import Explanation, Fact, Rows
from ecbench.formatting import SHORT_MONTHS
from ecbench.market.calendar import ONE_DAY, event_window, promotion_windows
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.suppliers.scams import SCHEMES, Scheme
from ecbench.suppliers.templates import HONEST_MANNERS, STANCES
from ecbench.world.model import Event, StoreType, World

PRICE_STEPS = [digit * 10.0**power for power in range(-2, 9) for digit in (1, 2, 5)]


class Occasion(NamedTuple):
    """An event, or one window of a promotion, in the year in which the world starts."""

    name: str
    kind: str  # "event" or "promotion"
    first: date
    last: date
    demand: float  # the multiplier farthest from 1 of any store type; of a promotion, at its full discount
    effect: str


def summarize(world: World, rules: Rules = DEFAULT_RULES) -> dict[str, Any]:
    """A world in tables: its store types by tier, its categories, its kinds of suppliers and its calendar."""
    return {
        **{name: getattr(world, name) for name in ("name", "id", "seed", "start", "days")},
        "setup_fee": rules.setup_fee,
        "store_types": [_store_type(world, each, rules) for each in _by_tier(world)],
        "categories": [{**asdict(each), **_counts(world, [each.name])} for each in world.categories],
        "suppliers": supplier_kinds(world, rules),
        "calendar": [each._asdict() for each in calendar_of(world)],
    }


def _store_type(world: World, store_type: StoreType, rules: Rules) -> dict[str, Any]:
    """Bands span those of its categories, ratios are the means of theirs, as in tab:store_types."""
    categories = [world.category_by_name[name] for name in store_type.categories]
    products = world.products_by_store_type[store_type.id]
    return {
        **{name: getattr(store_type, name) for name in ("id", "name", "tier")},
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
    suppliers = [supplier for name in categories for supplier in world.suppliers_by_category[name]]
    honest = sum(supplier.honest for supplier in suppliers)
    products = sum(len(world.products_by_category[name]) for name in categories)
    return {"products": products, "honest": honest, "fraudulent": len(suppliers) - honest}


def supplier_kinds(world: World, rules: Rules) -> Rows:
    """Each honest template and each scam, with its suppliers and its kernel (tab:presets, tab:fraud_catalog)."""
    found = Counter[str](supplier.template if supplier.honest else supplier.scam for supplier in world.suppliers)
    totals = Counter(supplier.honest for supplier in world.suppliers)
    kinds = [(str(name), True, manner, list[str]()) for name, manner in HONEST_MANNERS.items()]
    kinds += [(name, False, scheme.manner, [*_effects(scheme, rules)]) for name, scheme in SCHEMES.items()]
    return [
        {
            "name": name,
            "honest": honest,
            "suppliers": found[name],
            "share": found[name] / max(1, totals[honest]),
            "stance": STANCES[manner.stance_sign + 1],
            **asdict(manner),
            "effects": effects,
        }
        for name, honest, manner, effects in kinds
    ]


def _effects(scheme: Scheme, rules: Rules) -> Iterator[str]:
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


def explain_catalog(world: World, rules: Rules) -> Explanation:
    """Products, prices, natural return rates and suppliers."""
    rows = sorted(summarize(world, rules)["categories"], key=lambda row: -row["products"])
    prices = [product.reference_price for product in world.products]
    facts = [
        Fact("categories", len(rows)),
        Fact("products of a category", _span([row["products"] for row in rows], "{:,g}")),
        Fact("reference price", _span(prices, "¥{:,.2f}")),
        Fact("natural return rate", _span([p.return_rate for p in world.products], "{:.1%}"), hidden=True),
        Fact("suppliers", f"{len(world.suppliers)}, {sum(row['fraudulent'] for row in rows)} fraudulent", hidden=True),
    ]
    bins = Counter(max(step for step in PRICE_STEPS if step <= price) for price in prices)
    panels = {
        "sizes": [{"category": row["name"], "products": row["products"]} for row in rows],
        "prices": [{"price": f"from ¥{low:,g}", "products": bins[low]} for low in sorted(bins)],
        "returns": [
            {"store": _titled(each), "least": min(rates), "median": median(rates), "most": max(rates)}
            for each in _by_tier(world)
            if (rates := [product.return_rate for product in world.products_by_store_type[each.id]])
        ],
        "suppliers": [
            {"kind": kind, "products": row["products"], "suppliers": row[kind]}
            for kind in ("honest", "fraudulent")
            for row in rows
        ],
    }
    return Explanation("catalog", f"The catalog of {world.name}", "fig:catalog", facts, panels)


def _by_tier(world: World) -> list[StoreType]:
    return sorted(world.store_types, key=lambda store_type: store_type.tier)


def _titled(store_type: StoreType) -> str:
    return f"{store_type.name}, T{store_type.tier}"


def _span(values: Sequence[float], form: str) -> str:
    low, middle, high = (form.format(value) for value in (min(values), median(values), max(values)))
    return f"{low} to {high}, median {middle}"


def explain_seasonality(world: World, _rules: Rules) -> Explanation:
    """The demand multiplier of every month; trough, peak and their ratio."""
    facts, cells, ranges = [], Rows(), Rows()
    for store_type in _by_tier(world):
        name, trough, peak = _titled(store_type), min(store_type.seasonality), max(store_type.seasonality)
        ratio = f"{peak / trough:.2f}"
        facts.append(Fact(name, f"{trough:.2f} to {peak:.2f}", "", f"ratio {ratio}"))
        months = zip(SHORT_MONTHS, store_type.seasonality, strict=True)
        cells += [{"store": name, "month": m, "demand": each, "shown": f"{each:.2f}"} for m, each in months]
        ranges.append({"store": name, "trough": trough, "peak": peak, "ratio": ratio})
    panels = {"months": cells, "ranges": ranges}
    return Explanation("seasonality", f"The seasons of {world.name}", "fig:seasonality", facts, panels)


def explain_calendar(world: World, _rules: Rules) -> Explanation:
    """Promotions and events of a year, each with its largest effect on demand."""
    occasions = calendar_of(world)
    facts = [Fact(o.name, f"{o.first:%m-%d} to {o.last:%m-%d}", "", o.effect, True) for o in occasions]
    last = {o.name: o for o in occasions}
    windows = [
        {
            "name": o.name,
            "kind": o.kind,
            "from": _month(o.first),
            "to": _month(o.last + ONE_DAY),
            "text": ("late deliveries" if o.demand == 1 else f"x{o.demand:g}") if o is last[o.name] else "",
        }
        for o in sorted(occasions, key=lambda o: (o.kind != "promotion", o.first))
    ]
    return Explanation("calendar", f"The calendar of {world.name}", "fig:calendar", facts, {"windows": windows})


def _month(day: date) -> float:
    """1.5 in the middle of January; the day after New Year's Eve is 13."""
    return day.month + (day.day - 1) / 31
