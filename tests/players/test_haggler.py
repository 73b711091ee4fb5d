"""The haggler goes by numbers that can be given."""

import json
from typing import Any

import pytest
from tests.players.conftest import batches_until

from ecbench import Episode
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.haggler import Haggler
from ecbench.players.merchants.protocol import Call
from ecbench.world.model import World

DAYS = 12  # in which goods arrive


def calls_of(haggler: Haggler, world: World) -> list[Call]:
    episode = Episode(world, days=60)
    return [call for batch in batches_until(begin_play(haggler, episode), episode, DAYS) for call in batch]


def offers_in(calls: list[Call]) -> list[list[dict[str, Any]]]:
    """Each letter's offers."""
    letters = [call["arguments"]["content"].splitlines() for call in calls if call["name"] == "chatbox"]
    lines = [[json.loads(line) for line in letter if line.startswith("{")] for letter in letters]
    return [letter for letter in lines if letter and letter[0]["action"] == "offer"]


def test_it_makes_the_offers_that_it_is_given_carries_so_many_goods_and_asks_the_given_price(
    default_world: World,
) -> None:
    reference = {product.sku: product.reference_price for product in default_world.products}
    calls = calls_of(Haggler(60, goods=2, offers=(0.2, 0.25), price=1.3), default_world)
    rows = [row for call in calls for row in call["arguments"].get("plan", ())]
    assert {round(row["retail_price"] / reference[row["product_id"]], 9) for row in rows} == {1.3}
    letters = offers_in(calls)
    shares = [{round(bid["price"] / reference[bid["sku_id"]], 2) for bid in letter} for letter in letters]
    assert len(shares) > 10
    assert shares == [{0.2}, {0.25}] * (len(shares) // 2)
    assert max(map(len, letters)) == 2


@pytest.mark.parametrize("wrong", [{"offers": ()}, {"goods": 0}, {"restocked_a_day": 0}])
def test_numbers_that_make_no_shop_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="a haggler makes an offer at least"):
        Haggler(**wrong)
