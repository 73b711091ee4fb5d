"""Mistakes that are made for a review to find really happen, on their days and on no others."""

from typing import NamedTuple

from mistaken import ClosedStore, DoublePrices, JunkStock, Memberships, Mistake, Unshipped, mistaken_merchant
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


def test_no_parcel_leaves_while_nothing_is_sent() -> None:
    class Early(Unshipped):
        first, last = DAY, DAY + 2

    _, turns = played(Early)
    sent = {turn.day for turn in turns if "ship_orders" in turn.names}
    assert sent & set(range(DAY - 2, DAY + 5)) == {DAY - 2, DAY - 1, DAY + 3, DAY + 4}


def test_one_store_is_closed() -> None:
    class Early(ClosedStore):
        first = last = DAY

    _, turns = played(Early, DAY)
    assert sum("close_store" in turn.names for turn in turns) == 1
    assert turns[-1].stores == max(turn.stores for turn in turns) - 1
