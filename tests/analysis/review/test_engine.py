"""The engine: it takes any year over, leaves it as it was, and thinks well of its own play."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import pytest
from tests.players.conftest import small_world

from ecbench import Episode, load_world
from ecbench.analysis.review.curve import Judge, Point, result_point
from ecbench.analysis.review.engine import ENGINE, VARIANTS, Engine, final_assets, orders_to_send
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import Rules
from ecbench.world.model import World

__all__ = ["small_world"]

FEW = VARIANTS[::5]  # each habit in half of them
HALF = [VARIANTS[number] for number in (0, 3, 5, 6, 9, 10, 12, 15)]  # and each pair of habits in a quarter
DAYS = 70


def worth(year: Episode) -> float:
    return year.bank + year.wallet + year.escrow


def call(year: Episode, name: str, **arguments: Any) -> dict[str, Any]:
    [reply] = year.act([{"name": name, "arguments": arguments}])
    told: dict[str, Any] = json.loads(reply)
    return told


def traded(year: Episode, merchant: Merchant | Insider, days: Sequence[int]) -> list[Episode]:
    """Copies of the year on these days, which it is played past; the last of them is the year at its end."""
    play = begin_play(merchant, year)
    calls, found, ahead = next(play), [], list(days)
    while not year.done:
        if ahead and year.day >= ahead[0]:
            ahead.pop(0)
            found.append(year.copy())
        calls = play.send([json.loads(reply) for reply in year.act(calls)])
    return [*found, year]


@pytest.fixture(scope="module")
def shop(small_world: World) -> Episode:
    """A plain shop after five weeks."""
    return traded(Episode(small_world, days=DAYS), get_merchant("haggler", days=DAYS), [35])[0]


def test_a_value_is_the_same_whenever_it_is_asked_for_and_leaves_the_position_alone(shop: Episode) -> None:
    before = shop.report()
    assert final_assets(shop, VARIANTS[3]) == final_assets(shop, VARIANTS[3])
    assert shop.report() == before and shop.day == 35


def test_the_engine_makes_more_of_a_shop_than_who_ran_it(shop: Episode) -> None:
    played = shop.copy()
    for _ in range(DAYS - played.day):
        call(played, "ship_orders", action="ship")
        call(played, "wait_for_next_day")
    assert min(final_assets(shop, variant) for variant in FEW) > 1.2 * worth(played)


def test_variants_are_none_better_than_the_others(small_world: World) -> None:
    """No habit is worth a tenth: what their values differ by is chance."""
    start = Episode(small_world, days=DAYS)
    values = {variant: final_assets(start, variant) for variant in HALF}
    mean = sum(values.values()) / len(values)
    for habit in ("plan_every", "phase", "suppliers", "listings"):
        for level in {getattr(variant, habit) for variant in HALF}:
            group = [value for variant, value in values.items() if getattr(variant, habit) == level]
            assert abs(sum(group) / len(group) - mean) < 0.1 * mean, (habit, level)
    assert len(set(values.values())) > len(HALF) / 2


def test_the_engine_finds_no_blunder_in_its_own_year(small_world: World) -> None:
    days = 42
    *positions, end = traded(Episode(small_world, days=days), Engine(VARIANTS[0]), range(0, days, 7))
    points = [Point(year.day, worth(year), tuple(final_assets(year, variant) for variant in FEW)) for year in positions]
    weeks = Judge([*points, result_point(end.day, worth(end), len(FEW))], days).weeks()
    assert [week for week in weeks if week.mark == "??"] == []
    assert points[0].mean == pytest.approx(worth(end), rel=0.25)


def test_the_engine_sends_what_somebody_left_lying(shop: Episode) -> None:
    """Two days of orders, the deadline tomorrow."""
    year = shop.copy()
    call(year, "wait_for_next_day")
    waiting = [order.number for order in orders_to_send(year)]
    assert waiting
    cancelled = year.account.books.orders_cancelled
    play = begin_play(Engine(VARIANTS[0]), year)
    calls = next(play)
    day = year.day
    while year.day == day:
        calls = play.send([json.loads(reply) for reply in year.act(calls)])
    assert year.account.books.orders_cancelled == cancelled
    assert {order.number for order in orders_to_send(year)}.isdisjoint(waiting)


def test_without_a_supplier_left_the_engine_sells_what_is_there(shop: Episode) -> None:
    year = shop.copy()
    year.account.closed_suppliers = {supplier.name for supplier in year.world.suppliers}
    assert worth(year) < final_assets(year, VARIANTS[0]) < final_assets(shop, VARIANTS[0])


class Hoarse:
    """Has said all it had to say, as a voice that quotes a record has at its end."""

    name = "hoarse"

    def reply(self, scene: object) -> str:
        raise AssertionError("nothing is recorded any more")

    def hears_membership(self, scene: object) -> bool:
        raise AssertionError("nothing is recorded any more")


def test_the_engine_hears_suppliers_in_a_voice_of_its_own(small_world: World) -> None:
    year = Episode(small_world, days=30, voice=Hoarse())
    assert final_assets(year, VARIANTS[0]) == final_assets(Episode(small_world, days=30), VARIANTS[0])


def test_engine_plays_under_other_rules(small_world: World) -> None:
    rules = Rules(max_stores=1, stake=20_000.0, lead_days=(0, 1), opening_hour=9, closing_hour=12)
    assert final_assets(Episode(small_world, days=40, rules=rules), VARIANTS[0]) > 20_000.0


def digest_of_calls(year: Episode, merchant: Insider) -> str:
    """Of every call that a merchant makes until the episode is over."""
    digest, play = hashlib.sha256(), begin_play(merchant, year)
    calls = next(play)
    while not year.done:
        digest.update(json.dumps(calls).encode())
        calls = play.send([json.loads(reply) for reply in year.act(calls)])
    return digest.hexdigest()[:16]


def test_an_engine_that_calls_something_else_has_another_number() -> None:
    """Values of two engines cannot be compared, and a review is kept by the number of its engine. The world is the
    published one, which does not change with the generator. If this fails, count `ENGINE` up and state the digests."""
    world = load_world("default")
    digests = [digest_of_calls(Episode(world, days=90), Engine(variant)) for variant in (VARIANTS[0], VARIANTS[-1])]
    assert (ENGINE, digests) == ("5", ["ca5238861d445d9a", "d8b18129992a6284"])
