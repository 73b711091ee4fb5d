"""Restock: turn plans into prices and orders, find what the shelves lack, and choose the suppliers to buy it from."""

from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple

from ecbench.players.merchants.protocol import Routine
from ecbench.players.merchants.steady.haggling import (
    CLOSING_LETTERS,
    MESSAGE_MINUTES,
    PlannedOrder,
    haggle,
    usable_sources,
)
from ecbench.players.merchants.steady.merchant_state import (
    MerchantState,
    Source,
    Talk,
    Trade,
    TradeLine,
    ask,
    begin,
    send_posted,
)
from ecbench.players.merchants.steady.promotion_enrolment import Promotions
from ecbench.players.merchants.steady.shelf_planning import (
    COMMISSION,
    FAST,
    MOST_RETURNS,
    Claims,
    Conditions,
    Outlook,
    Plan,
    best_shelf,
    return_factor,
    shelf_options,
)
from ecbench.players.merchants.steady.store_ranking import HURDLES, claims, trades_to_keep, tried_lines
from ecbench.sums import ordered_sum

PROMOTION_SHARPNESS = 1.8
LEAD_DAYS = 6
MOST_COVER, LEAST_COVER = 24, 8  # days beyond the lead time, with plenty of money and with little
SCARCE = 0.6  # the hurdle from which money is little
SHORTAGE = 0.6  # of a line's target stock that must be missing before a supplier is bothered
STARVED = 0.2  # of the target stock, below which the next order cannot wait
LAST_ORDERS = 14  # days left: later goods would not be sold and shipped in time
CLOSING_DAYS = 16  # days left in which what is there is sold
SMALL_ORDER = 4_000.0  # to a supplier that has not delivered yet
UNPROVEN_SHARE, CHECKED_SHARE = 0.05, 0.6  # of the bank, at once, to suppliers that are not yet proven
PROVEN_ORDERS = 4
RESERVE, RESERVE_DAYS = 2_000.0, 6  # kept in the bank: an amount, and as many days of freight and operations
LISTING_CAPITAL = 2_500.0  # behind a listing, so that a wide shelf is not an empty one
ROOM = 0.75  # of the listings that can be afforded: below it there is room for more
RATION_STEP, RATION_STEPS = 1.4, 10  # by which the claim on a listing moves, and how often at once
LEAST_UPKEEP = 0.01
MEAN_STOCK = 0.7  # of the target stock, on average
PAYMENT_DAYS = 11  # between a sale and its money
REST = 0.25  # of the worth of a need: as much that a supplier cannot deliver is worth a letter to the next one
FIRST_SUPPLY_STEP, SUPPLY_STEP_SHARE, SUPPLY_STEPS = 0.2, 0.6, 7  # over reference; each over the one before; how many
SCARCE_MONEY = 2.0  # power of 1 + hurdle by which a premium is divided
MOST_MORE = 2.5  # times what is needed, to fill the order of a supplier that takes few
PLENTY = 0.15  # the hurdle below which money is plenty
LEAST_BUDGET = 500.0  # below which no letter is worth its half hour
ROUNDS, DEAR_ROUNDS = 2, 3  # of patience
LEAST_ORDER, SHORT_GOODS = 0.6, 0.1  # of a week's supply; the scarcity from which goods are short
WHOLE_ROUNDS = 6  # before all that a supplier has left is ordered at once
DEAR = 0.6  # cost over reference from which another round of bargaining pays


def working_capital(state: MerchantState) -> float:
    """Money and goods: what can work."""
    goods = 0.0
    for held in (state.shelf, state.coming, state.free):
        for sku, units in held.items():
            item = state.goods[sku]
            goods += units * item.reference * state.lines[item.line].cost
    return state.bank + state.escrow + goods


