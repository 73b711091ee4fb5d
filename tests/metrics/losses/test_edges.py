"""Whatever world and rules are accepted, and whatever is traded there, all losses are finite."""

import warnings
from collections.abc import Sequence
from math import isfinite
from random import Random
from typing import Any, get_args

import pytest
from tests.conftest import write_little_world
from tests.metrics.losses.trading import Trader
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


def check_the_losses(world: World, rules: Rules, stake: float, days: int, prices: Sequence[float]) -> bool:
    """Whether there are any."""
    trader = Trader(world, rules, stake, days)
    for calls in some_trade(trader.year, prices, rules.max_discount):
        trader.make(calls)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        losses = trader.losses("turn_limit")
    for loss in losses:
        assert isfinite(loss.amount) and loss.amount > 0.0 and loss.units >= 0
    return bool(losses)


@pytest.mark.parametrize("elasticity", get_args(Elasticity))
@pytest.mark.parametrize("pick", [lowest, highest, eager, roused])
def test_the_corners_of_all_ranges_break_no_account(little_world: World, elasticity: Elasticity, pick: Pick) -> None:
    world = world_at(little_world, pick, elasticity, STARTS[1])
    assert check_the_losses(world, Rules(lead_days=(0, 1)), STAKE.most, 36_525, (PRICES[0], 1.0, PRICES[-1]))


@pytest.mark.parametrize("seed", [9, 14, 55, *range(1, 8)])
def test_no_accepted_world_and_rules_break_the_account(little_world: World, seed: int) -> None:
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
    stake, days = chance.choice([1e5, STAKE.most]), chance.choice([366, 20])
    check_the_losses(world, rules, stake, days, chance.choices(PRICES, k=3))
