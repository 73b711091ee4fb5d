"""The default merchant: it learns its market by trading, and puts its money where that has paid.

It knows the simulator's functional forms and the public rules, and has to learn the parameters of the world.
"""

from typing import Any

from ecbench.players.merchants.protocol import Play, Routine
from ecbench.players.merchants.steady.buying import check_deliveries, restock
from ecbench.players.merchants.steady.planning import appraise, make_plans
from ecbench.players.merchants.steady.selling import enrol_in_promotions, handle_sales, reprice, stock_shelves
from ecbench.players.merchants.steady.state import MOST_LISTINGS, MerchantState, ask_one, send_posted
from ecbench.players.merchants.steady.store_research import (
    open_and_close_stores,
    order_trial_goods,
    read_business,
    survey,
)
from ecbench.rules import DEFAULT_RULES, Rules

PLAN_EVERY = 6  # days
APPRAISE_EVERY = 24
TRACE_EVERY = 8
SHELVE_EVERY = 3
EARLY = 60  # days in which everything is looked at more often


class Steady:
    """Researches, screens suppliers, haggles, prices by experiment, restocks by velocity, keeps a cash reserve."""

    def __init__(self, days: int = 365, rules: Rules = DEFAULT_RULES, most_listings: int = MOST_LISTINGS) -> None:
        self.days, self.rules, self.most_listings = days, rules, most_listings

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        state = MerchantState(self.days, most_listings=self.most_listings, rules=self.rules)
        yield from survey(state)
        yield from read_business(state)
        while not state.over:
            yield from one_day(state)


def one_day(state: MerchantState) -> Routine[None]:
    """Learn from yesterday, ship, fill shelves, plan every few days, buy what is missing, try other store types."""
    today, early = state.date, state.days_in < EARLY
    delivered = any(item["type"] == "delivery" for item in state.news)
    if state.open_types:
        yield from handle_sales(state)
        on_offer = state.on_offer
        yield from enrol_in_promotions(state)
        if state.day % PLAN_EVERY == 0 or state.on_offer != on_offer:
            yield from send_posted(state)
            make_plans(state)
            reprice(state)
    state.news.clear()
    if state.day % SHELVE_EVERY == 0 or (delivered and early):
        yield from stock_shelves(state)
    unheard = any(store_type.known and store_type.potential is None for store_type in state.open_types)
    if unheard or state.day % (PLAN_EVERY if early else APPRAISE_EVERY) == 0:
        appraise(state)
    yield from open_and_close_stores(state)
    if state.day % (TRACE_EVERY // 2 if early else TRACE_EVERY) == 0:
        yield from check_deliveries(state)
    yield from restock(state)
    yield from order_trial_goods(state)
    if state.date == today:
        yield from ask_one(state, "wait_for_next_day")
