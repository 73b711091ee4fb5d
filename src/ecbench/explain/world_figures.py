"""The data of a world in pictures (fig:catalog, fig:seasonality, fig:calendar)."""

from collections.abc import Sequence
from datetime import date
from statistics import median

from ecbench.explain.explanation import Dot, Explanation, Fact, Panel
from ecbench.explain.world_summary import Occasion, calendar_of, summarize
from ecbench.market.calendar import ONE_DAY
from ecbench.number_words import SHORT_MONTHS
from ecbench.rules import Rules
from ecbench.world.model import World


def explain_catalog(world: World, rules: Rules) -> Explanation:
    """Products, prices, natural return rates and suppliers."""
    summary = summarize(world, rules)
    rows = sorted(summary.categories, key=lambda row: -row["products"])
    facts = [
        Fact("categories", len(rows)),
        Fact("products of a category", *_spread([row["products"] for row in rows])),
        Fact("reference price", *_spread([product.reference_price for product in world.products], "¥{:,.2f}")),
        Fact("natural return rate", *_spread([product.return_rate for product in world.products], "{:.1%}"), True),
        Fact("honest suppliers of a category", *_spread([row["honest"] for row in rows]), True),
        Fact("fraudulent ones", *_spread([row["fraudulent"] for row in rows]), True),
    ]
    sizes = [Dot(row["name"], row["products"]) for row in rows]
    bins = [Dot(f"from ¥{row['low']:,g}", row["count"]) for row in summary.prices]
    rosters = [Dot(row["products"], row[kind], kind) for kind in ("honest", "fraudulent") for row in rows]
    returns = []
    for store_type in summary.store_types:
        name, goods = f"{store_type['name']}, T{store_type['tier']}", world.products_by_store_type[store_type["id"]]
        rates = [product.return_rate for product in goods]
        returns += [Dot(name, min(rates), end=max(rates)), Dot(name, median(rates))] if rates else []
    panels = [
        Panel("Products per category", "", "products", sizes, "bar"),
        Panel("Reference prices", "", "products", bins, "bar"),
        Panel("Natural return rate by store type, with its median", "", "share of the units sold", returns, "span"),
        Panel("Suppliers per category", "products of the category", "suppliers", rosters, "point"),
    ]
    return Explanation("catalog", f"The catalog of {world.name}", "fig:catalog", facts, panels)


def _spread(values: Sequence[float], form: str = "{:,g}") -> tuple[str, str, str]:
    """The value, unit and reason of a fact."""
    low, middle, high = (form.format(value) for value in (min(values), median(values), max(values)))
    return f"{low} to {high}", "", f"median {middle}"


def explain_seasonality(world: World, _rules: Rules) -> Explanation:
    """The demand multiplier of every month; trough, peak and their ratio."""
    facts, cells, ranges = [], [], []
    for store_type in sorted(world.store_types, key=lambda store_type: store_type.tier):
        name, season = f"{store_type.name}, T{store_type.tier}", store_type.seasonality
        trough, peak = min(season), max(season)
        months = ", ".join(month for month, index in zip(SHORT_MONTHS, season, strict=True) if index == peak)
        why = f"ratio {peak / trough:.2f}, highest in {months}"
        facts.append(Fact(name, f"{trough:.2f} to {peak:.2f}", "", why))
        cells += [Dot(month, index, name) for month, index in zip(SHORT_MONTHS, season, strict=True)]
        ranges.append(Dot(name, trough, end=peak, text=f"{peak / trough:.2f}"))
    panels = [
        Panel("Demand multiplier by month", "", "", cells, "grid"),
        Panel("Trough to peak, and their ratio", "", "demand multiplier", ranges, "span"),
    ]
    return Explanation("seasonality", f"The seasons of {world.name}", "fig:seasonality", facts, panels)


def explain_calendar(world: World, rules: Rules) -> Explanation:
    """Promotions and events of a year, each with its largest effect on demand."""
    occasions = calendar_of(world)
    facts = [
        Fact("in a year", f"{len(world.events)} events, {len(world.promotions)} promotions"),
        *(Fact(o.name, f"{o.first:%m-%d} to {o.last:%m-%d}", "", o.effect, True) for o in occasions),
    ]
    last = {o.name: o for o in occasions}
    spans = [
        Dot(o.name, _month(o.first), o.kind, end=_month(o.last + ONE_DAY), text=_reach(o) if o is last[o.name] else "")
        for o in sorted(occasions, key=lambda o: (o.kind != "promotion", o.first))
    ]
    title = f"Demand multiplier, of promotions at a {rules.full_boost_discount:.0%} discount, of events at its extreme"
    panels = [Panel(title, "", "month", spans, "span")]
    return Explanation("calendar", f"The calendar of {world.name}", "fig:calendar", facts, panels)


def _month(day: date) -> float:
    """1.5 in the middle of January; the day after New Year's Eve is 13."""
    return day.month + (day.day - 1) / 31


def _reach(occasion: Occasion) -> str:
    return "late deliveries" if occasion.demand == 1 else f"x{occasion.demand:g}"
