"""Bills of whole years: what is ledger money agrees with the ledger, and nothing is charged that cannot be."""

from functools import cache

import pytest
from orjson import loads
from tests.recordings.tape import FOLDER, default_world, read
from tests.review.bill.trading import Trader

from ecbench.market.ledger import FEES, IDLE, OPERATING, PROCUREMENT, REFUNDS, SALVAGE, STORAGE
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.review.bill import causes
from ecbench.review.bill.buying import floor_of, unsold_units
from ecbench.review.bill.charges import Bill
from ecbench.review.bill.making import bill_of_year
from ecbench.review.bill.replayed_year import BilledYear
from ecbench.rules import DEFAULT_RULES, rule_set

YEARS = ("haggler", "haggler fair", "first-quote", "anything", "anything-poor", "bankrupt")
CENT = 0.01


@cache
def billed(name: str) -> tuple[BilledYear, Bill]:
    """A year of a merchant, or one of the recordings, in which anything is called."""
    played = taped(name) if (FOLDER / f"{name}.json.gz").exists() else traded(name)
    return played, bill_of_year(played)


def traded(name: str) -> BilledYear:
    """By the merchant's name, and the rule set's if it is not the paper's."""
    merchant, _, rules = name.partition(" ")
    trader = Trader(default_world(), rule_set(rules or "paper"), DEFAULT_RULES.stake)
    play = begin_play(get_merchant(merchant), trader.year)
    calls = next(play)
    while not trader.year.done:
        replies = trader.make(calls)
        if not trader.year.done:
            calls = play.send([loads(reply) for reply in replies])
    return trader.played()


def taped(name: str) -> BilledYear:
    tape = read(FOLDER / f"{name}.json.gz")
    trader = Trader(default_world(), DEFAULT_RULES, tape["stake"], tape["days"])
    for turn in tape["turns"]:
        trader.make(turn["calls"])
    return trader.played("turn_limit")


@pytest.mark.parametrize("name", YEARS)
def test_whole_channels_of_the_ledger_are_charged_to_the_cent(name: str) -> None:
    played, bill = billed(name)
    moved = played.books.purse.totals
    for cause, channel in ((causes.FEES, FEES), (causes.STORAGE, STORAGE), (causes.EMPTY_SLOT, IDLE)):
        assert bill.total(cause) == pytest.approx(-moved[channel], abs=CENT)


@pytest.mark.parametrize("name", YEARS)
def test_every_yuan_paid_for_goods_is_in_one_place(name: str) -> None:
    """The floor of what was sold, what was paid above it, what never came, and what nobody bought."""
    played, bill = billed(name)
    moved, unsold = played.books.purse.totals, unsold_units(played)
    floors = sum(
        floor_of(played, order.supplier, order.product) * (order.delivered - unsold.get(order.number, 0))
        for order in played.books.orders
        if order.product is not None
    )
    lost = sum(bill.total(cause) for cause in (causes.ABOVE_FLOOR, causes.SHORT_DELIVERY, causes.UNSOLD))
    assert floors + lost + moved[SALVAGE] == pytest.approx(-moved[PROCUREMENT], abs=CENT)


@pytest.mark.parametrize("name", YEARS)
def test_parts_of_a_channel_are_no_more_than_the_whole(name: str) -> None:
    played, bill = billed(name)
    moved = played.books.purse.totals
    assert bill.total(causes.DEFECTIVE) <= -moved[REFUNDS] + CENT
    assert bill.total(causes.IDLE_DAY) <= -moved[OPERATING] + CENT
    assert bill.ledger_total <= -sum(amount for amount in moved.values() if amount < 0.0) + CENT


@pytest.mark.parametrize("name", YEARS)
def test_nothing_is_charged_below_zero_or_outside_of_the_year(name: str) -> None:
    played, bill = billed(name)
    world, stores = played.year.world, played.books.stores
    assert bill.charges
    for charge in bill.charges:
        assert charge.amount >= 0.0 and charge.units >= 0
        assert 0 <= charge.day <= bill.last_day
        assert charge.store is None or charge.store in stores
        assert charge.sku is None or charge.sku in world.product_by_sku
        assert charge.supplier is None or charge.supplier in world.supplier_by_name


@pytest.mark.parametrize("name", YEARS)
def test_every_unit_that_was_not_sent_in_time_is_on_the_bill(name: str) -> None:
    played, bill = billed(name)
    cancelled = sum(stock.cancelled for stock in played.books.stock.values())
    assert bill.units(causes.CANCELLED) >= cancelled


def test_what_ran_out_during_a_day_is_what_the_market_noted_as_lost() -> None:
    """Where no listing was empty from the morning on, filling the shelf changes no crowd."""
    played, bill = billed("haggler")
    whole = {
        (evening.day, note.store) for evening in played.evenings for note in evening.shelves if all(note.quantities)
    }
    lost = {
        (sale.day, sale.store, sale.goods.product.sku): sale.lost
        for sale in played.journal.sales
        if sale.lost and (sale.day, sale.store) in whole
    }
    charged = {
        (charge.day, charge.store, charge.sku): charge.units
        for charge in bill.charges
        if charge.cause == causes.EMPTY_SHELF and (charge.day, charge.store) in whole
    }
    assert len(lost) > 10
    assert charged == lost


def test_a_year_has_one_evening_for_every_morning() -> None:
    played, _ = billed("anything")
    assert [evening.day + 1 for evening in played.evenings] == [morning.day for morning in played.books.days]
