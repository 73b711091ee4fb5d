"""A seat of an arena in the engine's hands, among rivals that stand still."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from ecbench.runs.arena.folder import SeatPlace, seat_place
from tests.cli.command import Command
from tests.runs.conftest import MERCHANTS

from ecbench.arena import Arena
from ecbench.errors import RunError
from ecbench.market.purchasing import buy
from ecbench.review.bill.making import bill_of
from ecbench.review.engine import VARIANTS, final_assets
from ecbench.review.positions import positions_of
from ecbench.review.rivals import SeatAmongRivals, seat_played_again
from ecbench.runs.folder import open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.world.load import load_world

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def arena(capsys: Printed, small_world: Path, tmp_path: Path) -> Path:
    """Two careless traders in one market for a month."""
    folder, careless = tmp_path / "arena", f"{MERCHANTS}:Careless"
    terms = ("--seats", f"{careless},{careless}", "--rounds", "1", "--worlds", str(small_world), "--days", "30")
    assert Command(capsys, "arena", *terms, "--out", str(folder), "-q").code == 0
    return folder


def test_a_seat_is_found_with_the_books_that_were_recorded(arena: Path, small_world: Path) -> None:
    for seat in (0, 1):
        run = open_run(arena / "rounds" / "0" / "seats" / str(seat))
        place = seat_place(run.folder)
        assert place == SeatPlace(arena, 0, seat)
        positions = positions_of(read_episode(run, 0), run.terms.stake)
        found = list(seat_played_again(place, load_world(small_world), positions))
        assert [position for position, _ in found] == positions and len(positions) > 3
        for position, year in found:
            assert year.day == position.day
            assert year.bank + year.wallet + year.escrow == pytest.approx(position.assets, abs=0.01)


def test_rivals_keep_their_shelves_prices_and_standing_until_the_end_of_the_year(
    arena: Path, small_world: Path
) -> None:
    run = open_run(arena / "rounds" / "0" / "seats" / "0")
    place = seat_place(run.folder)
    positions = positions_of(read_episode(run, 0), run.terms.stake)[2:3]
    [(_, year)] = seat_played_again(place, load_world(small_world), positions)
    rival = year.account.market.accounts[1]
    before = [
        (store.reputation, {sku: line.price for sku, line in store.shelf.items()}) for store in rival.books.trading
    ]
    assert before
    while not year.done:
        year.act([{"name": "wait_for_next_day", "arguments": {}}])
    after = [
        (store.reputation, {sku: line.price for sku, line in store.shelf.items()}) for store in rival.books.trading
    ]
    assert after == before
    assert all(line.quantity > 0 for store in rival.books.trading for line in store.shelf.values())


def take(market: Arena, seat: int, name: str, **arguments: Any) -> None:
    """The others wait until it is this seat's turn."""
    while market.turn not in (seat, None):
        market.act(market.turn or 0, [{"name": "wait_for_next_day", "arguments": {}}])
    market.act(seat, [{"name": name, "arguments": arguments}])


def test_a_rival_that_sells_the_same_makes_a_seat_worth_less(small_world: Path) -> None:
    market = Arena(load_world(small_world), seats=2, days=60)
    rival, kettles = market.accounts[1], market.market.economy.world.products[2]
    take(market, 1, "open_store", store_type="pots", store_name="First")
    buy(rival, supplier="Tin Works", product=kettles, quantity=50, unit_price=100.0)
    while not rival.books.stock.get(kettles.sku):
        take(market, 1, "wait_for_next_day")
    before = market.copy()
    plan = [{"product_id": kettles.sku, "quantity": 50, "retail_price": 180.0}]
    take(market, 1, "publish_to_store", store_id=rival.books.trading[0].id, plan=plan)
    assert rival.books.trading[0].shelf
    alone, crowded = (final_assets(SeatAmongRivals(each, 0), VARIANTS[0]) for each in (before, market))
    assert crowded < alone


def test_a_review_of_a_seat_has_a_curve_and_a_bill(capsys: Printed, arena: Path) -> None:
    told = Command(capsys, "review", str(arena / "rounds" / "0" / "seats" / "1"), "--jobs", "1", "--quick", "--json")
    assert told.code == 0, told.err
    review = json.loads(told.out)
    assert [point["over"] for point in review["curve"]][-1] is True
    assert review["bill"]["groups"] and len(review["weeks"]) == len(review["curve"]) - 1


def test_a_seat_that_was_copied_out_of_its_arena_is_refused_since_its_rivals_are_missing(
    arena: Path, tmp_path: Path
) -> None:
    copied = shutil.copytree(arena / "rounds" / "0" / "seats" / "1", tmp_path / "copied")
    with pytest.raises(RunError, match="is a seat of an arena, and lies outside of it"):
        bill_of(open_run(copied), 0)
