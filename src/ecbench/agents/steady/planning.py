"""Which goods to carry, at what price: the shelf that earns most a day, by what is believed of demand and cost.

A deeper shelf sells more, but its goods crowd each other out under the ceilings of category and store; a higher price
sells less and sends more back. Both are tried on a grid, one line after the other, until nothing improves.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.agents.steady.crowd import category_share
from ecbench.agents.steady.notebook import Line, Trade
from ecbench.rules import DEFAULT_RULES
from ecbench.sums import added

RATIOS = (0.8, 0.9, 1.0, 1.06, 1.12, 1.18, 1.25, 1.32, 1.4, 1.5, 1.65, 1.85, 2.1, 2.5, 3.0, 3.7, 4.6, 6.0, 8.0, 11.0,
          15.0, 20.0, 28.0, 40.0)  # fmt: skip
DEPTHS = (1, 2, 3, 5, 8, 12, 18, 26, 38, 56, 82, 120, 180, 260, 380, 560)
COMMISSION = DEFAULT_RULES.commission
SHELF_DAYS = 10  # a unit waits in the warehouse
CYCLE_DAYS = 24  # between paying a supplier and having the customer's money
WEEK = (5 + 2 * DEFAULT_RULES.weekend_factor) / 7
FAST = DEFAULT_RULES.speed_return_factor["fast"]
PASSES = 2
_RATIO_COLUMN = np.array(RATIOS)[:, None]
_FLAT = np.ones((len(RATIOS), 1))
_KNEES = np.array(DEFAULT_RULES.price_return_knees)
RETURN_CURVE = np.interp(RATIOS, _KNEES[:, 0], _KNEES[:, 1])

Options = npt.NDArray[np.float64]


@dataclass(slots=True)
class Conditions:
    """What the plan assumes of the days ahead."""

    reputation: float = 0.9
    season: float = 1.0
    traffic: float = 1.0
    sharpness: float = 1.0
    hurdle: float = 0.0  # profit asked of every yuan put into goods, per cycle
    upkeep: float = 0.0  # profit asked of every listing, a day: attention is limited
    deepest: int = DEPTHS[-1]  # goods of a line that are carried at most
    sunk: bool = False  # the goods are paid for: sell what is there


def expected_returns(natural: float, ratio: float) -> float:
    """The share of sound goods that comes back at a price, shipped fast."""
    return min(0.9, natural * FAST * float(np.interp(ratio, _KNEES[:, 0], _KNEES[:, 1])))


class Choice(NamedTuple):
    ratio: float
    depth: int
    units: float  # a day, all listings together


class Plan(NamedTuple):
    profit: float  # a day, before the hurdle
    capital: float  # tied up in goods and in money on its way
    choices: dict[str, Choice]


class _Menu(NamedTuple):
    """Every option of a line, flat: ratio and depth, units before the store's ceiling, money per unit."""

    units: Options
    worth: Options  # per unit, after the hurdle
    upkeep: Options  # of the listings
    profit: Options
    cost: Options


def best_shelf(trade: Trade, conditions: Conditions, lines: list[Line]) -> Plan:
    capacity = trade.crowd.capacity
    menus = {line.name: _menu(trade, line, conditions) for line in lines}
    chosen: dict[str, int | None] = dict.fromkeys(menus)
    for _ in range(PASSES):
        before = dict(chosen)
        for name, menu in menus.items():
            units, worth = _rest(menus, chosen, name)
            value = (worth + menu.units * menu.worth) * capacity / (capacity + units + menu.units) - menu.upkeep
            best = int(value.argmax())
            chosen[name] = best if value[best] > worth * capacity / (capacity + units) else None
        if chosen == before:
            break
    return _plan(menus, chosen, capacity)


def _menu(trade: Trade, line: Line, conditions: Conditions) -> _Menu:
    depths, value = _depths(line, conditions.deepest)
    response = line.belief.responses(RATIOS, conditions.sharpness)[:, None]
    returned = np.minimum(0.9, line.returns * FAST * RETURN_CURVE)[:, None]
    boost = conditions.reputation * conditions.season * conditions.traffic * WEEK
    wish = (trade.crowd.reach * line.market * boost) * response * depths
    share = category_share(trade.crowd.categories)
    ceiling = share * trade.crowd.capacity
    units = wish if share >= 1.0 else wish * ceiling / (ceiling + wish)
    kept = 0.0 if conditions.sunk else line.cost * (1 - returned)
    handling = 2 * line.freight + line.storage * SHELF_DAYS
    profit = value * (_RATIO_COLUMN * (1 - COMMISSION - returned) - kept) - handling
    paid = _FLAT * (value * line.cost)
    upkeep = _FLAT * (conditions.upkeep * depths)
    worth = profit - conditions.hurdle * paid
    return _Menu(units.ravel(), worth.ravel(), upkeep.ravel(), profit.ravel(), paid.ravel())


def _depths(line: Line, deepest: int) -> tuple[Options, Options]:
    """How many of the dearest goods to carry, and what they are worth on average."""
    depths = [depth for depth in DEPTHS if depth <= min(deepest, len(line.goods))]
    return np.array(depths, dtype=float)[None, :], np.array([line.worth[depth] / depth for depth in depths])[None, :]


def _rest(menus: dict[str, _Menu], chosen: dict[str, int | None], but: str) -> tuple[float, float]:
    units = worth = 0.0
    for name, option in chosen.items():
        if option is not None and name != but:
            units += menus[name].units[option]
            worth += menus[name].units[option] * menus[name].worth[option]
    return units, worth


def _plan(menus: dict[str, _Menu], chosen: dict[str, int | None], capacity: float) -> Plan:
    units = added(menus[name].units[option] for name, option in chosen.items() if option is not None)
    factor = capacity / (capacity + units)
    profit = capital = 0.0
    choices = {}
    for name, option in chosen.items():
        if option is None:
            continue
        menu = menus[name]
        sold = float(menu.units[option]) * factor
        depths = len(menu.units) // len(RATIOS)
        choices[name] = Choice(RATIOS[option // depths], DEPTHS[option % depths], sold)
        profit += sold * float(menu.profit[option])
        capital += sold * float(menu.cost[option]) * CYCLE_DAYS
    return Plan(profit, capital, choices)
