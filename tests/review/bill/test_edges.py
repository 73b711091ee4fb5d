"""Whatever world and rules are accepted, and whatever is traded there, the amounts of a bill are finite."""

import warnings
from collections.abc import Sequence
from math import isfinite
from random import Random
from typing import Any, get_args

import pytest
from tests.conftest import write_little_world
from tests.review.bill.trading import Trader
from tests.test_extremes import (
    AGREEING,
    PRICES,
    STARTS,
    Pick,
    eager,
    highest,
    lowest,
    roused,
    rules_at,
    some_trade,
    world_at,
)

import ecbench
from ecbench.ranges import STAKE, Range
from ecbench.rules import Rules
from ecbench.world.model import Elasticity, World


@pytest.fixture(scope="module")
def little_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return ecbench.load_world(write_little_world(tmp_path_factory.mktemp("little")))


def check_a_bill(world: World, rules: Rules, stake: float, days: int, prices: Sequence[float]) -> None:
    trader = Trader(world, rules, stake, days)
    for calls in some_trade(trader.year, prices, rules.max_discount):
        trader.make(calls)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bill = trader.bill("turn_limit")
    assert bill.charges
    for charge in bill.charges:
        assert isfinite(charge.amount) and charge.amount >= 0.0 and charge.units >= 0


@pytest.mark.parametrize("elasticity", get_args(Elasticity))
@pytest.mark.parametrize("pick", [lowest, highest, eager, roused])
def test_the_corners_of_all_ranges_break_no_bill(little_world: World, elasticity: Elasticity, pick: Pick) -> None:
    world = world_at(little_world, pick, elasticity, STARTS[1])
    check_a_bill(world, Rules(lead_days=(0, 1)), STAKE.most, 36_525, (PRICES[0], 1.0, PRICES[-1]))


@pytest.mark.parametrize("seed", [9, 14, 55, *range(1, 8)])
def test_no_accepted_world_and_rules_break_a_bill(little_world: World, seed: int) -> None:
    chance = Random(seed)

    def pick(range_: Range) -> Any:
        if range_.whole:
            return chance.choice(
                [lowest(range_), int(range_.most), chance.randint(int(lowest(range_)), int(range_.most))]
            )
        usual = chance.uniform(max(lowest(range_), 0.01), min(range_.most, 10.0))
        return chance.choice([lowest(range_), highest(range_), usual, usual])

    world = world_at(little_world, pick, chance.choice(get_args(Elasticity)), chance.choice(STARTS))
    changed = rules_at(pick)
    together = chance.choice([AGREEING, sorted(changed), [*AGREEING, *sorted(changed)[::3]]])
    rules = Rules(**{name: changed[name] for name in together})
    check_a_bill(world, rules, chance.choice([1e5, STAKE.most]), chance.choice([366, 20]), chance.choices(PRICES, k=3))
