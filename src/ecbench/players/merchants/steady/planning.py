"""The plans of the merchant: which stores to keep, what to carry at which price, and how scarce money is."""

from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ecbench.market.best_shelf import Column, fill_line_by_line, price_curves, saturations
from ecbench.market.demand import saturation
from ecbench.market.returns import price_curve
from ecbench.players.merchants.steady.state import DEPTHS, MerchantState, ShelfLine, StoreTypeView
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
FEWEST_LISTINGS = 40  # however little money there is
LISTING_CAPITAL = 2_500.0  # behind a listing, so that a wide shelf is not an empty one
ROOM = 0.75  # of the listings that can be afforded: below it there is room for more
RATION_STEP, RATION_STEPS = 1.4, 10  # by which the claim on a listing moves, and how often at once
LEAST_UPKEEP = 0.01
MEAN_STOCK = 0.7  # of the target stock, on average
PAYMENT_DAYS = 11  # between a sale and its money


class Choice(NamedTuple):
    ratio: float
    depth: int
    units: float  # a day, all listings together


class Plan(NamedTuple):
    profit: float  # a day, before what is asked of money and listings
    spending: float  # on goods, a day
    choices: dict[str, Choice]

    @property
    def listings(self) -> int:
        return sum(choice.depth for choice in self.choices.values())

    def apply(self, store_type: StoreTypeView) -> None:
        for line in store_type.lines.values():
            line.ratio, line.listings, units = self.choices.get(line.name, (line.ratio, 0, 0.0))
            line.daily = units / max(1, line.listings)


class Outlook(NamedTuple):
    """All that a store could do: each of its lines at every ratio with every depth, in arrays by line, ratio, depth."""

    capacity: float
    lines: list[str]
    units: Column  # before the store's ceiling
    profit: Column  # per unit
    cost: Column  # per unit
    lacking: npt.NDArray[np.bool_]  # whether a line has too few goods for the depth, whatever the ratio

    def best_shelf(self, hurdle: float = 0.0, upkeep: float = 0.0) -> Plan:
        """The shelf that earns most, if every yuan put into goods has to earn the hurdle per cycle, and every listing
        the upkeep a day, because money and attention are limited."""
        lines, ratios, depths = self.units.shape
        worth = self.units * (self.profit - hurdle * self.cost)
        np.copyto(worth, -np.inf, where=self.lacking)
        upkeeps, options = upkeep * np.tile(_DEPTH_ROW, ratios), (lines, ratios * depths)
        chosen = fill_line_by_line(self.units.reshape(options), worth.reshape(options), upkeeps, self.capacity)
        picks = {line: divmod(option, depths) for line, option in enumerate(chosen) if option >= 0}
        wanted = {line: self.units.item(line, *pick) for line, pick in picks.items()}
        served = saturation(self.capacity, ordered_sum(wanted.values()))
        profit = spending = 0.0
        choices = {}
        for line, (ratio, depth) in picks.items():
            units = wanted[line] * served
            choices[self.lines[line]] = Choice(RATIOS[ratio], DEPTHS[depth], units)
            profit += units * self.profit.item(line, ratio, depth)
            spending += units * self.cost.item(line, 0, depth)
        return Plan(profit, spending, choices)


def outlook(
    state: MerchantState, store_type: StoreTypeView, visitors: float, sharpness: float = 1.0, *, sunk: bool = False
) -> Outlook:
    """What a store could do with these visitors, over those of an ordinary day of the best reputation. Goods that are
    sunk are paid for. All lines at once, since most of what a small array costs is the call."""
    demand, rules, lines = store_type.demand, state.rules, tried_lines(store_type)
    value = np.array([line.means for line in lines]).reshape(len(lines), 1, len(DEPTHS))
    known = [
        (line.proven, line.market, line.returns, line.cost, 2 * line.freight + line.storage * SHELF_DAYS)
        for line in lines
    ]
    columns = np.array(known).reshape(len(lines), 5).T[:, :, None]  # one of each line, beside all its ratios
    proven, market, natural, cost, handling = columns
    response = np.array([line.belief.responses(RATIOS, sharpness) for line in lines]).reshape(len(lines), len(RATIOS))
    tried = (DARING * proven >= _RATIO_ROW) & (rules.price_ceiling >= _RATIO_ROW)
    raw_demand = (demand.reach * market * (visitors * WEEK) * (response * tried))[:, :, None] * _DEPTH_ROW
    units = raw_demand if demand.share >= 1.0 else raw_demand * saturations(demand.share * demand.capacity, raw_demand)
    returned = np.minimum(MOST_RETURNS, natural * FAST * price_curves(_RATIO_ROW, rules))
    margin = _RATIO_ROW * (1 - COMMISSION - returned) - (0.0 if sunk else cost * (1 - returned))
    profit = value * margin[:, :, None] - handling[:, :, None]
    names = [line.name for line in lines]
    return Outlook(demand.capacity, names, units, profit, value * cost[:, :, None], lacking=value == 0.0)


def outlook_today(
    state: MerchantState, store_type: StoreTypeView, traffic: float = 1.0, sharpness: float = 1.0
) -> Outlook:
    """By default of an ordinary day: what is ordered today is sold when a promotion is over."""
    visitors = store_type.reputation * store_type.season[state.date.month - 1] * traffic
    return outlook(state, store_type, visitors, sharpness, sunk=state.days_left <= CLOSING_DAYS)


