"""Merchants that take over a business somebody else has run, and see of it what the tools show."""

import pytest
from tests.players.conftest import batches_until

from ecbench import Episode
from ecbench.players.driver import play_year
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.players.merchants.steady.buying import NATURAL_RATE, check_deliveries
from ecbench.players.merchants.steady.state import LineGoods, MerchantState, ShelfLine, Source
from ecbench.world.model import World

DAYS = 365
TAKEOVER_DAY = 120
MOST_TURNS = 4_000  # of a recorded year, unless it is told otherwise


def trade_until(episode: Episode, name: str, day: int, days: int = 365) -> int:
    """Play to the morning of `day`, or to the end of the year; the number of turns."""
    return len(batches_until(begin_play(get_merchant(name, days=days), episode), episode, day))


def worth(episode: Episode) -> float:
    return episode.bank + episode.wallet + episode.escrow


@pytest.fixture(scope="module")
def first_part(default_world: World) -> tuple[Episode, int]:
    """A business in full swing: four stores, a wide shelf, goods on their way, leftovers. And the turns it took."""
    episode = Episode(default_world)
    return episode, trade_until(episode, "steady", TAKEOVER_DAY)


@pytest.fixture
def running(first_part: tuple[Episode, int]) -> Episode:
    return first_part[0].copy()


@pytest.mark.parametrize(("name", "multiple"), [("steady", 5), ("haggler", 2), ("first-quote", 2)])
def test_a_business_taken_over_on_day_120_is_worth_a_multiple_at_the_end(
    name: str, multiple: int, running: Episode, first_part: tuple[Episode, int]
) -> None:
    taken, turns_before = worth(running), first_part[1]
    turns = trade_until(running, name, DAYS)
    running.finish()
    assert running.ending == "year_end"
    assert running.bank + running.wallet > multiple * taken
    assert turns_before + turns < MOST_TURNS


def test_steady_takes_over_a_plain_shop_late_and_still_adds_to_it(default_world: World) -> None:
    year = Episode(default_world, days=150)
    trade_until(year, "haggler", 100, days=150)
    taken = worth(year)
    play_year(get_merchant("steady", days=150), year)
    assert year.ending == "year_end"
    assert year.bank + year.wallet > taken


@pytest.mark.parametrize(
    ("ordered", "delivered", "dropped"),
    [([], 12, False), ([5], 12, False), ([5, 7], 12, False), ([20], 12, True)],
)
def test_a_delivery_that_somebody_else_ordered_is_not_held_against_a_supplier(
    ordered: list[int], delivered: int, dropped: bool
) -> None:
    item = LineGoods("sku", "Lamps", 40.0)
    source = Source("Lamp Makers", "sales@lamps.example", owed={"sku": ordered})
    line = ShelfLine("Lamps", [item], sources=[source])
    state = MerchantState(365, lines={"Lamps": line}, goods={"sku": item})
    routine = check_deliveries(state)
    next(routine)
    part = {"supplier": "Lamp Makers", "units_delivered": delivered, "share": 1.0}
    row = {"product_id": "sku", NATURAL_RATE: 0.1, "units_sold": 0, "units_returned": 0, "supplier_sources": [part]}
    with pytest.raises(StopIteration):
        routine.send([{"products": [row]}])
    assert source.dropped is dropped
