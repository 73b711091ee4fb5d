"""Which goods to carry, at what price: the shelf that earns most a day, by what is believed of demand and cost.

A deeper shelf sells more, but its goods crowd each other out under the ceilings of category and store; a higher price
sells less and sends more back. Both are tried on a grid, one line after the other, until nothing improves.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.agents.steady.notebook import Trade, TradeLine
from ecbench.market.demand import saturation
from ecbench.rules import DEFAULT_RULES

RATIOS = (0.8, 0.9, 1.0, 1.06, 1.12, 1.18, 1.25, 1.32, 1.4, 1.5, 1.65, 1.85, 2.1, 2.5, 3.0, 3.7, 4.6, 6.0, 8.0, 11.0,
          15.0, 20.0, 28.0, 40.0)  # fmt: skip
DEPTHS = (1, 2, 3, 5, 8, 12, 18, 26, 38, 56, 82, 120, 180, 260, 380, 560)
COMMISSION = DEFAULT_RULES.commission
SHELF_DAYS = 10  # a unit waits in the warehouse
WEEK = (5 + 2 * DEFAULT_RULES.weekend_factor) / 7
FAST = DEFAULT_RULES.speed_return_factor["fast"]
PASSES = 2
DARING = 2.5  # a price may be this many times the highest one that customers have been seen to pay
_RATIO_COLUMN = np.array(RATIOS)[:, None]
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
    deepest: int = DEPTHS[-1]  # goods of a line that are carried at most
    sunk: bool = False  # the goods are paid for: sell what is there


class Claims(NamedTuple):
    """What has to be earned beyond the costs, because money and attention are limited."""

    hurdle: float = 0.0  # by every yuan put into goods, per cycle
    upkeep: float = 0.0  # by every listing, a day


class Choice(NamedTuple):
    ratio: float
    depth: int
    units: float  # a day, all listings together


class Plan(NamedTuple):
    profit: float  # a day, before the claims
    spending: float  # on goods, a day
    choices: dict[str, Choice]

    @property
    def listings(self) -> int:
        return sum(choice.depth for choice in self.choices.values())


class Menu(NamedTuple):
    """Every option of a line, flat: each ratio with each depth."""

    units: Options  # before the store's ceiling
    profit: Options  # per unit
    cost: Options  # per unit
    listings: Options


class Outlook(NamedTuple):
    """All that a trade could do."""

    capacity: float
    menus: dict[str, Menu]


def expected_returns(natural: float, ratio: float) -> float:
    """The share of sound goods that comes back at a price, shipped fast."""
    return min(0.9, natural * FAST * _return_factor(ratio))


@lru_cache(maxsize=1024)
def _return_factor(ratio: float) -> float:
    return float(np.interp(ratio, _KNEES[:, 0], _KNEES[:, 1]))


def look_ahead(trade: Trade, conditions: Conditions, lines: list[TradeLine]) -> Outlook:
    return Outlook(trade.crowd.capacity, {line.name: _menu(trade, line, conditions) for line in lines})


def _menu(trade: Trade, line: TradeLine, conditions: Conditions) -> Menu:
    depths, value = _depths(line, conditions.deepest)
    response = line.belief.responses(RATIOS, conditions.sharpness)[:, None] * (DARING * line.proven >= _RATIO_COLUMN)
    returned = np.minimum(0.9, line.returns * FAST * RETURN_CURVE)[:, None]
    boost = conditions.reputation * conditions.season * conditions.traffic * WEEK
    wish = (trade.crowd.reach * line.market * boost) * response * depths
    share = trade.crowd.share
    units = wish if share >= 1.0 else wish * saturation(np.array(share * trade.crowd.capacity), wish)
    kept = 0.0 if conditions.sunk else line.cost * (1 - returned)
    handling = 2 * line.freight + line.storage * SHELF_DAYS
    profit = value * (_RATIO_COLUMN * (1 - COMMISSION - returned) - kept) - handling
    cost, listings = np.tile(value[0] * line.cost, len(RATIOS)), np.tile(depths[0], len(RATIOS))
    return Menu(units.ravel(), profit.ravel(), cost, listings)


def _depths(line: TradeLine, deepest: int) -> tuple[Options, Options]:
    """How many of the dearest goods to carry, and what they are worth on average."""
    depths = [depth for depth in DEPTHS if depth <= min(deepest, len(line.goods))]
    return np.array(depths, dtype=float)[None, :], np.array([line.worth[depth] / depth for depth in depths])[None, :]


def best_shelf(outlook: Outlook, claims: Claims = Claims()) -> Plan:  # noqa: B008 - a tuple is never changed
    """Line after line the option that adds most to the store as it stands, twice over."""
    capacity, chosen = outlook.capacity, dict.fromkeys(outlook.menus, -1)
    worth = {name: menu.units * (menu.profit - claims.hurdle * menu.cost) for name, menu in outlook.menus.items()}
    upkeep = {name: claims.upkeep * menu.listings for name, menu in outlook.menus.items()}
    sold = earned = 0.0  # units before the store's ceiling, and what they are worth
    for _ in range(PASSES):
        before = dict(chosen)
        for name, menu in outlook.menus.items():
            if chosen[name] >= 0:
                sold -= float(menu.units[chosen[name]])
                earned -= float(worth[name][chosen[name]])
            value = (earned + worth[name]) * (capacity / (capacity + sold + menu.units)) - upkeep[name]
            best = int(value.argmax())
            chosen[name] = best if value[best] > earned * saturation(capacity, sold) else -1
            if chosen[name] >= 0:
                sold += float(menu.units[best])
                earned += float(worth[name][best])
        if chosen == before:
            break
    return _plan(outlook, chosen, saturation(capacity, sold))


def _plan(outlook: Outlook, chosen: dict[str, int], served: float) -> Plan:
    profit = spending = 0.0
    choices = {}
    for name, option in chosen.items():
        if option < 0:
            continue
        menu = outlook.menus[name]
        units, depth = float(menu.units[option]) * served, int(menu.listings[option])
        choices[name] = Choice(RATIOS[option * len(RATIOS) // len(menu.units)], depth, units)
        profit += units * float(menu.profit[option])
        spending += units * float(menu.cost[option])
    return Plan(profit, spending, choices)
