"""The plans of the merchant: which stores to keep, what to carry at which price, and how scarce money and goods are.

These functions are public: whoever plans with a `MerchantState` of its own, as a review does, uses them from here.

A deeper shelf sells more, but its goods crowd each other out under the ceilings of category and store; a higher price
sells less and sends more back. Both are tried on a grid, by what is believed of demand and cost.
"""

from bisect import bisect_right
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.market.best_shelf import Column, fill_line_by_line, price_curves, saturations
from ecbench.market.demand import saturation
from ecbench.market.returns import price_curve
from ecbench.players.merchants.steady.state import DEPTHS, MerchantState, ShelfLine, Source, StoreTypeView
from ecbench.players.merchants.steady.store_sales import Promotions
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.sums import ordered_sum

RATIOS = (0.8, 0.9, 1.0, 1.06, 1.12, 1.18, 1.25, 1.32, 1.4, 1.5, 1.65, 1.85, 2.1, 2.5, 3.0, 3.7, 4.6, 6.0, 8.0, 11.0,
          15.0, 20.0, 28.0, 40.0)  # fmt: skip
COMMISSION = DEFAULT_RULES.commission
SHELF_DAYS = 10  # a unit waits in the warehouse
WEEK = (5 + 2 * DEFAULT_RULES.weekend_factor) / 7
FAST = DEFAULT_RULES.speed_return_factor["fast"]
MOST_RETURNS = 0.9  # of what was sold, at any price
DARING = 2.5  # a price may be this many times the highest one that customers have been seen to pay
_RATIO_ROW, _DEPTH_ROW = np.array(RATIOS), np.array(DEPTHS, dtype=float)
_NOTHING = np.empty((0, len(RATIOS), 1))
SLOTS = DEFAULT_RULES.max_stores
SETTLED_REPUTATION = 0.8
HURDLES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.3, 1.6, 2.0)
TRIALS = 0.6  # of the year, in which new store types are tried
HURRY = 45  # days in which two stores at a time serve for trials, later one
BETTER, WORTH_A_MOVE = 1.4, 500.0  # what another store type must promise: a multiple, and yuan a day on top
PROMOTION_SHARPNESS = 1.8
LEAD_DAYS = 6
MOST_COVER, LEAST_COVER = 24, 8  # days beyond the lead time, with plenty of money and with little
SCARCE = 0.6  # the hurdle from which money is little
CLOSING_DAYS = 16  # days left in which what is there is sold
LISTING_CAPITAL = 2_500.0  # behind a listing, so that a wide shelf is not an empty one
ROOM = 0.75  # of the listings that can be afforded: below it there is room for more
RATION_STEP, RATION_STEPS = 1.4, 10  # by which the claim on a listing moves, and how often at once
LEAST_UPKEEP = 0.01
MEAN_STOCK = 0.7  # of the target stock, on average
PAYMENT_DAYS = 11  # between a sale and its money
FIRST_SUPPLY_STEP, SUPPLY_STEP_SHARE, SUPPLY_STEPS = 0.2, 0.6, 7  # over reference; each over the one before; how many
SCARCE_MONEY = 2.0  # power of 1 + hurdle by which a premium is divided


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
    """All that a store could do: each of its lines at every ratio with every depth, in arrays by line, ratio, depth."""

    capacity: float
    lines: list[str]
    units: Column  # before the store's ceiling
    profit: Column  # per unit
    cost: Column  # per unit
    lacking: npt.NDArray[np.bool_]  # whether a line has too few goods for the depth, whatever the ratio


def return_factor(ratio: float, rules: Rules) -> float:
    """What comes back at a price, over what comes back at the reference price."""
    return price_curve(ratio, rules.price_return_knees, rules.price_return_slope)


def shelf_options(store_type: StoreTypeView, conditions: Conditions, lines: list[ShelfLine]) -> Outlook:
    """All lines at once, since most of what a small array costs is the call."""
    demand, most = store_type.demand, bisect_right(DEPTHS, conditions.deepest)
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
    raw_demand = (demand.reach * market * boost * (response * tried))[:, :, None] * _DEPTH_ROW[:most]
    units = raw_demand if demand.share >= 1.0 else raw_demand * saturations(demand.share * demand.capacity, raw_demand)
    returned = np.minimum(MOST_RETURNS, natural * FAST * price_curves(_RATIO_ROW, conditions.rules))
    margin = _RATIO_ROW * (1 - COMMISSION - returned) - (0.0 if conditions.sunk else (cost + premium) * (1 - returned))
    profit = value * margin[:, :, None] - handling[:, :, None]
    names = [line.name for line in lines]
    return Outlook(demand.capacity, names, units, profit, value * cost[:, :, None], lacking=value == 0.0)


def _handling(line: ShelfLine) -> float:
    """What a unit costs beside its price."""
    return 2 * line.freight + line.storage * SHELF_DAYS


