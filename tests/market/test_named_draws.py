"""Which stream decides what: returns by shipment and speed, lead times in the order in which they are drawn."""

from datetime import datetime, timedelta
from random import Random

import pytest

from ecbench.market.draws import first_uniforms
from ecbench.market.marketplace import Account
from ecbench.market.purchasing import buy
from ecbench.world.model import World

SEED = 7


def test_an_order_draws_its_days_its_minutes_its_shown_range_and_then_its_shortfall(
    account: Account, world: World
) -> None:
    stream = Random(SEED)
    for short in (True, False, True):
        order = buy(
            account,
            supplier="South Pots",
            product=world.products[0],
            quantity=100,
            unit_price=1.0,
            short=short,
        )
        days, minutes, _ = stream.randint(3, 7), stream.randint(0, 1439), stream.randint(1, 2)
        assert account.market.moment(order.arrives) == datetime(2026, 1, 1, 8) + timedelta(days=days, minutes=minutes)
        assert order.delivered == (int(100 * (0.6 + 0.1 * stream.random())) if short else 100)


@pytest.mark.parametrize("seed", [0, 1, 4_000_000_000, 2**33 + 5])
def test_the_first_uniforms_are_those_of_a_generator_of_its_own(seed: int) -> None:
    reference = Random(seed)
    assert first_uniforms(seed, 700) == tuple(reference.random() for _ in range(700))
