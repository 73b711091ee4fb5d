"""Which goods to carry, at what price: the shelf that earns most a day, by what is believed of demand and cost.

A deeper shelf sells more, but its goods crowd each other out under the ceilings of category and store; a higher price
sells less and sends more back. Both are tried on a grid, one line after the other, until nothing improves.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.market.demand import saturation
from ecbench.market.price_columns import price_curves, saturations
from ecbench.market.returns import price_curve
from ecbench.players.merchants.steady.merchant_state import DEPTHS, Trade, TradeLine
from ecbench.rules import DEFAULT_RULES, Rules

RATIOS = (0.8, 0.9, 1.0, 1.06, 1.12, 1.18, 1.25, 1.32, 1.4, 1.5, 1.65, 1.85, 2.1, 2.5, 3.0, 3.7, 4.6, 6.0, 8.0, 11.0,
          15.0, 20.0, 28.0, 40.0)  # fmt: skip
COMMISSION = DEFAULT_RULES.commission
SHELF_DAYS = 10  # a unit waits in the warehouse
WEEK = (5 + 2 * DEFAULT_RULES.weekend_factor) / 7
FAST = DEFAULT_RULES.speed_return_factor["fast"]
MOST_RETURNS = 0.9  # of what was sold, at any price
PASSES = 2
DARING = 2.5  # a price may be this many times the highest one that customers have been seen to pay
_RATIO_ROW, _DEPTH_ROW = np.array(RATIOS), np.array(DEPTHS, dtype=float)
_NOTHING = np.empty((0, len(RATIOS), 1))

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
    rules: Rules = DEFAULT_RULES


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


class Outlook(NamedTuple):
    """All that a trade could do: each of its lines at every ratio with every depth, in arrays by line, ratio, depth."""

    capacity: float
    lines: list[str]
    units: Options  # before the store's ceiling
    profit: Options  # per unit
    cost: Options  # per unit
    lacking: npt.NDArray[np.bool_]  # whether a line has too few goods for the depth, whatever the ratio


def return_factor(ratio: float, rules: Rules) -> float:
    """What comes back at a price, over what comes back at the reference price."""
    return price_curve(ratio, rules.price_return_knees, rules.price_return_slope)


@lru_cache(maxsize=16)
def _return_curve(rules: Rules) -> Options:
    return price_curves(_RATIO_ROW, rules)


def shelf_options(trade: Trade, conditions: Conditions, lines: list[TradeLine]) -> Outlook:
    """All lines at once, since most of what a small array costs is the call."""
    demand, most = trade.demand, bisect_right(DEPTHS, conditions.deepest)
    if not lines:
        return Outlook(demand.capacity, [], _NOTHING, _NOTHING, _NOTHING, _NOTHING == 0.0)
    value = np.array([line.means for line in lines])[:, None, :most]
    boost = conditions.reputation * conditions.season * conditions.traffic * WEEK
    known = [(line.proven, line.market, line.returns, line.cost, line.premium, _handling(line)) for line in lines]
    proven, market, natural, cost, premium, handling = np.array(known).T[
        :, :, None
    ]  # one of each line, beside all its ratios
    response = np.array([line.belief.responses(RATIOS, conditions.sharpness) for line in lines])
    tried = (DARING * proven >= _RATIO_ROW) & (conditions.rules.price_ceiling >= _RATIO_ROW)
    wish = (demand.reach * market * boost * (response * tried))[:, :, None] * _DEPTH_ROW[:most]
    units = wish if demand.share >= 1.0 else wish * saturations(demand.share * demand.capacity, wish)
    returned = np.minimum(MOST_RETURNS, natural * FAST * _return_curve(conditions.rules))
    margin = _RATIO_ROW * (1 - COMMISSION - returned) - (0.0 if conditions.sunk else (cost + premium) * (1 - returned))
    profit = value * margin[:, :, None] - handling[:, :, None]
    names = [line.name for line in lines]
    return Outlook(demand.capacity, names, units, profit, value * cost[:, :, None], lacking=value == 0.0)


def _handling(line: TradeLine) -> float:
    """What a unit costs beside its price."""
    return 2 * line.freight + line.storage * SHELF_DAYS


def best_shelf(outlook: Outlook, claims: Claims = Claims()) -> Plan:  # noqa: B008 - a tuple is never changed
    """Line after line the option that adds most to the store as it stands, twice over."""
    if not outlook.lines:
        return Plan(0.0, 0.0, {})
    capacity, chosen, options = outlook.capacity, [-1] * len(outlook.lines), (len(outlook.lines), -1)
    worth = outlook.units * (outlook.profit - claims.hurdle * outlook.cost)
    np.copyto(worth, -np.inf, where=outlook.lacking)
    worth, units = worth.reshape(options), outlook.units.reshape(options)
    upkeep = claims.upkeep * _listings(outlook.units.shape[2])
    sold = earned = 0.0  # units before the store's ceiling, and what they are worth
    for _ in range(PASSES):
        before = chosen.copy()
        for line, (drawn, won) in enumerate(zip(units, worth, strict=True)):
            if chosen[line] >= 0:
                sold -= drawn.item(chosen[line])
                earned -= won.item(chosen[line])
            value = (earned + won) * (capacity / (capacity + sold + drawn)) - upkeep
            best = int(value.argmax())
            chosen[line] = best if value.item(best) > earned * saturation(capacity, sold) else -1
            if chosen[line] >= 0:
                sold += drawn.item(best)
                earned += won.item(best)
        if chosen == before:
            break
    return _plan(outlook, chosen, saturation(capacity, sold))


@lru_cache(maxsize=len(DEPTHS) + 1)
def _listings(depths: int) -> Options:
    """Of every option of a line, as a flat array has them."""
    return np.tile(_DEPTH_ROW[:depths], len(RATIOS))


def _plan(outlook: Outlook, chosen: list[int], served: float) -> Plan:
    profit = spending = 0.0
    choices = {}
    for line, option in enumerate(chosen):
        if option < 0:
            continue
        ratio, depth = divmod(option, outlook.units.shape[2])
        units = outlook.units.item(line, ratio, depth) * served
        choices[outlook.lines[line]] = Choice(RATIOS[ratio], DEPTHS[depth], units)
        profit += units * outlook.profit.item(line, ratio, depth)
        spending += units * outlook.cost.item(line, 0, depth)
    return Plan(profit, spending, choices)
