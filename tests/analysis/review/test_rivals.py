"""A seat of a shared market in the engine's hands, among rivals that stand still."""

from pathlib import Path
from typing import Any

import pytest
from tests.analysis.review.conftest import Make
from tests.runs.conftest import TRADER, NewRun, Play

from ecbench.analysis.review.engine import VARIANTS, StandingRival, final_assets
from ecbench.analysis.review.positions import positions_of, replay_positions
from ecbench.episode import Episode
from ecbench.market.books import Books
from ecbench.market.purchasing import buy
from ecbench.players.loop import play as play_table
from ecbench.players.merchant_player import MerchantPlayer
from ecbench.players.session import TableSession
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.workers.processes import Processes
from ecbench.table import Table
from ecbench.world.load import load_world

WAIT = {"name": "wait_for_next_day", "arguments": {}}


@pytest.fixture
def shared(new_run: NewRun, play: Play) -> Run:
    """Two traders in one market for a month."""
    run = new_run(TRADER, "Careless", days=30)
    play(run)
    return run


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_is_found_with_the_books_that_were_recorded(shared: Run, seat: int) -> None:
    positions = positions_of(read_episode(shared, 0), shared.terms.stake, seat=seat)
    assert len(positions) > 3
    for position, year in zip(positions, replay_positions(shared.at_seat(0, seat), 0, positions), strict=True):
        assert (year.seat, year.day) == (seat, position.day)
        assert year.bank + year.wallet + year.escrow == pytest.approx(position.assets, abs=0.01)


def shelves(books: Books) -> list[tuple[float, dict[str, float]]]:
    return [(store.reputation, {sku: line.price for sku, line in store.shelf.items()}) for store in books.trading]


def test_rivals_keep_their_shelves_prices_and_reputation_until_the_end_of_the_year(shared: Run) -> None:
    position = positions_of(read_episode(shared, 0), shared.terms.stake)[2]
    [year] = replay_positions(shared, 0, [position])
    rival, seen = year.account.market.accounts[1], []
    for store in rival.books.trading:
        store.reputation = 0.77  # every morning would rebuild it from what the store has sent
        for line in store.shelf.values():
            line.quantity = 1
    before = shelves(rival.books)
    assert before[0][1], "something is on a shelf"

    def waiting() -> Any:
        while True:
            if year.table.outcomes(1) is None:  # the rival has ended its day, and customers find what it leaves
                seen.append(shelves(rival.books))
            assert all(line.quantity > 0 for store in rival.books.trading for line in store.shelf.values())
            yield [WAIT]

    play_table(TableSession(year.table), [MerchantPlayer(waiting), StandingRival(rival, year.account)])
    assert year.ending == "year_end" and len(seen) >= 7
    assert all(found == before for found in seen)


def take(market: Table, seat: int, name: str, **arguments: Any) -> None:
    """The others wait until it is this seat's turn."""
    while market.turn not in (seat, None):
        market.act(market.turn or 0, [WAIT])
    market.act(seat, [{"name": name, "arguments": arguments}])


def test_a_rival_that_sells_the_same_makes_a_seat_worth_less(small_world: Path) -> None:
    market = Table(load_world(small_world), seats=2, days=60)
    rival, kettles = market.accounts[1], market.world.products[2]
    take(market, 1, "open_store", store_type="pots", store_name="First")
    buy(rival, supplier="Tin Works", product=kettles, quantity=50, unit_price=100.0)
    while not rival.books.stock.get(kettles.sku):
        take(market, 1, "wait_for_next_day")
    before = market.copy()
    plan = [{"product_id": kettles.sku, "quantity": 50, "retail_price": 180.0}]
    take(market, 1, "publish_to_store", store_id=rival.books.trading[0].id, plan=plan)
    assert rival.books.trading[0].shelf
    alone, crowded = (final_assets(Episode.at(each), VARIANTS[0]) for each in (before, market))
    assert crowded < alone


def test_a_review_of_a_seat_has_a_curve_and_losses_wherever_it_is_made(shared: Run, make: Make) -> None:
    seat = shared.at_seat(0, 1)
    review = make(seat)
    assert review is not None and review.over and review.losses
    assert len(review.weeks) == len(review.points) - 1
    assert make(seat, executor=Processes(), jobs=2, again=True) == review
    assert make(shared.at_seat(0, 0)) != review
