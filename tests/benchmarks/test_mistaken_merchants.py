"""Mistakes that are made for a review to find really happen, on their days and on no others."""

from typing import NamedTuple

import pytest
from mistaken_merchants import (
    Cheated,
    ClosedStore,
    DoublePrices,
    HighBids,
    Holiday,
    JunkStock,
    Memberships,
    Mistake,
    NoLetters,
    NoWithdrawals,
    Unshipped,
    mistaken_merchant,
)
from orjson import loads

from ecbench.episode import Episode
from ecbench.market.ledger import FEES
from ecbench.players.merchant_player import begin_play
from ecbench.suppliers.scams import MEMBERS_ONLY
from ecbench.world.load import load_world

DAY = 30


class Turn(NamedTuple):
    """A turn of a haggler's year, and how things stood when it was over."""

    day: int
    names: set[str]
    bank_before: float
    bank: float
    stores: int
    prices: dict[str, float]


def played(mistake: type[Mistake], days: int = DAY + 4) -> tuple[Episode, list[Turn]]:
    year = Episode(load_world("default"))
    play = begin_play(mistaken_merchant("haggler", mistake)(), year)
    calls, turns = next(play), []
    while year.day <= days:
        day, before, names = year.day, year.bank, {str(one["name"]) for one in calls}
        replies = year.act(calls)
        stores = year.account.books.trading
        prices = {sku: listing.price for store in stores for sku, listing in store.shelf.items()}
        turns.append(Turn(day, names, before, year.bank, len(stores), prices))
        calls = play.send([loads(reply) for reply in replies])
    return year, turns


def test_one_order_leaves_nothing_in_the_bank() -> None:
    class Early(JunkStock):
        first = last = DAY

    _, turns = played(Early)
    assert [turn.day for turn in turns if turn.bank_before > 10_000 and turn.bank < 0.1 * turn.bank_before] == [DAY]


def test_prices_are_twice_what_they_were_and_then_what_they_were() -> None:
    class Early(DoublePrices):
        first, last = DAY, DAY + 1

    _, turns = played(Early)
    before = next(turn.prices for turn in turns if turn.day == DAY - 1)
    during, after = (next(turn.prices for turn in reversed(turns) if turn.day == day) for day in (DAY + 1, DAY + 3))
    assert {round(during[sku] / before[sku], 3) for sku in before.keys() & during.keys()} == {2.0}
    assert {round(after[sku] / before[sku], 3) for sku in before.keys() & after.keys()} == {1.0}


def test_every_membership_is_paid_once() -> None:
    year, _ = played(Memberships, Memberships.last)
    asking = [supplier for supplier in year.world.suppliers if supplier.scam in MEMBERS_ONLY]
    assert year.account.books.purse.totals[FEES] == -len(asking) * year.account.rules.membership_fee < 0


@pytest.mark.parametrize(
    ("mistake", "tool"), [(Unshipped, "ship_orders"), (NoWithdrawals, "withdraw"), (NoLetters, "chatbox")]
)
def test_a_tool_is_not_used_while_the_mistake_lasts(mistake: type[Mistake], tool: str) -> None:
    class Early(mistake):  # type: ignore[misc, valid-type]
        first, last = DAY, DAY + 6

    class Never(Mistake):
        first = last = 999

    used, usually = ({turn.day for turn in played(each, DAY + 14)[1] if tool in turn.names} for each in (Early, Never))
    during = set(range(DAY, DAY + 7))
    assert used & during == set() and usually & during
    assert max(used) > DAY + 6 and {day for day in used if day < DAY} == {day for day in usually if day < DAY}


def test_on_a_holiday_the_merchant_only_waits() -> None:
    class Early(Holiday):
        first, last = DAY, DAY + 2

    _, turns = played(Early)
    assert {name for turn in turns if DAY <= turn.day <= DAY + 2 for name in turn.names} == {"wait_for_next_day"}


def test_bids_half_as_high_again_are_paid() -> None:
    class Early(HighBids):
        first, last = DAY - 10, DAY

    dear, plain = (played(mistake)[0].account.books.orders for mistake in (Early, NoWithdrawals))
    cost = [
        sum(order.charged for order in orders if order.day >= DAY - 10)
        / sum(order.quantity for order in orders if order.day >= DAY - 10)
        for orders in (dear, plain)
    ]
    assert cost[0] > 1.2 * cost[1]


def test_a_cheat_keeps_a_part_of_the_goods() -> None:
    class Early(Cheated):
        first = last = DAY

    year, _ = played(Early)
    assert any(order.day == DAY and order.delivered < order.quantity for order in year.account.books.orders)


def test_one_store_is_closed() -> None:
    class Early(ClosedStore):
        first = last = DAY

    _, turns = played(Early, DAY)
    assert sum("close_store" in turn.names for turn in turns) == 1
    assert turns[-1].stores == max(turn.stores for turn in turns) - 1
