"""The marketplace as data: typed, immutable, indexed for the questions an episode asks of it."""

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Literal, TypeVar

from msgspec import Meta

from ecbench.ranges import DAYS, Range
from ecbench.world import fields as kinds
from ecbench.world.fields import (
    AnnouncedLabel,
    Label,
    MonthDay,
    MonthlySales,
    Price,
    Prose,
    Ratio,
    Seasonality,
    Share,
    Windows,
    within,
)
from ecbench.world.supplier_kinds import Scam, Template


def content_id(content: object) -> str:
    """SHA-256 of a tree of dataclasses, mappings, sequences, sets, dates, numbers and texts.

    Equal numbers count as equal (8 and 8.0), mappings and sets have no order, sequences do. Fields that a
    dataclass leaves out of its comparison do not count.
    """
    import hashlib  # noqa: PLC0415 - it loads OpenSSL, and most years need no id

    text = json.dumps(_plain(content), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, str | int) or value is None:
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return _plain_group(value)


def _plain_group(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(value[key]) for key in sorted(value)}
    if isinstance(value, Set):
        return sorted(json.dumps(_plain(item), ensure_ascii=False) for item in value)
    if isinstance(value, date):
        return value.isoformat()
    if is_dataclass(value):
        return [_plain(getattr(value, f.name)) for f in fields(value) if f.compare]
    raise TypeError(f"a world contains no {type(value).__name__}, so its id cannot be taken: {value!r}")


Row = TypeVar("Row")
Size = Literal["Small", "Medium", "Large", "XLarge"]
Elasticity = Literal["linear", "exponential", "constant_elasticity", "quadratic"]
Texts = Annotated[tuple[Prose, ...], Meta(description="a list of texts")]


@dataclass(frozen=True, slots=True)
class Overview:
    """What the market overview says about a store type, in words and without numbers."""

    profit_potential: Prose = ""
    advantage: Prose = ""
    strengths: Texts = ()
    challenges: Texts = ()
    operating_tips: Texts = ()


@dataclass(frozen=True, slots=True)
class StoreType:
    """A type of store: what its stores sell, and how many customers they have."""

    id: Label
    name: Label
    tier: Annotated[int, within(Range(1, 3, whole=True), "1 (hard), 2 (medium) or 3 (easy)")]
    capacity: Annotated[float, within(kinds.CAPACITY)]
    demand_scale: Annotated[float, within(kinds.DEMAND_SCALE)]
    seasonality: Seasonality
    categories: Annotated[
        tuple[Label, ...], Meta(min_length=1, description="a list of category names, with at least one of them")
    ]
    overview: Overview = Overview()


@dataclass(frozen=True, slots=True)
class Category:
    """Goods that are alike: their bands, and how customers take to prices."""

    name: Label
    store_type: Label
    size: Size
    price_min: Price
    price_max: Price
    sales_min: MonthlySales
    sales_max: MonthlySales
    return_min: Share
    return_max: Share
    return_note: Prose
    elasticity: Elasticity
    eta: Annotated[float, within(kinds.ETA)]
    wholesale_ratio: Ratio
    floor_ratio: Ratio
    scam_cap_ratio: Ratio
    price_range: str  # "8-150": the two ends as the file writes them, since tools show them


@dataclass(frozen=True, slots=True)
class Product:
    """One SKU."""

    sku: Annotated[
        str, Meta(pattern=kinds.SKU, description="1 to 40 lower-case letters, digits, dots, dashes and underscores")
    ]
    category: Label
    brand: Label
    title: Label
    size: Size
    reference_price: Price
    return_rate: Share


