"""The numeric environment: many years as arrays of NumPy.

years = ArrayYears(64, setting=Setting(days=90, reward="growth"))
seen, masks = years.reset(range(1_000_000, 1_000_064))
step = years.step(action)
step.observation, step.masks, step.reward, step.over

A step is a day of every seat. The arrays of an observation are reused: they contain the latest one, so copy what is to
be kept.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecbench.players.merchants.protocol import Call
from ecbench.rl.array_layout import ArraySizes
from ecbench.rl.array_seat import ArraySeat, DayPlan
from ecbench.rl.environment import Setting, in_grains, reward_named
from ecbench.rl.seat_arrays import Arrays, SeatArrays
from ecbench.rl.seat_transport import SeatTransport
from ecbench.rules import rule_set
from ecbench.table import Table
from ecbench.tools.office import Office
from ecbench.world.load import FRESH, load_world
from ecbench.world.model import World


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
        self._reward = reward_named(self.setting.reward)
        self._tables: list[Table | None] = [None] * years
        self._seats: list[ArraySeat | None] = [None] * (years * seats)
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
        world = load_world(self.setting.world if world_seed is None else f"{FRESH}{world_seed}")
        self._begin(year, world)

    def _begin(self, year: int, world: World) -> None:
        setting, rules = self.setting, self.arrays.rules
        last = self._tables[year]
        if last is not None:
            last.release()
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
        plans, looked = self.arrays.plans(action), np.zeros(len(self._seats), np.bool_)
        for year, table in enumerate(self._tables):
            if table is None:
                raise RuntimeError("there is no episode to take a step in: call reset first")
            if not table.done and year not in resting:
                self._play(table, year * self.seats, plans)
                rows = slice(year * self.seats, (year + 1) * self.seats)
                looked[rows] = [account.ending is None for account in table.accounts]
        self.arrays.derive(looked)
        reward = np.zeros(len(self._seats))
        for row, stake in enumerate(self._stakes):
            if not self.over[row]:
                reward[row] = self._rewarded(row, stake)
        return ArrayStep(self.arrays.observation, self.arrays.masks(), reward, self.over.copy())

    def _play(self, table: Table, first: int, plans: list[DayPlan]) -> None:
        """A day of one table: the seat that is earliest on the clock takes the next turn."""
        playing = [row for row in range(first, first + self.seats) if not self.over[row]]
        days = {row: self._seat(row).day(plans[row]) for row in playing}
        order = [first + number for number in table.seats_in_order()]
        while len(days) > 1:
            row = min(days, key=lambda row: (table.accounts[row - first].minute, order.index(row)))
            if next(days[row], days) is days:
                del days[row]
        for day in days.values():  # the last seat, or the only one
            for _ in day:
                pass
        for row in playing:
            self._seat(row).look()

    def _seat(self, row: int) -> ArraySeat:
        seat = self._seats[row]
        assert seat is not None, "a year that goes on has seats"
        return seat

    def _rewarded(self, row: int, stake: float) -> float:
        before, assets = self._assets[row], self.assets(row)
        self._assets[row] = assets
        reward = self._reward.step(before, assets)
        if self._seat(row).transport.over:
            self.over[row] = True
            reward += self._reward.end(assets, stake)
        return reward

    def assets(self, row: int) -> float:
        """Bank, wallet and escrow of a row in yuan, to 1/4096."""
        return in_grains(self.office(row).account.books.purse.total)

    def office(self, row: int = 0) -> Office:
        """Everything behind a row's tools, hidden from policies and open to studies."""
        year, number = divmod(row, self.seats)
        table = self._tables[year]
        assert table is not None, "there is an office once a year has begun"
        return table.offices[number]

    def calls(self, row: int = 0) -> list[Call]:
        """The tool calls to which the days of a row amount so far. Played as text they give the same year."""
        return self._seat(row).transport.calls()