def make_plans(state: MerchantState, promotions: Promotions) -> None:
    """As little is asked of a yuan and of a listing as the money at hand allows, and the same in every trade."""
    available = working_capital(state)
    price_supply(state)
    running = [trade for trade in state.open_trades if trade.known]
    outlooks = {t.id: shelf_options(t, conditions(state, t), tried_lines(t)) for t in running}
    state.hurdle = max(0, state.hurdle - 1)
    plans = ration_listings(state, outlooks, available)
    while state.hurdle < len(HURDLES) - 1 and required_capital(state, plans) > available:
        state.hurdle += 1
        plans = plan_all(state, outlooks)
        if not any(plan.listings for plan in plans.values()):  # what is asked of a listing was fitted to a lower hurdle
            plans = ration_listings(state, outlooks, available)
    for trade in running:
        apply_plan(trade, plans[trade.id])
        if promotions.covers(trade) and not state.rules.promotion_memory_days:
            price_for_offer(state, trade, promotions)


def price_supply(state: MerchantState) -> None:
    """Ask more for goods while plans for plenty of money sell more than suppliers can deliver until the year's end.

    The price of a line's goods, over what they cost now, is where those wants meet what suppliers with floors up to it
    have left. While money is scarce it weighs less: sales of today are worth more than those of later.
    """
    trades = [trade for trade in state.open_trades if trade.known]
    limited = [line for trade in trades for line in tried_lines(trade) if sells_whole_orders(line)]
    if not limited:
        return
    plenty = Claims(0.0, state.rules.listing_fee)
    for line in limited:
        line.premium = line.scarcity
    for place in range(SUPPLY_STEPS):
        step = FIRST_SUPPLY_STEP * SUPPLY_STEP_SHARE**place
        wants = dict[str, float]()
        for trade in trades:
            plan = best_shelf(shelf_options(trade, conditions(state, trade), tried_lines(trade)), plenty)
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


def kept_back(state: MerchantState, line: TradeLine) -> float:
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


def price_for_offer(state: MerchantState, trade: Trade, promotions: Promotions) -> None:
    """A promotion changes prices for some days, and not what is worth carrying."""
    on_offer = conditions(state, trade)
    on_offer.traffic, on_offer.sharpness = promotions.traffic, PROMOTION_SHARPNESS
    plan = best_shelf(shelf_options(trade, on_offer, tried_lines(trade)), claims(state))
    for name, choice in plan.choices.items():
        trade.lines[name].ratio = choice.ratio


def conditions(state: MerchantState, trade: Trade) -> Conditions:
    """Of ordinary days: what is ordered today is sold when a promotion is over."""
    return Conditions(
        reputation=trade.reputation,
        season=trade.season[state.date.month - 1],
        deepest=state.deepest,
        sunk=state.days_left <= CLOSING_DAYS,
        rules=state.rules,
    )


def apply_plan(trade: Trade, plan: Plan) -> None:
    for line in trade.lines.values():
        choice = plan.choices.get(line.name)
        if choice is None:
            line.listings, line.daily = 0, 0.0
        else:
            line.ratio, line.listings = choice.ratio, choice.depth
            line.daily = choice.units / choice.depth


class Need(NamedTuple):
    line: TradeLine
    wants: dict[str, int]
    cost: float
    value: float  # what the missing units would earn for each yuan
    urgent: bool  # hardly anything is left


def restock_needs(state: MerchantState) -> list[Need]:
    found: list[Need] = []
    cover, today = cover_days(state), state.day
    pause, days = cover / 2, min(LEAD_DAYS + cover, state.days_left - LEAD_DAYS)
    for trade in trades_to_keep(state):
        if trade.store:
            for line in tried_lines(trade):
                rest = today - line.ordered_on  # suppliers retire after so many orders, so few large ones are better
                due = rest >= pause or sells_whole_orders(line)
                if line.listings and rest > 0:
                    need = missing_units(state, line, days, 1 - SHORTAGE if due else STARVED)
                    if need is not None and (due or need.urgent):
                        found.append(need)
    return sorted(found, key=lambda need: -need.value)


def sells_whole_orders(line: TradeLine) -> bool:
    """Each order is all that a supplier has left for the week, so there is no need to save them up."""
    return any(source.order_limit and source.supply is not None for source in line.sources)