@dataclass(frozen=True, slots=True)
class Supplier:
    """Who sells to merchants, honestly or not."""

    id: Label
    name: Label
    email: Annotated[
        str, Meta(pattern=kinds.EMAIL, description="an e-mail address in plain letters, without spaces or commas")
    ]
    template: Template
    scam: Scam
    category: Label
    order_limit: Annotated[int, within(kinds.ORDERS)]

    @property
    def honest(self) -> bool:
        return not self.scam


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens to the market in some days of the year."""

    name: Label
    start: Annotated[MonthDay, Meta(description='a day of the year as "MM-DD"')]
    days: Annotated[int, within(kinds.EVENT_DAYS)]
    demand: Annotated[
        Mapping[Label, Annotated[float, within(kinds.EVENT_DEMAND)]],
        Meta(description=f"a table of store type = multiplier, each {kinds.EVENT_DEMAND.bounds}"),
    ]
    delay: Annotated[float, within(kinds.DELAY)]
    delayed: Annotated[  # None, in files "all": every store type
        frozenset[Label] | None, Meta(description='"all" or a list of store types')
    ]
    news: Prose
    # The release's files have a figure of this name, which nothing reads. A world has none; it counts in its id.
    cost_increase: None = field(default=None, init=False)

    def delays(self, store_type: str) -> bool:
        return self.delayed is None or store_type in self.delayed


@dataclass(frozen=True, slots=True, eq=False)
class Promotion:
    """A sale of the platform. The same only as itself, which makes it a cheap key."""

    name: AnnouncedLabel
    windows: Windows
    max_demand: Annotated[float, within(kinds.PROMOTION_DEMAND)]
    elasticity_boost: Annotated[float, within(kinds.BOOST)]


@dataclass(frozen=True, eq=False)
class WorldSettings:
    """What is settled for a world as a whole."""

    name: Label
    seed: Annotated[int, within(kinds.SEED)]
    start: Annotated[date, Meta(description="a date such as 2026-01-01")]
    days: Annotated[int, within(DAYS)]
    salt: Annotated[  # keys secret draws, and no agent sees it
        str, Meta(pattern=rf"\A({kinds.SALT})?\Z", description="16 to 128 digits of 0-9 and a-f")
    ] = field(default="", repr=False, compare=False, kw_only=True)
    origin: Annotated[Literal["", "release"], Meta(description="release, which `ecbench world import` writes")] = field(
        default="", compare=False, kw_only=True
    )


def _grouped(names: Iterable[str], rows: Iterable[tuple[str, Row]]) -> Mapping[str, tuple[Row, ...]]:
    """Rows by name, in their order; a name may have none."""
    found: dict[str, list[Row]] = {name: [] for name in names}
    for name, row in rows:
        found[name].append(row)
    return MappingProxyType({name: tuple(group) for name, group in found.items()})


@dataclass(frozen=True, eq=False)
class World(WorldSettings):
    """Everything an episode runs on. Row order is meaningful: tools list rows in file order."""

    store_types: tuple[StoreType, ...]
    categories: tuple[Category, ...]
    products: tuple[Product, ...]
    suppliers: tuple[Supplier, ...]
    events: tuple[Event, ...] = ()
    promotions: tuple[Promotion, ...] = ()
    store_type_by_id: Mapping[str, StoreType] = field(init=False, repr=False, compare=False)
    category_by_name: Mapping[str, Category] = field(init=False, repr=False, compare=False)
    product_by_sku: Mapping[str, Product] = field(init=False, repr=False, compare=False)
    supplier_by_name: Mapping[str, Supplier] = field(init=False, repr=False, compare=False)
    supplier_by_email: Mapping[str, Supplier] = field(init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        size = f"{len(self.products):,} products, {len(self.suppliers):,} suppliers"
        return f"<World {self.name!r}: {self.days} days from {self.start}, {size}>"

    def __post_init__(self) -> None:
        index: dict[str, Mapping[str, object]] = {
            "store_type_by_id": {s.id: s for s in self.store_types},
            "category_by_name": {c.name: c for c in self.categories},
            "product_by_sku": {p.sku: p for p in self.products},
            "supplier_by_name": {s.name: s for s in self.suppliers},
            "supplier_by_email": {s.email.lower(): s for s in self.suppliers},
        }
        for name, mapping in index.items():
            object.__setattr__(self, name, MappingProxyType(mapping))

    @cached_property
    def products_by_category(self) -> Mapping[str, tuple[Product, ...]]:
        return _grouped(self.category_by_name, ((product.category, product) for product in self.products))

    @cached_property
    def products_by_store_type(self) -> Mapping[str, tuple[Product, ...]]:
        """In file order, not grouped by category."""
        homes = {category.name: category.store_type for category in self.categories}
        return _grouped(self.store_type_by_id, ((homes[product.category], product) for product in self.products))

    @cached_property
    def suppliers_by_category(self) -> Mapping[str, tuple[Supplier, ...]]:
        return _grouped(self.category_by_name, ((supplier.category, supplier) for supplier in self.suppliers))

    @cached_property
    def id(self) -> str:
        """SHA-256 over the normalized content: one world has one id however its files are written.

        The salt and the origin count only if the world has them.
        """
        stated = [text for text in (self.salt, self.origin) if text]
        return content_id([self, *stated] if stated else self)
