"""What a world implies under a set of rules: immutable, cached, and shared by all episodes on the world."""

import datetime as dt
from collections.abc import Mapping
from functools import lru_cache, partial
from math import exp
from random import Random
from typing import NamedTuple

from ecbench.market.cache import FunctionCache
from ecbench.market.calendar import Calendar
from ecbench.market.demand import base_demand, category_capacity, price_response, traffic
from ecbench.market.draws import DrawKey, demand_rounding, draw_key, named_stream
from ecbench.rules import Rules
from ecbench.world.model import Category, Product, StoreType, World

CACHED_ANSWERS = 4_096  # of each kind, per SKU
CACHED_DAYS = 4_096
MINUTES = 24 * 60  # of a day
# Demand at a price stops growing here, so that multiplying it by traffic stays finite.
LARGEST_PULL = 1e150
LEAST_DRIFT = 0.5  # share of `drift_size`
DRIFT_BEGINS = (0.1, 0.6)  # within these shares of the year
DRIFT_LASTS = (0.1, 0.25)  # share of the year until the change is complete


@lru_cache(maxsize=4_096)
def _iso(day: int) -> str:
    """Cached: all SKUs draw for the same dates, and without it the first episode of a process takes 4% longer."""
    return dt.date.fromordinal(day).isoformat()


class Capacity:
    """The daily capacity of a store type: kappa of the store and of each category (eq:app_saturation)."""

    def __init__(self, store_type: StoreType, rules: Rules) -> None:
        self.store = store_type.capacity
        self.category = category_capacity(store_type, rules)  # None: one category has it all


class Drift(NamedTuple):
    """A lasting change of a category's demand without news: its logarithm is linear in time, then constant."""

    change: float
    first: int  # date ordinal
    days: float

    def factor(self, day: int) -> float:
        """What multiplies demand on a date."""
        return exp(self.change * min(1.0, max(0.0, (day - self.first) / self.days)))


def drifts_of(store_type: StoreType, world: World, rules: Rules, key: DrawKey) -> Mapping[str, Drift]:
    """The categories of a store type that drift, in turn upwards and downwards."""
    stream = named_stream(key, f"drift {store_type.id}")
    count = min(rules.drift_categories, len(store_type.categories))
    sign = stream.choice((-1.0, 1.0))
    drifts = {}
    for category in stream.sample(store_type.categories, count):
        change = sign * rules.drift_size * stream.uniform(LEAST_DRIFT, 1.0)
        first = world.start.toordinal() + int(world.days * stream.uniform(*DRIFT_BEGINS))
        drifts[category] = Drift(change, first, max(1.0, world.days * stream.uniform(*DRIFT_LASTS)))
        sign = -sign
    return drifts


def _drift_factors(drifts: Mapping[str, Drift], day: dt.date) -> Mapping[str, float]:
    """By category, of those that drift."""
    return {category: drift.factor(day.toordinal()) for category, drift in drifts.items()}


class PricedGoods:
    """A SKU at a price, with the defective share of its deliveries; `pull` is without a promotion or a rival."""

    __slots__ = ("category_index", "defective_share", "draws", "goods", "price", "pull", "sku")

    def __init__(self, goods: "ProductDemand", price: float, defective_share: float, pull: float) -> None:
        self.goods = goods
        self.price = price
        self.defective_share = defective_share
        self.pull = pull
        self.sku = goods.sku
        self.category_index = goods.category_index
        self.draws = goods.draws