def missing_units(state: MerchantState, line: TradeLine, days: float, enough: float) -> Need | None:
    """What the planned listings lack for so many days, or None if they hold more of it than is enough."""
    target = line.daily * days + 0.7
    references = line.references[: line.listings]
    asked = ordered_sum([target * worth for worth in references])
    held, limit, short = 0.0, enough * asked, []
    shelf, free, coming = state.shelf.get, state.free.get, state.coming.get
    for sku, worth in zip(line.skus, references, strict=False):
        have = shelf(sku, 0) + free(sku, 0) + coming(sku, 0)
        if have < target:
            short.append((sku, round(target - have)))
            held += have * worth
        else:
            held += target * worth
        if held > limit:
            return None  # the dearest goods come first, so this is often seen early
    wants = {sku: units for sku, units in short if units > 0}
    if not wants:
        return None
    cost = goods_cost(state, line, wants)
    margin = line.ratio * (1 - COMMISSION - line.returns) - line.cost * (1 - line.returns)
    return Need(line, wants, cost, margin / max(0.05, line.cost), held < STARVED * asked)


def restock(state: MerchantState) -> Routine[None]:
    """The best use of money first, while money and daylight last."""
    if state.days_left <= LAST_ORDERS:
        return
    queue = restock_needs(state)
    if not queue:
        return
    yield from send_posted(state, "ship_orders")  # their freight is paid from the bank
    buying = Buying(RESERVE + RESERVE_DAYS * (state.freight + daily_charges(state)))
    while queue or buying.deals:
        while queue and may_begin(state, queue[0], buying):
            begin(state, fill_need(state, queue.pop(0), buying))
        if buying.deals:
            yield from ask(state)


@dataclass(slots=True)
class Buying:
    """The orders of one day."""

    reserve: float  # that stays in the bank
    asked: dict[str, list[Source]] = field(default_factory=dict)  # by line, who was written to
    deals: list[PlannedOrder] = field(default_factory=list)  # that are under way

    def budget(self, state: MerchantState) -> float:
        """What the orders that are under way leave."""
        spent = ordered_sum(goods_cost(state, deal.line, deal.wants) for deal in self.deals)
        return state.bank - self.reserve - state.idle_money - spent


def may_begin(state: MerchantState, need: Need, buying: Buying) -> bool:
    """An order may take all the money, so it waits for what those before it have cost; unless its supplier and theirs
    have said how much they deliver, and the day has time for all their letters."""
    if not buying.deals:
        return True
    source = pick_source(state, need.line, buying.asked.get(need.line.name, []))
    sources = [source, *(deal.source for deal in buying.deals)]
    if any(each is not None and each.supply is None for each in sources):
        return False
    letters = sum(deal.letters for deal in buying.deals) + rounds_of(need.line) + CLOSING_LETTERS
    return state.has_time_for((letters + 1) * MESSAGE_MINUTES)


def fill_need(state: MerchantState, need: Need | None, buying: Buying) -> Talk:
    """Order from one supplier after the other, while money and daylight last."""
    while need is not None:
        budget = buying.budget(state)
        line, before = need.line, buying.asked.setdefault(need.line.name, [])
        source = pick_source(state, line, before)
        if source is None or budget < LEAST_BUDGET or not state.has_time_for(2 * MESSAGE_MINUTES):
            return
        before.append(source)
        deal, coming = plan_order(state, need, source, budget), state.coming.copy()
        if deal.wants:
            line.ordered_on = state.day
            buying.deals.append(deal)
            yield from haggle(state, deal)
            buying.deals.remove(deal)
        need = None if source.supply is None else rest_of(state, need, coming)


def plan_order(state: MerchantState, need: Need, source: Source, budget: float) -> PlannedOrder:
    """What to order of a need from a supplier."""
    order = whole_order(state, need, supply_left(state, source))
    wants = cut_to_budget(state, order, min(budget, order_limit(source, state.bank)))
    wants = cut_to_supply(state, source, wants)
    if wastes_order(state, need.line, source, wants):
        wants = {}
    whole = source.order_limit > 0 and source.supply is not None and HURDLES[state.hurdle] < SCARCE
    return PlannedOrder(need.line, source, wants, WHOLE_ROUNDS if whole else rounds_of(need.line), whole)


def rounds_of(line: TradeLine) -> int:
    return DEAR_ROUNDS if line.cost > DEAR else ROUNDS