def best_shelf(outlook: Outlook, claims: Claims = Claims()) -> Plan:  # noqa: B008 - a tuple is never changed
    """The shelf that earns most beyond the claims, as far as filling it line by line finds it."""
    if not outlook.lines:
        return Plan(0.0, 0.0, {})
    depths, options = outlook.units.shape[2], (len(outlook.lines), -1)
    worth = outlook.units * (outlook.profit - claims.hurdle * outlook.cost)
    np.copyto(worth, -np.inf, where=outlook.lacking)
    upkeep = claims.upkeep * np.tile(_DEPTH_ROW[:depths], len(RATIOS))
    chosen = fill_line_by_line(outlook.units.reshape(options), worth.reshape(options), upkeep, outlook.capacity)
    picks = {line: divmod(option, depths) for line, option in enumerate(chosen) if option >= 0}
    wanted = {line: outlook.units.item(line, *pick) for line, pick in picks.items()}
    served = saturation(outlook.capacity, ordered_sum(wanted.values()))
    profit = spending = 0.0
    choices = {}
    for line, (ratio, depth) in picks.items():
        units = wanted[line] * served
        choices[outlook.lines[line]] = Choice(RATIOS[ratio], DEPTHS[depth], units)
        profit += units * outlook.profit.item(line, ratio, depth)
        spending += units * outlook.cost.item(line, 0, depth)
    return Plan(profit, spending, choices)


def claims(state: MerchantState) -> Claims:
    return Claims(HURDLES[state.hurdle], max(state.upkeep, state.rules.listing_fee))


def tried_lines(store_type: StoreTypeView) -> list[ShelfLine]:
    """Lines that are known and that some supplier still sells."""
    return [line for line in store_type.lines.values() if line.tried and any(not s.dropped for s in line.sources)]


def appraise(state: MerchantState) -> None:
    """What each known store type would earn a day with a settled reputation, at today's scarcity of money."""
    for store_type in state.store_types.values():
        if store_type.known:
            plan = settled_plan(state, store_type)
            store_type.potential = plan.profit - store_type.daily_cost - state.rules.listing_fee * plan.listings


def settled_plan(state: MerchantState, store_type: StoreTypeView) -> Plan:
    ordinary = Conditions(reputation=SETTLED_REPUTATION, deepest=state.deepest, rules=state.rules)
    return best_shelf(shelf_options(store_type, ordinary, tried_lines(store_type)), claims(state))


def net_worth_a_day(state: MerchantState, store_type: StoreTypeView) -> float:
    """What a store type would earn a day beyond what its money and its listings would earn in the others."""
    plan, asked = settled_plan(state, store_type), claims(state)
    return plan.profit - (asked.upkeep * plan.listings + asked.hurdle * plan.spending) - store_type.daily_cost


def trial_slots(state: MerchantState) -> int:
    """Stores that are not for types that have proved themselves: all of them at first, none once all are tried."""
    if not any(store_type.known for store_type in state.store_types.values()):
        return SLOTS
    untried = (
        any(store_type.ordered_on is None for store_type in state.store_types.values())
        and state.day < TRIALS * state.days
    )
    if untried or any(not store_type.known for store_type in state.open_types):
        return 2 if state.days_in < HURRY else 1
    return 0


def types_to_keep(state: MerchantState) -> list[StoreTypeView]:
    """The best of the known store types.

    One that has a store loses its reputation when it closes, and is only given up for one that promises clearly more.
    """

    def standing(store_type: StoreTypeView) -> float:
        promised = store_type.potential or 0.0
        return promised * BETTER + WORTH_A_MOVE if store_type.store else promised

    known = [
        store_type for store_type in state.store_types.values() if store_type.known and store_type.potential is not None
    ]
    return sorted(known, key=standing, reverse=True)[: state.slots - trial_slots(state)]


def working_capital(state: MerchantState) -> float:
    """Money and goods: what can work."""
    goods = 0.0
    for held in (state.shelf, state.coming, state.free):
        for sku, units in held.items():
            item = state.goods[sku]
            goods += units * item.reference * state.lines[item.line].cost
    return state.bank + state.escrow + goods


def make_plans(state: MerchantState, promotions: Promotions) -> None:
    """As little is asked of a yuan and of a listing as the money at hand allows, and the same in every store type."""
    available = working_capital(state)
    price_supply(state)
    running = [store_type for store_type in state.open_types if store_type.known]
    outlooks = {t.id: shelf_options(t, conditions(state, t), tried_lines(t)) for t in running}
    state.hurdle = max(0, state.hurdle - 1)
    plans = ration_listings(state, outlooks, available)
    while state.hurdle < len(HURDLES) - 1 and required_capital(state, plans) > available:
        state.hurdle += 1
        plans = plan_all(state, outlooks)
        if not any(plan.listings for plan in plans.values()):  # what is asked of a listing was fitted to a lower hurdle
            plans = ration_listings(state, outlooks, available)
    for store_type in running:
        apply_plan(store_type, plans[store_type.id])
        if promotions.covers(store_type) and not state.rules.promotion_memory_days:
            price_for_offer(state, store_type, promotions)


