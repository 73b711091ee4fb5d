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
from ecbench.metrics.losses.account import Loss, paid_total, total
from ecbench.metrics.losses.buying import floor_of, unsold_units
from ecbench.metrics.losses.shelves import ShelfWatch
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import DEFAULT_RULES, rule_set

YEARS = ("haggler", "haggler fair", "first-quote", "anything", "anything-poor", "bankrupt")
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
    """By the merchant's name, and the rule set's if it is not the paper's."""
    merchant, _, rules = name.partition(" ")
    trader = Trader(default_world(), rule_set(rules or "paper"), DEFAULT_RULES.stake)
    play = begin_play(get_merchant(merchant), trader.year)
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
def test_whole_channels_of_the_ledger_are_lost_to_the_cent(name: str) -> None:
    year, _, _, losses, _ = played(name)
    moved = year.account.books.purse.totals
    for cause, channel in ((causes.FEES, FEES), (causes.STORAGE, STORAGE), (causes.NO_STORE, IDLE)):
        assert total(losses, cause) == pytest.approx(-moved[channel], abs=CENT)


@pytest.mark.parametrize("name", YEARS)
def test_every_yuan_paid_for_goods_is_in_one_place(name: str) -> None:
    """The floor of what was sold, what was paid above it, what never came, and what nobody bought."""
    year, _, _, losses, _ = played(name)
    moved, unsold, economy = year.account.books.purse.totals, unsold_units(year.account.books), year.account.economy
    floors = sum(
        min(order.unit_price, floor_of(economy, order.supplier, order.product))
        * (order.delivered - unsold.get(order.number, 0))
        for order in year.account.books.orders
        if order.product is not None
    )
    lost = sum(total(losses, cause) for cause in (causes.ABOVE_FLOOR, causes.SHORT_DELIVERY, causes.UNSOLD))
    assert floors + lost + moved[SALVAGE] == pytest.approx(-moved[PROCUREMENT], abs=CENT)


@pytest.mark.parametrize("name", YEARS)
def test_parts_of_a_channel_are_no_more_than_the_whole(name: str) -> None:
    year, _, _, losses, _ = played(name)
    moved = year.account.books.purse.totals
    assert total(losses, causes.DEFECTIVE) <= -moved[REFUNDS] + CENT
    assert paid_total(losses) <= -sum(amount for amount in moved.values() if amount < 0.0) + CENT


@pytest.mark.parametrize("name", YEARS)
def test_nothing_is_lost_below_zero_or_outside_of_the_year(name: str) -> None:
    year, _, _, losses, _ = played(name)
    assert losses or name == "bankrupt"
    for loss in losses:
        assert loss.amount > 0.0 and loss.units >= 0
        assert 0 <= loss.day <= year.account.books.days[-1].day
        assert loss.store is None or loss.store in year.account.books.stores
        assert loss.sku is None or loss.sku in year.world.product_by_sku
        assert loss.supplier is None or loss.supplier in year.world.supplier_by_name


@pytest.mark.parametrize("name", YEARS)
def test_every_unit_that_was_not_shipped_in_time_is_in_the_account(name: str) -> None:
    """Unless it would have brought nothing."""
    year, journal, watch, losses, _ = played(name)
    late = [sale for sale in journal.sales if sale.number in journal.cancelled]
    worth = [
        sale.goods.quantity
        for sale in late
        if sale.goods.net > sale.goods.quantity * (watch.cost_of(sale.goods.product.sku, sale.day) + MOST_SENDING)
    ]
    assert sum(loss.units for loss in losses if loss.cause == causes.CANCELLED) >= sum(worth)
    assert sum(sale.goods.quantity for sale in late) == sum(s.cancelled for s in year.account.books.stock.values())


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


def test_a_year_has_one_evening_for_every_morning() -> None:
    year, _, watch, *_ = played("anything")
    assert [evening.day + 1 for evening in watch.evenings] == [morning.day for morning in year.account.books.days]
