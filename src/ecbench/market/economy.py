"""What a world implies under a set of rules: immutable, cached, and shared by all episodes on the world."""

import datetime as dt
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from random import Random

from ecbench.market.cache import FunctionCache
from ecbench.market.calendar import Calendar
from ecbench.market.demand import category_capacity, traffic
from ecbench.market.draws import ReturnTrials, draw_key, named_stream, return_trials
from ecbench.market.drift import drifts_of, factors_on
from ecbench.market.product_demand import ProductDemand
from ecbench.rules import SPEEDS, Rules
from ecbench.world.model import Category, Product, StoreType, World

CACHED_SHIPMENTS = 100_000  # by each speed, unless they have more than
CACHED_UNITS = 4_000_000  # together
CACHED_DAYS = 4_096
MINUTES = 24 * 60  # of a day


class Capacity:
    """The daily capacity of a store type: kappa of the store and of each category (eq:app_saturation)."""

    def __init__(self, store_type: StoreType, rules: Rules) -> None:
        self.store = store_type.capacity
        self.category = category_capacity(store_type, rules)  # None: one category has it all


class AlikeShipments(dict[int, ReturnTrials]):
    """Return trials of shipments with the same number of units, by shipment number."""

    __slots__ = ("_returns", "_units")

    def __init__(self, returns: "Returns", units: int) -> None:
        super().__init__()
        self._returns = returns
        self._units = units

    def __missing__(self, number: int) -> ReturnTrials:
        return self._returns.draw(number, self._units)


class Returns(dict[int, AlikeShipments]):
    """Return trials of shipments at one speed, by number of units and then by shipment number.

    Shipments are sent in the order of their numbers, so each inner table is read in the order of its memory.
    """

    __slots__ = ("_draw", "_shipments", "_units")

    def __init__(self, draw: Callable[[int, int], ReturnTrials]) -> None:
        super().__init__()
        self._draw = draw
        self._shipments = self._units = 0

    def __missing__(self, units: int) -> AlikeShipments:
        alike = self[units] = AlikeShipments(self, units)
        return alike

    def draw(self, number: int, units: int) -> ReturnTrials:
        """Draw and cache. The cache is bounded by shipments and by units, since each unit takes memory."""
        self._shipments, self._units = self._shipments + 1, self._units + units
        if self._shipments > CACHED_SHIPMENTS or self._units > CACHED_UNITS:
            self.clear()
            self._shipments, self._units = 1, units
        trials = self[units][number] = self._draw(number, units)
        return trials


class Economy:
    """Demand, capacities, draws and calendar of a marketplace, each cached.

    `demands` by SKU. `returns` by speed, then by the units of a shipment and its number. `traffic` by store type and
    date: what weekday, season and events together do to every SKU of a store alike. `drift` by store type and date, of
    those with categories that drift: what multiplies the demand of each of these.
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
        self.returns = {speed: self._return_trials(speed) for speed in SPEEDS}
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
        factors = self.drift.get(category.store_type)
        return 1.0 if factors is None else factors[day].get(category.name, 1.0)

    def _drift(self) -> dict[str, FunctionCache[dt.date, Mapping[str, float]]]:
        if not (self.rules.drift_categories and self.rules.drift_size):
            return {}
        drifts = {s.id: drifts_of(s, self.world, self.rules, self.key) for s in self.world.store_types}
        return {name: FunctionCache(partial(factors_on, found), CACHED_DAYS) for name, found in drifts.items()}

    def _demand(self, sku: str) -> ProductDemand:
        product = self.world.product_by_sku[sku]
        category = self.world.category_by_name[product.category]
        store_type = self.world.store_type_by_id[category.store_type]
        return ProductDemand(product, category, store_type, self.key, self.rules)

    def _return_trials(self, speed: str) -> Returns:
        key, days = self.key, self.rules.return_days

        def draw(number: int, units: int) -> ReturnTrials:
            return return_trials(key, speed, number, units, days)

        return Returns(draw)

    def _traffic(self, store_type: StoreType) -> FunctionCache[dt.date, float]:
        return FunctionCache(lambda day: traffic(store_type, day, self.calendar, self.rules), CACHED_DAYS)
