"""Plans into prices and orders: what to charge, what is missing on the shelves, and whom to buy it from."""

from typing import NamedTuple

from ecbench.agents.protocol import Errand
from ecbench.agents.steady.notebook import Line, Notebook, Source, Trade
from ecbench.agents.steady.planning import COMMISSION, Conditions, Plan, best_shelf
from ecbench.agents.steady.promotions import Promotions
from ecbench.agents.steady.sourcing import MESSAGE_MINUTES, haggle, usable
from ecbench.sums import added

HURDLES = (0.0, 0.05, 0.1, 0.2, 0.4, 0.7, 1.2, 2.0)
PROMOTION_SHARPNESS = 1.8
LEAD_DAYS = 6
COVER_DAYS = (28, 22, 16, 12, 10, 8, 8, 8)  # beyond the lead time, by how scarce money is
RESTOCK_DAYS = (9, 8, 7, 6, 5, 4, 4, 4)  # at least, between two orders of a line
SHORTAGE = 0.6  # of a line's target stock that must be missing before a supplier is bothered
LAST_ORDERS = 14  # days left: later goods would not be sold and shipped in time
CLOSING_DAYS = 16  # days left in which what is there is sold
SMALL_ORDER = 4_000.0  # to a supplier that has not delivered yet
UNPROVEN_SHARE, CHECKED_SHARE = 0.05, 0.6  # of the bank, at once, to suppliers that are not yet proven
PROVEN_ORDERS = 4
RESERVE, RESERVE_DAYS = 2_000.0, 6  # kept in the bank: an amount, and as many days of freight and operations
LISTING_CAPITAL = 2_500.0  # behind a listing, so that a wide shelf is not an empty one
LEAST_BUDGET = 500.0  # below which no letter is worth its half hour
DEAR = 0.6  # cost over reference from which another round of bargaining pays


def means(book: Notebook) -> float:
    """Money and goods: what can work."""
    goods = 0.0
    for held in (book.shelf, book.coming, book.free):
        for sku, units in held.items():
            item = book.goods[sku]
            goods += units * item.reference * book.lines[item.line].cost
    return book.bank + book.escrow + goods


def make_plans(book: Notebook, promotions: Promotions) -> None:
    """The same return is asked of every trade: as little as the money at hand allows."""
    available = means(book)
    running = [trade for trade in book.open_trades if trade.known]
    book.hurdle = max(0, book.hurdle - 1)
    plans = plan_all(book, running, promotions)
    while book.hurdle < len(HURDLES) - 1 and added(plan.capital for plan in plans.values()) > available:
        book.hurdle += 1
        plans = plan_all(book, running, promotions)
    for trade in running:
        apply(trade, plans[trade.id])
    ration_listings(book, plans, available)


def ration_listings(book: Notebook, plans: dict[str, Plan], available: float) -> None:
    """Ask more of a listing while there are too many of them for the money, less while there is room."""
    affordable = min(book.most_listings, max(book.fewest_listings, available / LISTING_CAPITAL))
    listings = sum(choice.depth for plan in plans.values() for choice in plan.choices.values())
    if listings > affordable:
        book.upkeep *= 1.5
    elif listings < 0.75 * affordable:
        book.upkeep /= 1.25


def plan_all(book: Notebook, trades: list[Trade], promotions: Promotions) -> dict[str, Plan]:
    return {t.id: best_shelf(t, conditions(book, t, promotions), tried_lines(t)) for t in trades}


def appraise(book: Notebook) -> None:
    """What each known trade would earn a day with a settled reputation, at today's scarcity of money."""
    ordinary = Conditions(reputation=0.8, hurdle=HURDLES[book.hurdle], upkeep=book.upkeep, deepest=book.deepest)
    for trade in book.trades.values():
        if trade.known:
            trade.potential = best_shelf(trade, ordinary, tried_lines(trade)).profit - trade.daily_cost


def tried_lines(trade: Trade) -> list[Line]:
    """Lines that are known and that somebody still sells."""
    return [line for line in trade.lines.values() if line.tried and any(not s.dropped for s in line.sources)]