def goods_cost(state: MerchantState, line: TradeLine, wants: dict[str, int]) -> float:
    return ordered_sum(state.goods[sku].reference * line.cost * units for sku, units in wants.items())


def wastes_order(state: MerchantState, line: TradeLine, source: Source, wants: dict[str, int]) -> bool:
    """Whether an order is too small for a supplier that takes few, of goods that will be short."""
    if not source.order_limit or line.scarcity < SHORT_GOODS or HURDLES[state.hurdle] >= SCARCE:
        return False
    return sum(wants.values()) < LEAST_ORDER * (supply_left(state, source) or 0)


def rest_of(state: MerchantState, need: Need, coming: dict[str, int]) -> Need | None:
    """What one supplier could not deliver this week; None if that is little. `coming` was on its way before."""
    wants = {sku: units - state.coming.get(sku, 0) + coming.get(sku, 0) for sku, units in need.wants.items()}
    wants = {sku: units for sku, units in wants.items() if units > 0}
    cost = goods_cost(state, need.line, wants)
    return need._replace(wants=wants, cost=cost) if cost > REST * need.cost else None


def whole_order(state: MerchantState, need: Need, left: int | None) -> Need:
    """The need, or more of the same: a supplier that is limited takes few orders, so they should be large."""
    more = 1.0 if left is None else min(MOST_MORE, left / sum(need.wants.values()))
    if more <= 1.0 or HURDLES[state.hurdle] >= PLENTY:
        return need
    wants = {sku: round(units * more) for sku, units in need.wants.items()}
    return need._replace(wants=wants, cost=more * need.cost)


def daily_charges(state: MerchantState) -> float:
    """What the stores and their listings cost a day, with what is on its way to them."""
    stores = ordered_sum(trade.daily_cost for trade in state.open_trades)
    if not state.rules.listing_fee:
        return stores
    held = {sku for goods in (state.shelf, state.free, state.coming) for sku, units in goods.items() if units > 0}
    return stores + state.rules.listing_fee * len(held)


def order_limit(source: Source, bank: float) -> float:
    """How much to order at once: little before the first delivery, and not everything before a few more."""
    if source.checked and source.orders >= PROVEN_ORDERS:
        return bank
    return bank * CHECKED_SHARE if source.checked else max(SMALL_ORDER, bank * UNPROVEN_SHARE)


def supply_left(state: MerchantState, source: Source) -> int | None:
    """The units that a supplier still delivers this week; None: any number."""
    if source.week != state.week:
        source.week, source.taken = state.week, 0
    return None if source.supply is None else source.supply - source.taken


def cut_to_supply(state: MerchantState, source: Source, wants: dict[str, int]) -> dict[str, int]:
    """The dearest goods of what a supplier still delivers: they gain most from a low floor."""
    left = supply_left(state, source)
    if left is None or sum(wants.values()) <= left:
        return wants
    kept = {}
    for sku in sorted(wants, key=lambda sku: -state.goods[sku].reference):
        units = min(wants[sku], left)
        left -= units
        if units:
            kept[sku] = units
    return kept


def pick_source(state: MerchantState, line: TradeLine, asked: list[Source]) -> Source | None:
    """An unproven supplier that still owes a delivery has to deliver first, if there is another one."""
    fresh = [source for source in usable_sources(line) if source not in asked]
    candidates = [source for source in fresh if supply_left(state, source) != 0]
    settled = [source for source in candidates if source.checked or not any(source.owed.values())]
    return next(iter(settled + candidates), None)


def cut_to_budget(state: MerchantState, need: Need, limit: float) -> dict[str, int]:
    """As much of a need as the limit covers: a share of everything, or single units of the dearest goods."""
    if need.cost <= limit:
        return need.wants
    share = limit / need.cost
    scaled = {sku: int(units * share) for sku, units in need.wants.items()}
    if any(scaled.values()):
        return {sku: units for sku, units in scaled.items() if units > 0}
    kept, spent = {}, 0.0
    for sku in need.wants:
        spent += state.goods[sku].reference * need.line.cost
        if spent > limit:
            break
        kept[sku] = 1
    return kept
