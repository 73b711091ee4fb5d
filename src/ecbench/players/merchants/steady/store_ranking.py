"""Rank the trades: keep those that would earn most, as long as trials leave them a store."""

from ecbench.players.merchants.steady.merchant_state import MerchantState, Trade, TradeLine
from ecbench.players.merchants.steady.shelf_planning import Claims, Conditions, best_shelf, shelf_options
from ecbench.rules import DEFAULT_RULES

SLOTS = DEFAULT_RULES.max_stores
HURDLES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.3, 1.6, 2.0)
TRIALS = 0.6  # of the year, in which new trades are tried
HURRY = 45  # days in which two stores at a time serve for trials, later one
BETTER, WORTH_A_MOVE = 1.4, 500.0  # what another trade must promise: a multiple, and yuan a day on top


def claims(state: MerchantState) -> Claims:
    return Claims(HURDLES[state.hurdle], max(state.upkeep, state.rules.listing_fee))


def tried_lines(trade: Trade) -> list[TradeLine]:
    """Lines that are known and that some supplier still sells."""
    return [line for line in trade.lines.values() if line.tried and any(not s.dropped for s in line.sources)]


def appraise(state: MerchantState) -> None:
    """What each known trade would earn a day with a settled reputation, at today's scarcity of money."""
    ordinary = Conditions(reputation=0.8, deepest=state.deepest, rules=state.rules)
    for trade in state.trades.values():
        if trade.known:
            plan = best_shelf(shelf_options(trade, ordinary, tried_lines(trade)), claims(state))
            trade.potential = plan.profit - trade.daily_cost - state.rules.listing_fee * plan.listings


def trial_slots(state: MerchantState) -> int:
    """Stores that are not for trades that have proved themselves: all of them at first, none once all are tried."""
    if not any(trade.known for trade in state.trades.values()):
        return SLOTS
    untried = any(trade.ordered_on is None for trade in state.trades.values()) and state.day < TRIALS * state.days
    if untried or any(not trade.known for trade in state.open_trades):
        return 2 if state.days_in < HURRY else 1
    return 0


def trades_to_keep(state: MerchantState) -> list[Trade]:
    """The best of the known trades. One that has a store loses its name and its public when it is closed, and is only
    given up for one that promises clearly more."""

    def standing(trade: Trade) -> float:
        promised = trade.potential or 0.0
        return promised * BETTER + WORTH_A_MOVE if trade.store else promised

    known = [trade for trade in state.trades.values() if trade.known and trade.potential is not None]
    return sorted(known, key=standing, reverse=True)[: state.slots - trial_slots(state)]