def best_plan(state: MerchantState, outlook: Outlook) -> Plan:
    """The best shelf at what is asked today of every yuan and of every listing."""
    return outlook.best_shelf(HURDLES[state.hurdle], max(state.upkeep, state.rules.listing_fee))


def tried_lines(store_type: StoreTypeView) -> list[ShelfLine]:
    """Lines that are known and that some supplier still sells."""
    return [line for line in store_type.lines.values() if line.tried and any(not s.dropped for s in line.sources)]


def appraise(state: MerchantState) -> None:
    """What each known store type would earn a day with a settled reputation, at today's scarcity of money."""
    for store_type in state.store_types.values():
        if store_type.known:
            plan = best_plan(state, outlook(state, store_type, SETTLED_REPUTATION))
            store_type.potential = plan.profit - store_type.daily_cost - state.rules.listing_fee * plan.listings


def net_worth_a_day(state: MerchantState, store_type: StoreTypeView) -> float:
    """What a store type would earn a day beyond what its money and its listings would earn in the others."""
    upkeep = max(state.upkeep, state.rules.listing_fee)
    plan = best_plan(state, outlook(state, store_type, SETTLED_REPUTATION))
    return plan.profit - (upkeep * plan.listings + HURDLES[state.hurdle] * plan.spending) - store_type.daily_cost


def trial_slots(state: MerchantState) -> int:
    """Stores that are not for types that have proved themselves: all of them at first, none once all are tried."""
    if not any(store_type.known for store_type in state.store_types.values()):
        return SLOTS
    untried = any(store_type.ordered_on is None for store_type in state.store_types.values())
    if (untried and state.day < TRIALS * state.days) or any(not store_type.known for store_type in state.open_types):
        return 2 if state.days_in < HURRY else 1
    return 0


def types_to_keep(state: MerchantState) -> list[StoreTypeView]:
    """The best of the known store types. One that has a store loses its reputation when it closes, and is only given up
    for one that promises clearly more."""

    def standing(store_type: StoreTypeView) -> float:
        promised = store_type.potential or 0.0
        return promised * BETTER + WORTH_A_MOVE if store_type.store else promised

    known = [each for each in state.store_types.values() if each.known and each.potential is not None]
    return sorted(known, key=standing, reverse=True)[: state.slots - trial_slots(state)]


def make_plans(state: MerchantState) -> None:
    """As little is asked of a yuan and of a listing as the money at hand allows, and the same in every store type."""
    goods = 0.0
    for held in (state.shelf, state.coming, state.free):
        for sku, units in held.items():
            item = state.goods[sku]
            goods += units * item.reference * state.lines[item.line].cost
    available = state.bank + state.escrow + goods
    running = [store_type for store_type in state.open_types if store_type.known]
    outlooks = {store_type.id: outlook_today(state, store_type) for store_type in running}
    state.hurdle = max(0, state.hurdle - 1)
    plans = ration_listings(state, outlooks, available)
    while state.hurdle < len(HURDLES) - 1 and required_capital(state, plans) > available:
        state.hurdle += 1
        plans = {name: best_plan(state, outlook) for name, outlook in outlooks.items()}
        if not any(plan.listings for plan in plans.values()):  # what is asked of a listing was fitted to a lower hurdle
            plans = ration_listings(state, outlooks, available)
    for store_type in running:
        plans[store_type.id].apply(store_type)
        if store_type.store in state.on_offer and not state.rules.promotion_memory_days:
            # A promotion changes prices for some days, and not what is worth carrying.
            on_offer = outlook_today(state, store_type, state.offer_traffic, PROMOTION_SHARPNESS)
            for name, choice in best_plan(state, on_offer).choices.items():
                store_type.lines[name].ratio = choice.ratio


def returned_share(natural: float, ratio: float, rules: Rules) -> float:
    """The share that comes back, and is sold again, of goods sold at a price and sent fast."""
    return min(MOST_RETURNS, natural * FAST * price_curve(ratio, rules.price_return_knees, rules.price_return_slope))


def required_capital(state: MerchantState, plans: dict[str, Plan]) -> float:
    """Money tied up in goods, and in what customers have paid and the platform still holds."""
    days = MEAN_STOCK * (LEAD_DAYS + cover_days(state)) + PAYMENT_DAYS
    return days * ordered_sum(plan.spending for plan in plans.values())


def cover_days(state: MerchantState) -> float:
    """How long an order should last: orders are few and large, unless the money is needed elsewhere."""
    return MOST_COVER - (MOST_COVER - LEAST_COVER) * min(1.0, HURDLES[state.hurdle] / SCARCE)


def ration_listings(state: MerchantState, outlooks: dict[str, Outlook], available: float) -> dict[str, Plan]:
    """Ask more of a listing while there are too many of them for the money, less while there is room."""
    affordable = min(state.most_listings, max(FEWEST_LISTINGS, available / LISTING_CAPITAL))
    step, turn, tries = RATION_STEP, 0, 0
    while True:
        plans = {name: best_plan(state, outlook) for name, outlook in outlooks.items()}
        listings, before = sum(plan.listings for plan in plans.values()), turn
        turn = 1 if listings > affordable else -1 if listings < ROOM * affordable else 0
        if turn == 0 or tries == RATION_STEPS:
            return plans
        step, tries = sqrt(step) if turn == -before else step, tries + 1
        state.upkeep = max(LEAST_UPKEEP, state.upkeep * step**turn)