class ProductDemand:
    """What is fixed of the demand for one SKU, with caches that all episodes on a world share.

    `pulls` by (price, boost, a rival's price): beta * phi of eq:demand, in units a day.
    `priced` by price and defective share: finding it again every morning would cost 5% of a replayed year.
    `draws` by date ordinal: the uniform that rounds demand (eq:app_round).
    """

    def __init__(self, product: Product, category: Category, store_type: StoreType, key: DrawKey, rules: Rules) -> None:
        self.product = product
        self.sku = product.sku
        self.category = category
        self.category_index = store_type.categories.index(category.name)
        self.base = base_demand(category, store_type, rules)
        self.rules = rules
        self.lowest_rival_price = rules.lowest_rival_ratio * product.reference_price
        self.pulls: FunctionCache[tuple[float, float, float | None], float] = FunctionCache(self._pull, CACHED_ANSWERS)
        self.priced: FunctionCache[tuple[float, float], PricedGoods] = FunctionCache(self._priced, CACHED_ANSWERS)
        self.draws: FunctionCache[int, float] = FunctionCache(
            lambda day: demand_rounding(key, product.sku, _iso(day)), CACHED_ANSWERS
        )

    def _priced(self, offered: tuple[float, float]) -> PricedGoods:
        price, defective_share = offered
        return PricedGoods(self, float(price), defective_share, self.pulls[price, 1.0, None])

    def _pull(self, offered: tuple[float, float, float | None]) -> float:
        """Customers compare with a rival's price where that is below the reference price."""
        price, boost, rival = offered
        reference = self.product.reference_price
        if rival is not None and rival < reference:
            reference = max(rival, self.lowest_rival_price)
        return min(LARGEST_PULL, self.base * price_response(self.category, price, reference, boost, self.rules))


class Economy:
    """Demand, capacities, drift and calendar of a marketplace.

    `traffic` is what weekday, season and events do to every SKU of a store alike; `drift` is empty without the rule.
    """

    def __init__(self, world: World, rules: Rules) -> None:
        self.world = world
        self.rules = rules
        self.key = draw_key(world, rules)
        self.calendar = Calendar(world)
        self.escrow_time = dt.timedelta(days=rules.escrow_days)
        self.time_to_ship = dt.timedelta(days=rules.ship_deadline_days)
        self.opening_minute = rules.opening_hour * 60
        self.closing_minute = rules.closing_hour * 60
        # The most that one day of operations can cost.
        stores, listings = rules.max_stores * max(rules.operating_cost.values()), len(world.products)
        self.dearest_day = stores + rules.listing_fee * listings
        self.capacities = {s.id: Capacity(s, rules) for s in world.store_types}
        self.demands: FunctionCache[str, ProductDemand] = FunctionCache(self._demand, len(world.products))
        self.age_steps = tuple(sorted(dict(rules.storage_age_steps).items()))
        self.drift = self._drift()
        self.traffic = {store_type.id: self._traffic(store_type) for store_type in world.store_types}

    @staticmethod
    @lru_cache(maxsize=16)
    def of(world: World, rules: Rules) -> "Economy":
        """The economy of a world under some rules, shared by all episodes that run on it."""
        return Economy(world, rules)

    def delay(self, product: Product, day: dt.date) -> float | None:
        """The factor of active events on the lead time of an order; None without one."""
        return self.calendar.delay_factor(self.world.category_by_name[product.category].store_type, day)

    def account_stream(self) -> Random:
        """The generator of an account's draws without a name."""
        return named_stream(self.key, "account") if self.rules.secret_draws else Random(self.world.seed)

    def order_stream(self, account_stream: Random, number: int) -> Random:
        """The generator of a purchase order's lead time and delivered share: its own if draws are secret."""
        return named_stream(self.key, f"order {number}") if self.rules.secret_draws else account_stream

    def drift_factor(self, category: Category, day: dt.date) -> float:
        """What drift multiplies the demand of a category by."""
        return self.drift[category.store_type][day].get(category.name, 1.0) if self.drift else 1.0

    def _drift(self) -> dict[str, FunctionCache[dt.date, Mapping[str, float]]]:
        if not (self.rules.drift_categories and self.rules.drift_size):
            return {}
        drifts = {s.id: drifts_of(s, self.world, self.rules, self.key) for s in self.world.store_types}
        return {name: FunctionCache(partial(_drift_factors, found), CACHED_DAYS) for name, found in drifts.items()}

    def _demand(self, sku: str) -> ProductDemand:
        product = self.world.product_by_sku[sku]
        category = self.world.category_by_name[product.category]
        store_type = self.world.store_type_by_id[category.store_type]
        return ProductDemand(product, category, store_type, self.key, self.rules)

    def _traffic(self, store_type: StoreType) -> FunctionCache[dt.date, float]:
        return FunctionCache(lambda day: traffic(store_type, day, self.calendar, self.rules), CACHED_DAYS)
