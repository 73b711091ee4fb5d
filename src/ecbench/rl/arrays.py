"""The numeric environment: many years as arrays of NumPy.

years = ArrayYears(64, setting=Setting(days=90, reward="growth"))
seen, masks = years.reset(range(1_000_000, 1_000_064))
step = years.step(action)
step.observation, step.masks, step.reward, step.over

A step is a day of every seat. The arrays of an observation are reused: they contain the latest one, so copy what is to
be kept.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecbench.players.merchants.protocol import Call
from ecbench.rl.array_layout import (
    ACTIONS,
    AT_GOODS,
    AT_SHOP,
    AT_STORE,
    AT_STORE_TYPE,
    AT_SUPPLIER,
    BLOCKS,
    ArraySizes,
    action_most,
    action_shape,
    block_shape,
)
from ecbench.rl.array_seat import ArraySeat, DayPlan, DealPlan, Rows, StoreListing
from ecbench.rl.environment import Setting, in_grains, reward_of
from ecbench.rl.seat_transport import SeatTransport
from ecbench.rules import Rules, rule_set
from ecbench.table import Table
from ecbench.tools.office import Office
from ecbench.world.load import FRESH, load_world

Arrays = dict[str, NDArray[Any]]
PACE_DAYS = 7
ORDERS_EXPIRE = 20  # days


class ArrayStep(NamedTuple):
    """What a day came to, by seat."""

    observation: Arrays
    masks: Arrays
    reward: NDArray[np.float64]
    over: NDArray[np.bool_]  # the year has ended, by its last day or by bankruptcy


class ArrayYears:
    """Years side by side, of one seat or several each: `years` times `seats` rows, those of a year together.

    With `log` the calls that each seat's days amount to are kept.
    """

    def __init__(
        self,
        years: int = 1,
        seats: int = 1,
        setting: Setting | None = None,
        sizes: ArraySizes | None = None,
        *,
        log: bool = False,
    ) -> None:
        if years < 1:
            raise ValueError(f"there must be one episode or more, not {years}")
        self.setting = setting or Setting()
        self.years, self.seats = years, seats
        self.arrays = SeatArrays(years * seats, sizes or ArraySizes(), rule_set(self.setting.rules))
        self._tables: dict[int, Table] = {}  # by year
        self._seats: dict[int, ArraySeat] = {}  # by row
        self._log = log
        self._assets = [0.0] * (years * seats)
        self._stakes = [0.0] * (years * seats)
        self.over = np.zeros(years * seats, np.bool_)

    def reset(self, world_seeds: Sequence[int | None]) -> tuple[Arrays, Arrays]:
        """Begin every year, each on the fresh world of its seed; None: on the setting's. Observation and masks."""
        if len(world_seeds) != self.years:
            raise ValueError(f"{self.years} episodes need as many seeds, not {len(world_seeds)}")
        for year, seed in enumerate(world_seeds):
            self.begin(year, seed)
        return self.arrays.observation, self.arrays.masks()

    def begin(self, year: int, world_seed: int | None = None) -> None:
        """Begin one year; the others continue. Raises ValueError or WorldError."""
        setting, rules = self.setting, self.arrays.rules
        world = load_world(setting.world if world_seed is None else f"{FRESH}{world_seed}")
        if year in self._tables:
            self._tables[year].release()
        table = Table(world, seats=self.seats, days=setting.days, stake=setting.stake, rules=rules)
        self._tables[year] = table
        first = year * self.seats
        for number in range(self.seats):
            row = first + number
            transport = SeatTransport(table.offices[number], log=self._log)
            seat = ArraySeat(transport, self.arrays.rows(row), self.arrays.sizes)
            self._seats[row] = seat
            seat.begin()
            self._stakes[row] = self._assets[row] = in_grains(table.accounts[number].books.purse.total)
        self.over[first : first + self.seats] = False
        self.arrays.begin(range(first, first + self.seats))

    def step(self, action: Mapping[str, ArrayLike], resting: Collection[int] = ()) -> ArrayStep:
        """Play a day of every year that continues, but of those that are `resting`. Raises ValueError.

        The observation of a year that is over is that of its last day, and its reward is 0.
        """
        if len(self._tables) < self.years:
            raise RuntimeError("there is no episode to take a step in: call reset first")
        plans, looked = self.arrays.plans(action), np.zeros(len(self._seats), np.bool_)
        for year, table in self._tables.items():
            if not table.done and year not in resting:
                self._play(table, year * self.seats, plans)
                rows = slice(year * self.seats, (year + 1) * self.seats)
                looked[rows] = [account.ending is None for account in table.accounts]
        self.arrays.derive(looked)
        reward = np.array([0.0 if over else self._rewarded(row) for row, over in enumerate(self.over)])
        return ArrayStep(self.arrays.observation, self.arrays.masks(), reward, self.over.copy())

    def _play(self, table: Table, first: int, plans: list[DayPlan]) -> None:
        """A day of one table: the seat that is earliest on the clock takes the next turn."""
        playing = [row for row in range(first, first + self.seats) if not self.over[row]]
        days = {row: self._seats[row].day(plans[row]) for row in playing}
        order = [first + number for number in table.seats_in_order()]
        while len(days) > 1:
            row = min(days, key=lambda row: (table.accounts[row - first].minute, order.index(row)))
            if next(days[row], days) is days:
                del days[row]
        for day in days.values():  # the last seat, or the only one
            for _ in day:
                pass
        for row in playing:
            self._seats[row].look()

    def _rewarded(self, row: int) -> float:
        before, over = self._assets[row], self._seats[row].transport.over
        self._assets[row], self.over[row] = self.assets(row), over
        return reward_of(self.setting.reward, before, self._assets[row], self._stakes[row], over=over)

    def assets(self, row: int) -> float:
        """Bank, wallet and escrow of a row in yuan, to 1/4096."""
        return in_grains(self.office(row).account.books.purse.total)

    def office(self, row: int = 0) -> Office:
        """Everything behind a row's tools, hidden from policies and open to studies."""
        year, number = divmod(row, self.seats)
        return self._tables[year].offices[number]

    def calls(self, row: int = 0) -> list[Call]:
        """The tool calls to which the days of a row amount so far. Played as text they give the same year."""
        return self._seats[row].transport.calls()


