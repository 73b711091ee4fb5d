"""What the market knows of one SKU. It never changes during an episode, so every answer is worked out once and kept."""

from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, partial

from ecbench.market.cache import FunctionCache
from ecbench.market.demand import price_response
from ecbench.market.draws import demand_rounding
from ecbench.market.elasticity import LOWEST_PRICE_RATIO
from ecbench.market.return_rates import ReturnLayers, return_layers
from ecbench.rules import Rules
from ecbench.world.model import Category, Product

CACHED_ANSWERS = 4096  # of each kind, per SKU
CACHED_TERMS = 256  # per SKU, and the
CACHED_SALES = 64  # on each of them
# Above it demand no longer grows: no store could sell as much, and it stays finite whatever traffic multiplies it by.
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
    parcels: dict[str, "Parcel"] = field(default_factory=dict)  # by speed, as far as they were packed
    shown: str = ""  # their part of a line in the list of orders to ship: goods recur, so it is written once


@dataclass(slots=True, eq=False)
class Parcel:
    """Goods as one speed sends them."""

    goods: SoldGoods
    speed: str
    unit_freight: float
    freight: float
    return_rate: float
    shown: str = ""  # its line in the reply of whoever ships it: parcels recur, so it is written once


Sales = FunctionCache[int, SoldGoods]
"""What is sold of one SKU on the same terms, by quantity."""


class ProductDemand:
    """`pulls` by (price, boost): units a day at that price, before the day, the season and the store have their say.

    `draws` by date ordinal: the uniform that decides whether the last fractional unit is sold (eq:app_round).
    `sales` by (unit price, defective share) and then by quantity: the goods of a sale; the same units at the same price
    are the same sale, whoever makes it and when.
    `age_steps`: the ages in days from which storage costs a multiple of its rate, and the multiples, youngest first
    (app:econ_costs).
    """

    __slots__ = ("age_steps", "base", "category", "draws", "product", "pulls", "rules", "sales")

    def __init__(self, product: Product, category: Category, base: float, seed: int, rules: Rules) -> None:
        self.product = product
        self.category = category
        self.base = base
        self.rules = rules
        self.age_steps = sorted(dict(rules.storage_age_steps).items())
        self.pulls: FunctionCache[tuple[float, float, float | None], float] = FunctionCache(self._pull, CACHED_ANSWERS)
        self.draws: FunctionCache[int, float] = FunctionCache(
            lambda day: demand_rounding(seed, product.sku, _iso(day)), CACHED_ANSWERS
        )
        self.sales: FunctionCache[tuple[float, float], Sales] = FunctionCache(self._sales, CACHED_TERMS)

    def _pull(self, offered: tuple[float, float, float | None]) -> float:
        price, boost, rival = offered
        reference = self.product.reference_price
        if rival is not None and rival < reference:
            reference = max(rival, LOWEST_PRICE_RATIO * reference)
        return min(LARGEST_PULL, self.base * price_response(self.category, price, reference, boost))

    def _sales(self, terms: tuple[float, float]) -> Sales:
        return FunctionCache(partial(self._sale, *terms), CACHED_SALES)

    def _sale(self, unit_price: float, defective_share: float, quantity: int) -> SoldGoods:
        gross = unit_price * quantity
        net = gross - gross * self.rules.commission
        rates = return_layers(self.product, defective_share, unit_price, self.rules)
        return SoldGoods(self.product, quantity, unit_price, gross, net, rates)
