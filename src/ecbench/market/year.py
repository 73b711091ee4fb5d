"""One simulated year: the market, a merchant's books in it, and the clock between them."""

import datetime as dt
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from random import Random

from ecbench.market.appeal import Appeal
from ecbench.market.books import Books, NewsItem
from ecbench.market.calendar import Calendar
from ecbench.market.draws import ReturnTrials, return_trials
from ecbench.market.ledger import Purse
from ecbench.market.remembered import Remembered
from ecbench.rules import SPEEDS, Rules
from ecbench.world.model import Category, StoreType, World

REMEMBERED_SHIPMENTS = 100_000  # by each speed
REMEMBERED_DAYS = 4_096
MINUTES = 24 * 60  # of a day
SHIPMENT_BITS = 32  # of the keys of `Market.returns`; the units stand above them
SHIPMENT_MASK = (1 << SHIPMENT_BITS) - 1


class Capacity:
    """How much demand a store of one type can absorb in a day, whole and per category (eq:app_saturation)."""

    def __init__(self, store_type: StoreType, rules: Rules) -> None:
        fraction = min(1.0, max(rules.category_fraction, rules.category_spread / len(store_type.categories)))
        self.store = store_type.capacity
        self.category = fraction * store_type.capacity if fraction < 1.0 else None  # None: one category has it all
        self.no_demand = dict.fromkeys(store_type.categories, 0.0)


class Market:
    """The marketplace that merchants trade in. Nothing here changes during an episode, so episodes share it.

    `appeals` by SKU. `returns` by speed, then by the number of a shipment and, above its bits, its units: a pair as a
    key would be one more object for every shipment. `traffic` by store type and date: what weekday, season and events
    together do to every SKU of a store alike.
    """

    def __init__(self, world: World, rules: Rules) -> None:
        self.world = world
        self.rules = rules
        self.calendar = Calendar(world)
        self.escrow_time = dt.timedelta(days=rules.escrow_days)
        self.time_to_ship = dt.timedelta(days=rules.ship_deadline_days)
        self.opening_minute = rules.opening_hour * 60
        self.closing_minute = rules.closing_hour * 60
        # No day of operations costs more, so a bank that holds this much needs no closer look.
        self.dearest_day = rules.max_stores * max(rules.operating_cost.values())
        self.capacities = {s.id: Capacity(s, rules) for s in world.store_types}
        self.appeals: Remembered[str, Appeal] = Remembered(self._appeal, len(world.products))
        self.returns = {speed: self._return_trials(speed) for speed in SPEEDS}
        self.traffic = {store_type.id: self._day_traffic(store_type) for store_type in world.store_types}

    @staticmethod
    @lru_cache(maxsize=16)
    def of(world: World, rules: Rules) -> "Market":
        """The market of a world under some rules, shared by all episodes that run on it."""
        return Market(world, rules)

    def _return_trials(self, speed: str) -> Remembered[int, ReturnTrials]:
        seed, days = self.world.seed, self.rules.return_days

        def draw(shipment: int) -> ReturnTrials:
            return return_trials(seed, speed, shipment & SHIPMENT_MASK, shipment >> SHIPMENT_BITS, days)

        return Remembered(draw, REMEMBERED_SHIPMENTS)

    def _appeal(self, sku: str) -> Appeal:
        product = self.world.product_by_sku[sku]
        category = self.world.category_by_name[product.category]
        return Appeal(product, category, self.base_demand[category.name], self.world.seed, self.rules)

    def _day_traffic(self, store_type: StoreType) -> Remembered[dt.date, float]:
        def traffic(day: dt.date) -> float:
            weekday = self.rules.weekend_factor if day.weekday() >= 5 else 1.0
            return weekday * store_type.seasonality[day.month - 1] * self.calendar.demand_factor(store_type.id, day)

        return Remembered(traffic, REMEMBERED_DAYS)

    @cached_property
    def base_demand(self) -> dict[str, float]:
        """Units a day of each category in a store of its type, before any multiplier (eq:app_base)."""
        return {c.name: self._base(c) for c in self.world.categories}

    def _base(self, category: Category) -> float:
        store_type = self.world.store_type_by_id[category.store_type]
        monthly = (category.sales_min + category.sales_max) / 2
        return monthly / 30 * self.rules.platform_share * store_type.demand_scale


iso = lru_cache(maxsize=4096)(dt.date.isoformat)


@dataclass(slots=True)
class DayNews:
    date: dt.date
    day: int
    items: list[NewsItem] = field(default_factory=list)


@dataclass(slots=True)
class Year:
    market: Market
    world: World
    rules: Rules
    books: Books
    rng: Random  # lead times, delivery shares and the order of supplier lists
    days: int
    date: dt.date
    today: str  # the date as text
    minute: int
    day: int = 0
    ending: str | None = None
    news: list[DayNews] = field(default_factory=list)  # posted since the agent last heard

    def moment(self, minutes: int) -> dt.datetime:
        """Counted from the midnight before the first day."""
        return dt.datetime.combine(self.world.start, dt.time()) + dt.timedelta(minutes=minutes)

    @property
    def now(self) -> dt.datetime:
        return dt.datetime.combine(self.date, dt.time(self.minute // 60, self.minute % 60))

    @property
    def done(self) -> bool:
        return self.ending is not None

    def post(self, kind: str, content: str) -> None:
        if not self.news or self.news[-1].day != self.day:
            self.news.append(DayNews(self.date, self.day))
        self.news[-1].items.append(NewsItem(kind, content))

    def copy(self) -> "Year":
        rng = Random()
        rng.setstate(self.rng.getstate())
        return Year(
            self.market,
            self.world,
            self.rules,
            self.books.copy(),
            rng,
            self.days,
            self.date,
            self.today,
            self.minute,
            self.day,
            self.ending,
            [DayNews(n.date, n.day, n.items.copy()) for n in self.news],
        )


def open_year(market: Market, *, days: int, stake: float) -> Year:
    return Year(
        market=market,
        world=market.world,
        rules=market.rules,
        books=Books(Purse(stake=stake, bank=stake)),
        rng=Random(market.world.seed),
        days=days,
        date=market.world.start,
        today=iso(market.world.start),
        minute=market.opening_minute,
    )