class SeatArrays:
    """The arrays of some seats, and how actions become the plans of their days."""

    def __init__(self, count: int, sizes: ArraySizes, rules: Rules) -> None:
        self.sizes, self.rules = sizes, rules
        self.observation: Arrays = {name: np.zeros((count, *block_shape(name, sizes, rules))) for name in BLOCKS}
        # A field of all goods lies together in memory: most arithmetic is on one of them.
        *axes, fields = block_shape("goods", sizes, rules)
        goods = np.zeros((count, fields, *axes))
        self.observation["goods"] = np.moveaxis(goods, 1, -1)
        self._slots = int(np.prod(axes))
        self._goods = np.moveaxis(goods.reshape(count, fields, self._slots), 1, -1)
        self._limits = {
            field.name: ((count, *action_shape(field, sizes, rules)), field.least, action_most(field, sizes, rules))
            for field in ACTIONS
        }
        self._evening, self._delivered, self._returned, self._received, self._ordered_on = np.zeros(
            (5, count, self._slots)
        )

    def rows(self, seat: int) -> Rows:
        seen = self.observation
        return Rows(
            shop=seen["shop"][seat],
            store_types=seen["store_types"][seat],
            stores=seen["stores"][seat],
            suppliers=seen["suppliers"][seat],
            goods=self._goods[seat],
            evening=self._evening[seat],
            delivered=self._delivered[seat],
            returned=self._returned[seat],
            ordered_on=self._ordered_on[seat],
        )

    def begin(self, seats: Sequence[int]) -> None:
        """Figures that derive from two mornings start over."""
        self._received[seats] = self._delivered[seats]
        self._evening[seats] = self._goods[seats, :, AT_GOODS["shelf"]]

    def derive(self, looked: NDArray[np.bool_]) -> None:
        """Compute the figures that derive from this morning's looks and the last ones, for the seats that looked."""
        goods, at = self._goods, AT_GOODS
        unchanged = None if looked.all() else goods[~looked]
        had = self._evening > 0
        sold = np.where(had, self._evening - goods[..., at["shelf"]], 0.0)
        listed = goods[..., at["listed"]]
        listed += had
        pace = goods[..., at["pace"]]
        pace += np.where(had, (sold - pace) / np.clip(listed, 1, PACE_DAYS), 0.0)
        goods[..., at["sold"]] = sold
        expired = self.observation["shop"][:, None, AT_SHOP["day"]] - self._ordered_on > ORDERS_EXPIRE
        coming = goods[..., at["coming"]] - (self._delivered - self._received)
        goods[..., at["coming"]] = np.where(expired, 0.0, np.maximum(coming, 0.0))
        goods[..., at["returned"]] = self._returned / np.maximum(self._delivered, 1.0)
        if unchanged is not None:
            goods[~looked] = unchanged
        self._received[...] = self._delivered
        self._evening[...] = goods[..., at["shelf"]]

    def masks(self) -> Arrays:
        """Which choices an action has: arrays of booleans, where True may be chosen."""
        shop, store_types, stores = (self.observation[name] for name in ("shop", "store_types", "stores"))
        suppliers, goods = self.observation["suppliers"], self.observation["goods"]
        is_open = stores[..., AT_STORE["store_type"]] > 0
        can_open = (shop[:, AT_SHOP["bank"]] >= self.rules.setup_fee) & ~is_open.all(axis=1)
        free = (store_types[..., AT_STORE_TYPE["categories"]] > 0) & (store_types[..., AT_STORE_TYPE["open"]] == 0)
        usable = (suppliers[..., AT_SUPPLIER["known"]] > 0) & (suppliers[..., AT_SUPPLIER["closed"]] == 0)
        carried = goods[..., AT_GOODS["reference"]] > 0
        speeds = np.repeat(shop[:, AT_SHOP["unshipped"], None] > 0, 3, axis=1)
        return {
            "ship": _or_none(speeds),
            "withdraw": _or_none(shop[:, AT_SHOP["wallet"], None] > 0),
            "open": _or_none(free & can_open[:, None]),
            "close": _or_none(is_open),
            "discount": is_open & (shop[:, AT_SHOP["promotion_age"], None] >= 0),
            "supplier": _or_none(usable),
            "price": carried,
            "units": carried,
        }

    def plans(self, action: Mapping[str, ArrayLike]) -> list[DayPlan]:
        """The plan of each seat's day. Numbers out of range count as the nearest in it. Raises ValueError."""
        given = self._checked(action)
        ship, withdraw, opening, close, discounts = (
            given[name].tolist() for name in ("ship", "withdraw", "open", "close", "discount")
        )
        listing, deals = self._listing(given["price"]), self._deals(given)
        return [
            DayPlan(ship[seat], bool(withdraw[seat]), opening[seat], close[seat], discounts[seat], *lists)
            for seat, lists in enumerate(zip(listing, deals, strict=True))
        ]

    def _checked(self, action: Mapping[str, ArrayLike]) -> Arrays:
        checked = {}
        if action.keys() != self._limits.keys():
            names, given = ", ".join(sorted(self._limits)), ", ".join(sorted(action))
            raise ValueError(f"an action has the arrays {names}, not {given}")
        for field in ACTIONS:
            shape, least, most = self._limits[field.name]
            array = np.asarray(action[field.name])
            if array.shape != shape:
                raise ValueError(f"the array {field.name} has the shape {shape}, not {array.shape}")
            array = np.fmin(np.fmax(array, least), most)  # a NaN counts as the least
            checked[field.name] = array.astype(np.int64) if field.whole else array
        return checked

    def _listing(self, ratios: NDArray[np.float64]) -> list[dict[int, StoreListing]]:
        """By seat and store, the goods to list and those to reprice."""
        goods, at = self._goods, AT_GOODS
        free = goods[..., at["free"]]
        prices = np.round(np.round(ratios.reshape(free.shape), 2) * goods[..., at["reference"]], 2)
        changed = (goods[..., at["price"]] > 0) & (goods[..., at["shelf"]] > 0) & (goods[..., at["price"]] != prices)
        chosen = (prices > 0) & ((free > 0) | changed)
        seats, slots = np.nonzero(chosen)
        stores = slots // (self.sizes.categories * self.sizes.goods)
        listing: list[dict[int, StoreListing]] = [{} for _ in goods]
        units = free[chosen].astype(np.int64)
        columns = (seats, stores, slots, units, prices[chosen])
        for seat, store, slot, count, price in zip(*(column.tolist() for column in columns), strict=True):
            plan = listing[seat].setdefault(store, StoreListing([], []))
            if count:
                plan.publish.append((slot, count, price))
            else:
                plan.reprice.append((slot, price))
        return listing

    def _deals(self, given: Arrays) -> list[list[DealPlan]]:
        """By seat, the categories to buy in, most urgent first."""
        units = np.where(self.observation["goods"][..., AT_GOODS["reference"]] > 0, given["units"], 0)
        chosen = (given["supplier"] > 0) & units.any(axis=-1)
        columns = [given[name][chosen].tolist() for name in ("supplier", "priority", "bid", "raise", "rounds", "fair")]
        deals: list[list[tuple[float, DealPlan]]] = [[] for _ in units]
        indices = np.argwhere(chosen).tolist()
        for (seat, store, category), wanted, *terms in zip(indices, units[chosen].tolist(), *columns, strict=True):
            first = (store * self.sizes.categories + category) * self.sizes.goods
            wants = [(slot, count) for slot, count in enumerate(wanted, first) if count]
            supplier, priority, bid, step, rounds, fair = terms
            deals[seat].append((priority, DealPlan(store, category, supplier - 1, wants, bid, step, rounds, fair)))
        return [[deal for _, deal in sorted(found, key=lambda pair: -pair[0])] for found in deals]


def _or_none(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask with a choice in front of the others that is always there: none of them."""
    return np.concatenate((np.ones((*mask.shape[:-1], 1), np.bool_), mask), axis=-1)