def conditions(book: Notebook, trade: Trade, promotions: Promotions) -> Conditions:
    on_offer = promotions.covers(trade)
    return Conditions(
        reputation=trade.reputation,
        season=trade.season[book.date.month - 1],
        traffic=promotions.traffic if on_offer else 1.0,
        sharpness=PROMOTION_SHARPNESS if on_offer else 1.0,
        hurdle=HURDLES[book.hurdle],
        upkeep=book.upkeep,
        deepest=book.deepest,
        sunk=book.days_left <= CLOSING_DAYS,
    )


def apply(trade: Trade, plan: Plan) -> None:
    for line in trade.lines.values():
        choice = plan.choices.get(line.name)
        if choice is None:
            line.listings, line.daily = 0, 0.0
        else:
            line.ratio, line.listings = choice.ratio, choice.depth
            line.daily = choice.units / choice.depth


class Need(NamedTuple):
    line: Line
    wants: dict[str, int]
    cost: float
    value: float  # what the missing units would earn for each yuan


def needs(book: Notebook) -> list[Need]:
    found, pause = [], RESTOCK_DAYS[book.hurdle]
    for trade in book.open_trades:
        if trade.known:
            due = [line for line in tried_lines(trade) if line.listings and rested(book, line) >= pause]
            found += [need for line in due if (need := missing(book, line)) is not None]
    return sorted(found, key=lambda need: -need.value)


def missing(book: Notebook, line: Line) -> Need | None:
    """What the planned listings lack, or None while it is not worth a letter."""
    cover = min(LEAD_DAYS + COVER_DAYS[book.hurdle], book.days_left - LEAD_DAYS)
    target = line.daily * cover + 0.7
    wants, held, asked = {}, 0.0, 0.0
    for item in line.goods[: line.listings]:
        have = book.position(item.sku)
        held += min(have, target) * item.reference
        asked += target * item.reference
        short = round(target - have)
        if short > 0:
            wants[item.sku] = short
    if not wants or held > (1 - SHORTAGE) * asked:
        return None
    cost = added(book.goods[sku].reference * line.cost * units for sku, units in wants.items())
    margin = line.ratio * (1 - COMMISSION - line.returns) - line.cost * (1 - line.returns)
    return Need(line, wants, cost, margin / max(0.05, line.cost))


def restock(book: Notebook) -> Errand[None]:
    """The best use of money first, while money and daylight last."""
    if book.days_left <= LAST_ORDERS:
        return
    reserve = RESERVE + RESERVE_DAYS * (book.freight + added(trade.daily_cost for trade in book.open_trades))
    for need in needs(book):
        budget = book.bank - reserve
        if budget < LEAST_BUDGET or not book.has_time_for(2 * MESSAGE_MINUTES):
            return
        source = pick_source(need.line)
        if source is None:
            continue
        wants = within(book, need, min(budget, trust(source, book.bank)))
        if wants:
            need.line.ordered_on = book.day
            yield from haggle(book, need.line, source, wants, rounds=4 if need.line.cost > DEAR else 3)


def trust(source: Source, bank: float) -> float:
    """How much to order at once: little before the first delivery, and not everything before a few more."""
    if source.checked and source.orders >= PROVEN_ORDERS:
        return bank
    return bank * CHECKED_SHARE if source.checked else max(SMALL_ORDER, bank * UNPROVEN_SHARE)


def rested(book: Notebook, line: Line) -> int:
    """Days since the last order: suppliers retire after so many of them, so few large ones are better."""
    return book.day - line.ordered_on


def pick_source(line: Line) -> Source | None:
    """An unproven supplier that still owes a delivery has to show it first, if there is anybody else."""
    candidates = usable(line)
    settled = [source for source in candidates if source.checked or not any(source.owed.values())]
    return next(iter(settled + candidates), None)


def within(book: Notebook, need: Need, limit: float) -> dict[str, int]:
    """As much of a need as the limit covers: a share of everything, or single units of the dearest goods."""
    if need.cost <= limit:
        return need.wants
    share = limit / need.cost
    scaled = {sku: int(units * share) for sku, units in need.wants.items()}
    if any(scaled.values()):
        return {sku: units for sku, units in scaled.items() if units > 0}
    kept, spent = {}, 0.0
    for sku in need.wants:
        spent += book.goods[sku].reference * need.line.cost
        if spent > limit:
            break
        kept[sku] = 1
    return kept
