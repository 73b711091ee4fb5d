"""Demand and sales of one SKU, as cached pure functions: nothing here changes during an episode."""

from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, partial

from ecbench.market.cache import FunctionCache
from ecbench.market.demand import base_demand, price_response
from ecbench.market.draws import DrawKey, demand_rounding
from ecbench.market.return_rates import ReturnLayers, return_layers
from ecbench.rules import Rules
from ecbench.world.model import Category, Product, StoreType

CACHED_ANSWERS = 4096  # of each kind, per SKU
CACHED_TERMS = 256  # per SKU, and the
CACHED_SALES = 64  # on each of them
# Demand at a price stops growing here, so that multiplying it by traffic stays finite.
LARGEST_PULL = 1e150


@lru_cache(maxsize=4096)
def _iso(day: int) -> str:
    return date.fromordinal(day).isoformat()


@dataclass(slots=True, eq=False)
class SoldGoods:
    """Units of one SKU sold together at one price, and how likely each is to come back."""

    product: Product
    quantity: int
    unit_price: float  # after a promotion's discount
    gross: float
    net: float  # after commission
    rates: ReturnLayers  # how the return rate by standard freight came about
    parcels: dict[str, "Parcel"] = field(default_factory=dict)  # cache, by speed
    shown: str = ""  # cached text of their line in the list of orders to ship


@dataclass(slots=True, eq=False)
class Parcel:
    """Goods sent at one speed, with their freight and return rate."""

    goods: SoldGoods
    speed: str
    unit_freight: float
    freight: float
    return_rate: float
    shown: str = ""  # cached text of its line in the reply to ship_orders


Sales = FunctionCache[int, SoldGoods]
"""What is sold of one SKU on the same terms, by quantity."""


class ProductDemand:
    """Caches of one SKU, shared by all episodes on a world.

    `pulls` by (price, boost, a rival's price): beta * phi of eq:demand, in units a day.
    `draws` by date ordinal: the uniform that rounds demand (eq:app_round).
    `sales` by (unit price, defective share) and then by quantity: the goods of a sale.
    `place`: of its category among those of its store type.
    `lowest_rival_price`: below it a rival's price counts as this.
    `age_steps`: (age in days, multiple of the storage rate from that age on), youngest first (app:econ_costs).
    """

    __slots__ = (
        "age_steps",
        "base",
        "category",
        "draws",
        "lowest_rival_price",
        "place",
        "product",
        "pulls",
        "rules",
        "sales",
    )

    def __init__(self, product: Product, category: Category, store_type: StoreType, key: DrawKey, rules: Rules) -> None:
        self.product = product
        self.category = category
        self.place = store_type.categories.index(category.name)
        self.base = base_demand(category, store_type, rules)
        self.rules = rules
        self.lowest_rival_price = rules.lowest_rival_ratio * product.reference_price
        self.age_steps = sorted(dict(rules.storage_age_steps).items())
        self.pulls: FunctionCache[tuple[float, float, float | None], float] = FunctionCache(self._pull, CACHED_ANSWERS)
        self.draws: FunctionCache[int, float] = FunctionCache(
            lambda day: demand_rounding(key, product.sku, _iso(day)), CACHED_ANSWERS
        )
        self.sales: FunctionCache[tuple[float, float], Sales] = FunctionCache(self._sales, CACHED_TERMS)

    def _pull(self, offered: tuple[float, float, float | None]) -> float:
        """Customers compare with a rival's price where that is below the reference price."""
        price, boost, rival = offered
        reference = self.product.reference_price
        if rival is not None and rival < reference:
            reference = max(rival, self.lowest_rival_price)
        return min(LARGEST_PULL, self.base * price_response(self.category, price, reference, boost, self.rules))

    def _sales(self, terms: tuple[float, float]) -> Sales:
        return FunctionCache(partial(self._sale, *terms), CACHED_SALES)

    def _sale(self, unit_price: float, defective_share: float, quantity: int) -> SoldGoods:
        gross = unit_price * quantity
        net = gross - gross * self.rules.commission
        rates = return_layers(self.product, defective_share, unit_price, self.rules)
        return SoldGoods(self.product, quantity, unit_price, gross, net, rates)