def price_supply(state: MerchantState) -> None:
    """Ask more for goods while plans for plenty of money sell more than suppliers can deliver until the year's end.

    The price of a line's goods, over what they cost now, is where those wants meet what suppliers with floors up to it
    have left. While money is scarce it weighs less: sales of today are worth more than those of later.
    """
    store_types = [store_type for store_type in state.open_types if store_type.known]
    limited = [line for store_type in store_types for line in tried_lines(store_type) if sells_whole_orders(line)]
    if not limited:
        return
    plenty = Claims(0.0, state.rules.listing_fee)
    for line in limited:
        line.premium = line.scarcity
    for number in range(SUPPLY_STEPS):
        step = FIRST_SUPPLY_STEP * SUPPLY_STEP_SHARE**number
        wants = dict[str, float]()
        for store_type in store_types:
            plan = best_shelf(shelf_options(store_type, conditions(state, store_type), tried_lines(store_type)), plenty)
            wants |= {name: choice.units * state.days_left for name, choice in plan.choices.items()}
        for line in limited:
            asked = line.cost + line.premium
            left = sum(supply_in_year(state, source) for source in line.sources if (source.bid or 0.0) <= asked)
            short = wants.get(line.name, 0.0) * (1 - kept_back(state, line)) > left
            line.premium = max(0.0, line.premium + (step if short else -step))
    for line in limited:
        line.scarcity = line.premium
        line.premium /= (1 + HURDLES[state.hurdle]) ** SCARCE_MONEY


def supply_in_year(state: MerchantState, source: Source) -> float:
    """Units that a supplier of known limits still delivers until the year's end."""
    orders = min(source.order_limit - source.orders, 1 + state.days_left // 7)
    return (source.supply or 0) * max(0, orders)


def kept_back(state: MerchantState, line: ShelfLine) -> float:
    """The share that comes back and is sold again."""
    return min(MOST_RETURNS, line.returns * FAST * return_factor(line.ratio, state.rules))


def plan_all(state: MerchantState, outlooks: dict[str, Outlook]) -> dict[str, Plan]:
    asked = claims(state)
    return {name: best_shelf(outlook, asked) for name, outlook in outlooks.items()}


def required_capital(state: MerchantState, plans: dict[str, Plan]) -> float:
    """Money tied up in goods, and in what customers have paid and the platform still holds."""
    days = MEAN_STOCK * (LEAD_DAYS + cover_days(state)) + PAYMENT_DAYS
    return days * ordered_sum(plan.spending for plan in plans.values())


def cover_days(state: MerchantState) -> float:
    """How long an order should last: orders are few and large, unless the money is needed elsewhere."""
    return MOST_COVER - (MOST_COVER - LEAST_COVER) * min(1.0, HURDLES[state.hurdle] / SCARCE)


def ration_listings(state: MerchantState, outlooks: dict[str, Outlook], available: float) -> dict[str, Plan]:
    """Ask more of a listing while there are too many of them for the money, less while there is room."""
    affordable = min(state.most_listings, max(state.fewest_listings, available / LISTING_CAPITAL))
    step, turn = RATION_STEP, 0
    plans = plan_all(state, outlooks)
    for _ in range(RATION_STEPS):
        listings = sum(plan.listings for plan in plans.values())
        before, turn = turn, 1 if listings > affordable else -1 if listings < ROOM * affordable else 0
        if turn == 0:
            break
        step = sqrt(step) if turn == -before else step
        state.upkeep = max(LEAST_UPKEEP, state.upkeep * step**turn)
        plans = plan_all(state, outlooks)
    return plans


def price_for_offer(state: MerchantState, store_type: StoreTypeView, promotions: Promotions) -> None:
    """A promotion changes prices for some days, and not what is worth carrying."""
    on_offer = conditions(state, store_type)
    on_offer.traffic, on_offer.sharpness = promotions.traffic, PROMOTION_SHARPNESS
    plan = best_shelf(shelf_options(store_type, on_offer, tried_lines(store_type)), claims(state))
    for name, choice in plan.choices.items():
        store_type.lines[name].ratio = choice.ratio


def conditions(state: MerchantState, store_type: StoreTypeView) -> Conditions:
    """The conditions of ordinary days: what is ordered today is sold when a promotion is over."""
    return Conditions(
        reputation=store_type.reputation,
        season=store_type.season[state.date.month - 1],
        deepest=state.deepest,
        sunk=state.days_left <= CLOSING_DAYS,
        rules=state.rules,
    )


def apply_plan(store_type: StoreTypeView, plan: Plan) -> None:
    for line in store_type.lines.values():
        choice = plan.choices.get(line.name)
        if choice is None:
            line.listings, line.daily = 0, 0.0
        else:
            line.ratio, line.listings = choice.ratio, choice.depth
            line.daily = choice.units / choice.depth


def sells_whole_orders(line: ShelfLine) -> bool:
    """Each order is all that a supplier has left for the week, so there is no need to save them up."""
    return any(source.order_limit and source.supply is not None for source in line.sources)
