"""The losses of whole years: what was paid agrees with the ledger, and nothing is lost that cannot be."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import pytest
from orjson import loads
from tests.metrics.losses.trading import Trader
from tests.recordings.tape import FOLDER, default_world, read

from ecbench.episode import Episode
from ecbench.market.journal import Journal
from ecbench.market.ledger import FEES, IDLE, PROCUREMENT, REFUNDS, SALVAGE, STORAGE
from ecbench.metrics.losses import account as causes
from ecbench.metrics.losses.account import Loss, by_cause, paid_total
from ecbench.metrics.losses.buying import floor_of, unsold_units
from ecbench.metrics.losses.shelves import ShelfWatch
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import DEFAULT_RULES, rule_set

MERCHANTS = {"haggler": 365, "haggler fair": 150, "first-quote": 150}  # days, by name and rule set
YEARS = (*MERCHANTS, "anything", "anything-poor", "bankrupt")
CENT = 0.01
MOST_SENDING = 100.0  # yuan, more than freight and expected returns of a unit


class Played(NamedTuple):
    year: Episode
    journal: Journal
    watch: ShelfWatch
    losses: Sequence[Loss]
    full: set[tuple[int, str]]  # day and store, where no listing was empty in the evening


@cache
def played(name: str) -> Played:
    """A year of a merchant, or one of the recordings, in which anything is called."""
    trader, ending = taped(name) if (FOLDER / f"{name}.json.gz").exists() else (traded(name), None)
    losses = trader.losses(ending)
    journal = trader.year.account.journal
    assert journal is not None
    return Played(trader.year, journal, trader.watch, losses, trader.full)


def traded(name: str) -> Trader:
    (merchant, _, rules), days = name.partition(" "), MERCHANTS[name]
    trader = Trader(default_world(), rule_set(rules or "paper"), DEFAULT_RULES.stake, days)
    play = begin_play(get_merchant(merchant, days=days), trader.year)
    calls = next(play)
    while not trader.year.done:
        replies = trader.make(calls)
        if not trader.year.done:
            calls = play.send([loads(reply) for reply in replies])
    return trader


def taped(name: str) -> tuple[Trader, str]:
    tape = read(FOLDER / f"{name}.json.gz")
    trader = Trader(default_world(), DEFAULT_RULES, tape["stake"], tape["days"])
    for turn in tape["turns"]:
        trader.make(turn["calls"])
    return trader, "turn_limit"


@pytest.mark.parametrize("name", YEARS)
def test_the_account_of_a_year_agrees_with_its_books(name: str) -> None:
    found = played(name)
    assert found.losses or name == "bankrupt"
    whole_channels_are_lost_to_the_cent(found)
    every_yuan_paid_for_goods_is_in_one_place(found)
    nothing_is_lost_below_zero_or_outside_of_the_year(found)
    every_unit_that_was_not_shipped_in_time_is_there(found)
    assert [evening.day + 1 for evening in found.watch.evenings] == [each.day for each in found.year.account.books.days]


def whole_channels_are_lost_to_the_cent(found: Played) -> None:
    """And parts of a channel are no more than the whole."""
    losses, moved = found.losses, found.year.account.books.purse.totals
    for cause, channel in ((causes.FEES, FEES), (causes.STORAGE, STORAGE), (causes.NO_STORE, IDLE)):
        assert by_cause(losses)[cause] == pytest.approx(-moved[channel], abs=CENT)
    assert by_cause(losses)[causes.DEFECTIVE] <= -moved[REFUNDS] + CENT
    assert paid_total(losses) <= -sum(amount for amount in moved.values() if amount < 0.0) + CENT


def every_yuan_paid_for_goods_is_in_one_place(found: Played) -> None:
    """The floor of what was sold, what was paid above it, what never came, and what nobody bought."""
    account = found.year.account
    moved, unsold = account.books.purse.totals, unsold_units(account.books)
    floors = sum(
        min(order.unit_price, floor_of(account.economy, order.supplier, order.product))
        * (order.delivered - unsold.get(order.number, 0))
        for order in account.books.orders
        if order.product is not None
    )
    lost = sum(by_cause(found.losses)[cause] for cause in (causes.ABOVE_FLOOR, causes.SHORT_DELIVERY, causes.UNSOLD))
    assert floors + lost + moved[SALVAGE] == pytest.approx(-moved[PROCUREMENT], abs=CENT)


def nothing_is_lost_below_zero_or_outside_of_the_year(found: Played) -> None:
    books, world = found.year.account.books, found.year.world
    for loss in found.losses:
        assert loss.amount > 0.0 and loss.units >= 0
        assert 0 <= loss.day <= books.days[-1].day
        assert loss.store is None or loss.store in books.stores
        assert loss.sku is None or loss.sku in world.product_by_sku
        assert loss.supplier is None or loss.supplier in world.supplier_by_name


def every_unit_that_was_not_shipped_in_time_is_there(found: Played) -> None:
    """Unless it would have brought nothing."""
    late = [sale for sale in found.journal.sales if sale.number in found.journal.cancelled]
    worth = [
        sale.goods.quantity
        for sale in late
        if sale.goods.net > sale.goods.quantity * (found.watch.cost_of(sale.goods.product.sku, sale.day) + MOST_SENDING)
    ]
    assert sum(loss.units for loss in found.losses if loss.cause == causes.CANCELLED) >= sum(worth)
    cancelled = [stock.cancelled for stock in found.year.account.books.stock.values()]
    assert sum(sale.goods.quantity for sale in late) == sum(cancelled)


def test_what_ran_out_during_a_day_is_what_the_market_noted_as_lost() -> None:
    """Where no listing was empty from the morning on, filling the shelf changes no crowd."""
    _, journal, _, losses, full = played("haggler")
    lost = {
        (sale.day, sale.store, sale.goods.product.sku): sale.lost
        for sale in journal.sales
        if sale.lost and (sale.day, sale.store) in full
    }
    found = {
        (loss.day, loss.store, loss.sku): loss.units
        for loss in losses
        if loss.cause == causes.EMPTY_SHELF and (loss.day, loss.store) in full
    }
    assert len(lost) > 10
    assert found == lost
