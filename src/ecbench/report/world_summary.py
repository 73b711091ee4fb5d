"""What a researcher wants to know of a world at a glance, hidden labels included."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

from ecbench.number_words import SHORT_MONTHS
from ecbench.world.model import Category, Event, MonthDay, Promotion, StoreType, World

TIERS = {1: "hard", 2: "medium", 3: "easy"}
RETURN_STEP = 0.05
YEAR_END = date(2001, 12, 31)


@dataclass(frozen=True, slots=True)
class Bin:
    """A bar of a histogram."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The lowest, the middle and the highest of some values."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, slots=True)
class StoreTypeSummary:
    """One trade of a world in figures."""

    id: str
    name: str
    tier: str
    categories: int
    products: int
    honest_suppliers: int
    fraudulent_suppliers: int
    prices: Spread | None  # None: a store type without products
    return_rates: Spread | None
    seasonality: tuple[float, ...]
    peak_month: str
    low_month: str


@dataclass(frozen=True, slots=True)
class CategorySummary:
    """One category of a world in figures."""

    name: str
    store_type: str
    price_range: str
    return_range: tuple[float, float]
    elasticity: str
    eta: float
    wholesale_ratio: float
    floor_ratio: float
    products: int
    honest_suppliers: int
    fraudulent_suppliers: int


@dataclass(frozen=True, slots=True)
class Occasion:
    """One stretch of days of the year on which something is going on."""

    name: str
    kind: str  # "event" or "promotion"
    first: str
    last: str
    day: int  # of the year, from 0
    days: int
    effect: str


@dataclass(frozen=True, slots=True)
class WorldSummary:
    """A world in figures, as its page and tables show it."""

    name: str
    id: str
    seed: int
    start: str
    days: int
    products: int
    honest_suppliers: int
    fraudulent_suppliers: int
    store_types: tuple[StoreTypeSummary, ...]
    categories: tuple[CategorySummary, ...]
    prices: tuple[Bin, ...]
    return_rates: tuple[Bin, ...]
    templates: dict[str, int]  # of the honest suppliers
    scams: dict[str, int]
    calendar: tuple[Occasion, ...]


def summarize(world: World) -> WorldSummary:
    honest = [supplier for supplier in world.suppliers if supplier.honest]
    return WorldSummary(
        name=world.name,
        id=world.id,
        seed=world.seed,
        start=world.start.isoformat(),
        days=world.days,
        products=len(world.products),
        honest_suppliers=len(honest),
        fraudulent_suppliers=len(world.suppliers) - len(honest),
        store_types=tuple(_store_type(world, store_type) for store_type in world.store_types),
        categories=tuple(_category(world, category) for category in world.categories),
        prices=_price_bins([product.reference_price for product in world.products]),
        return_rates=_return_bins([product.return_rate for product in world.products]),
        templates=dict(Counter(supplier.template for supplier in honest).most_common()),
        scams=dict(Counter(supplier.scam for supplier in world.suppliers if supplier.scam).most_common()),
        calendar=calendar_of(world),
    )


def _store_type(world: World, store_type: StoreType) -> StoreTypeSummary:
    products = world.products_by_store_type[store_type.id]
    honest, fraudulent = _roster(world, store_type.categories)
    season = store_type.seasonality
    return StoreTypeSummary(
        id=store_type.id,
        name=store_type.name,
        tier=TIERS[store_type.tier],
        categories=len(store_type.categories),
        products=len(products),
        honest_suppliers=honest,
        fraudulent_suppliers=fraudulent,
        prices=_spread([product.reference_price for product in products]),
        return_rates=_spread([product.return_rate for product in products]),
        seasonality=season,
        peak_month=SHORT_MONTHS[season.index(max(season))],
        low_month=SHORT_MONTHS[season.index(min(season))],
    )


def _category(world: World, category: Category) -> CategorySummary:
    honest, fraudulent = _roster(world, [category.name])
    return CategorySummary(
        name=category.name,
        store_type=category.store_type,
        price_range=category.price_range,
        return_range=(category.return_min, category.return_max),
        elasticity=category.elasticity,
        eta=category.eta,
        wholesale_ratio=category.wholesale_ratio,
        floor_ratio=category.floor_ratio,
        products=len(world.products_by_category[category.name]),
        honest_suppliers=honest,
        fraudulent_suppliers=fraudulent,
    )


def _roster(world: World, categories: Iterable[str]) -> tuple[int, int]:
    """How many honest and how many fraudulent suppliers serve these categories."""
    suppliers = [supplier for name in categories for supplier in world.suppliers_by_category[name]]
    honest = sum(supplier.honest for supplier in suppliers)
    return honest, len(suppliers) - honest


def _spread(values: Sequence[float]) -> Spread | None:
    return Spread(min(values), median(values), max(values)) if values else None


def _price_bins(prices: Sequence[float]) -> tuple[Bin, ...]:
    """Steps of 1, 2, 5, 10: about equally wide on the log scale prices spread over."""
    steps = [digit * 10.0**power for power in range(-2, 9) for digit in (1, 2, 5)]
    return _bins(prices, steps)


def _return_bins(rates: Sequence[float]) -> tuple[Bin, ...]:
    return _bins(rates, [round(step * RETURN_STEP, 2) for step in range(round(1 / RETURN_STEP) + 1)])


def _bins(values: Sequence[float], edges: Sequence[float]) -> tuple[Bin, ...]:
    """Counts between neighboring edges, lower end included, from the first bin in use to the last."""
    counts = Counter(min(max(bisect_right(edges, value) - 1, 0), len(edges) - 2) for value in values)
    return tuple(Bin(edges[n], edges[n + 1], counts[n]) for n in range(min(counts), max(counts) + 1))


def calendar_of(world: World) -> tuple[Occasion, ...]:
    occasions = [_event(event, world) for event in world.events]
    occasions += [window for promotion in world.promotions for window in _windows(promotion)]
    return tuple(sorted(occasions, key=lambda occasion: occasion.day))


def _event(event: Event, world: World) -> Occasion:
    changes = [f"{world.store_type_by_id[key].name} x{multiplier:g}" for key, multiplier in event.demand.items()]
    effects = [f"demand {', '.join(changes)}"] if changes else []
    if event.delay != 1 and (event.delayed is None or event.delayed):
        delayed = [s.name for s in world.store_types if event.delays(s.id)]
        who = "all stores" if event.delayed is None else ", ".join(delayed)
        effects.append(f"delivery time x{event.delay:g} ({who})")
    return _occasion(event.name, "event", event.start, event.days, "; ".join(effects))


def _windows(promotion: Promotion) -> Iterable[Occasion]:
    effect = f"demand up to x{promotion.max_demand:g}, sensitivity x{promotion.elasticity_boost:g}"
    for first, last in promotion.windows:
        end = _day(last) if last >= first else YEAR_END
        yield _occasion(promotion.name, "promotion", first, (end - _day(first)).days + 1, effect)


def _occasion(name: str, kind: str, start: MonthDay, days: int, effect: str) -> Occasion:
    """Month-days recur every year and are cut at its end."""
    first = _day(start)
    last = min(first + timedelta(days=days - 1), YEAR_END)
    day = first.timetuple().tm_yday - 1
    return Occasion(name, kind, _short(first), _short(last), day, (last - first).days + 1, effect)


def _day(month_day: MonthDay) -> date:
    """In a year of 365 days, where 29 February is the 28th."""
    month, day = month_day
    return date(YEAR_END.year, month, min(day, 28) if month == 2 else day)


def _short(day: date) -> str:
    return f"{day.day} {SHORT_MONTHS[day.month - 1]}"
