"""The default merchant: it learns its market by trading, and puts its money where that has paid.

It contains the simulator's functional forms (price curves, saturation, returns) and knows the public rules (fees,
limits, whether suppliers have floors of their own). It learns only the parameters of the world.

Day by day: look at yesterday's sales and learn from them, ship, put deliveries on the shelves, re-plan shelves and
prices every few days, buy what is missing, and use the rest of the day to look into store types it does not know yet.
"""

from typing import Any

from ecbench.players.merchants.protocol import Play, Routine
from ecbench.players.merchants.steady.buying import check_deliveries, restock
from ecbench.players.merchants.steady.planning import appraise, make_plans, net_worth_a_day
from ecbench.players.merchants.steady.revealed import reveal_store_type
from ecbench.players.merchants.steady.state import MerchantState, ask_one, send_posted
from ecbench.players.merchants.steady.store_research import (
    open_and_close_stores,
    order_trial_goods,
    read_business,
    survey,
)
from ecbench.players.merchants.steady.store_sales import (
    Promotions,
    SoldOrder,
    enrol_in_promotions,
    handle_sales,
    publish,
    reprice,
    ship,
    stock_shelves,
)
from ecbench.rules import DEFAULT_RULES, Rules

__all__ = [
    "MerchantState",
    "Promotions",
    "SoldOrder",
    "Steady",
    "ask_one",
    "enrol_in_promotions",
    "make_plans",
    "net_worth_a_day",
    "open_and_close_stores",
    "publish",
    "read_business",
    "reprice",
    "restock",
    "reveal_store_type",
    "send_posted",
    "ship",
    "survey",
    "trade_until_year_end",
]
"""What a merchant with a `MerchantState` of its own, such as the engine of a review, plans and trades with."""

PLAN_EVERY = 6  # days
APPRAISE_EVERY = 24
TRACE_EVERY = 8
SHELVE_EVERY = 3
EARLY = 60  # days in which everything is looked at more often


class Steady:
    """Researches, screens suppliers, haggles, prices by experiment, restocks by velocity, keeps a cash reserve.

    It sees what a model sees. But it knows the simulator's functional forms and its rules, and only has to learn the
    parameters of the world.
    """

    def __init__(self, days: int = 365, rules: Rules = DEFAULT_RULES) -> None:
        self.days = days
        self.rules = rules

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        state = MerchantState(self.days, rules=self.rules)
        yield from survey(state)
        yield from read_business(state)
        yield from trade_until_year_end(state)


def trade_until_year_end(state: MerchantState) -> Play:
    """Day after day until the year is over."""
    promotions = Promotions()
    while not state.over:
        yield from one_day(state, promotions)


def one_day(state: MerchantState, promotions: Promotions) -> Routine[None]:
    today, early = state.date, state.days_in < EARLY
    delivered = any(kind == "delivery" for kind, _ in state.news)
    if state.open_types:
        yield from handle_sales(state, promotions)
        on_offer = promotions.stores
        yield from enrol_in_promotions(state, promotions)
        if state.day % PLAN_EVERY == 0 or promotions.stores != on_offer:
            yield from send_posted(state)
            make_plans(state, promotions)
            reprice(state, promotions)
    state.news.clear()
    if state.day % SHELVE_EVERY == 0 or (delivered and early):
        yield from stock_shelves(state, promotions)
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
