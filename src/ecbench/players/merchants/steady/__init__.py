"""The default merchant: it learns its market by trading, and puts its money where that has paid.

It contains the simulator's functional forms (price curves, saturation, returns) and learns only their parameters.

Day by day: look at yesterday's sales and learn from them, ship, put deliveries on the shelves, re-plan shelves and
prices every few days, buy what is missing, and use the rest of the day to look into trades it does not know yet.
"""

from typing import Any

from ecbench.players.merchants.protocol import Errand, Play
from ecbench.players.merchants.steady.counter import open_up
from ecbench.players.merchants.steady.deliveries import check_deliveries, put_on_shelves
from ecbench.players.merchants.steady.errands import ask_one
from ecbench.players.merchants.steady.notebook import Notebook
from ecbench.players.merchants.steady.pricing import reprice
from ecbench.players.merchants.steady.promotions import Promotions, look_at_promotions
from ecbench.players.merchants.steady.ranking import appraise
from ecbench.players.merchants.steady.research import survey
from ecbench.players.merchants.steady.stocking import make_plans, restock
from ecbench.players.merchants.steady.takeover import take_stock
from ecbench.players.merchants.steady.trials import arrange_stores, prepare_trials

PLAN_EVERY = 6  # days
APPRAISE_EVERY = 24
TRACE_EVERY = 8
SHELVE_EVERY = 3
EARLY = 60  # days in which everything is looked at more often


class Steady:
    """Researches, screens suppliers, haggles, prices by experiment, restocks by velocity, keeps a cash reserve.

    It sees what a model sees. But it knows the simulator's functional forms and only has to learn their parameters.
    """

    def __init__(self, days: int = 365) -> None:
        self.days = days

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        book = Notebook(self.days)
        yield from survey(book)
        yield from take_stock(book)
        yield from trade_on(book)


def trade_on(book: Notebook) -> Play:
    """Day after day until the year is over."""
    promotions = Promotions()
    while not book.over:
        yield from one_day(book, promotions)


def one_day(book: Notebook, promotions: Promotions) -> Errand[None]:
    today, early = book.date, book.days_in < EARLY
    delivered = any(kind == "delivery" for kind, _ in book.news)
    if book.open_trades:
        yield from open_up(book, promotions)
        on_offer = promotions.stores
        yield from look_at_promotions(book, promotions)
        if book.day % PLAN_EVERY == 0 or promotions.stores != on_offer:
            make_plans(book, promotions)
            yield from reprice(book, promotions)
    book.news.clear()
    if book.day % SHELVE_EVERY == 0 or (delivered and early):
        yield from put_on_shelves(book, promotions)
    unheard = any(trade.known and trade.potential is None for trade in book.open_trades)
    if unheard or book.day % (PLAN_EVERY if early else APPRAISE_EVERY) == 0:
        appraise(book)
    yield from arrange_stores(book)
    if book.day % (TRACE_EVERY // 2 if early else TRACE_EVERY) == 0:
        yield from check_deliveries(book)
    yield from restock(book)
    yield from prepare_trials(book)
    if book.date == today:
        yield from ask_one(book, "wait_for_next_day")
