"""What was lost on the way to customers, worked by hand: the SKU of the stall cost 60 yuan and sells at 100."""

import pytest
from tests.analysis.bound.tiny import PLAIN
from tests.metrics.losses.trading import SKU, STORE, Trader, found, stall

from ecbench.market.journal import Journal
from ecbench.metrics.losses.account import CANCELLED, FREIGHT, Loss


def sold_ten(trader: Trader) -> Trader:
    """On the morning of day 2."""
    trader.stocked(10)
    trader.sleep()
    return trader


def test_orders_that_are_cancelled_lose_their_margin_for_the_units_come_back() -> None:
    """Sold on day 1 and due on day 3: on the morning of day 4 they are cancelled, 98 - 60 - 0.25 yuan each."""
    trader = sold_ten(Trader())
    trader.sleep(3)
    [loss] = [loss for loss in trader.losses() if loss.cause == CANCELLED]
    assert loss == Loss(4, CANCELLED, 377.5, STORE, SKU, units=10)


def test_orders_that_are_sent_in_time_lose_nothing() -> None:
    trader = sold_ten(Trader())
    trader.call("ship_orders", speed="slow")
    trader.sleep(3)
    losses = trader.losses("turn_limit")
    assert found(losses, CANCELLED) == []
    assert found(losses, FREIGHT) == []


def test_orders_that_wait_may_still_be_sent() -> None:
    trader = sold_ten(Trader())
    assert found(trader.losses(), CANCELLED) == []


def test_orders_that_the_end_finds_unsent_lose_their_units_too() -> None:
    trader = sold_ten(Trader())
    assert found(trader.losses("turn_limit"), CANCELLED) == [(2, 977.5, 10)]


def test_what_the_last_day_sold_could_not_be_sent_by_anybody() -> None:
    """The year of twelve days ends on the morning after its last day."""
    trader = Trader()
    trader.open()
    trader.buy(10, 60.0)
    trader.sleep(11)
    trader.list(10)
    trader.sleep()
    assert trader.year.ending == "year_end"
    assert [sale.day for sale in (trader.year.account.journal or Journal()).sales] == [11]
    assert found(trader.losses(), CANCELLED) == []


@pytest.mark.parametrize(
    ("returns", "speed", "amount"),
    [
        # Nobody sends anything back: half a yuan by standard, twice that by fast, half of it by slow freight.
        (0.0, "slow", 0.0),
        (0.0, "standard", 2.5),
        (0.0, "fast", 7.5),
        # Every second unit comes back by standard freight, which loses 40 yuan: 20.5 in all. Fast: 0.375 x 40 + 1 = 16.
        # Slow: 0.65 x 40 + 0.25 = 26.25.
        (0.5, "fast", 0.0),
        (0.5, "standard", 45.0),
        (0.5, "slow", 102.5),
    ],
)
def test_a_speed_is_charged_what_the_best_one_would_have_saved(returns: float, speed: str, amount: float) -> None:
    trader = sold_ten(Trader(stall(returns=returns)))
    trader.call("ship_orders", speed=speed)
    assert found(trader.losses(), FREIGHT) == ([(2, amount, 10)] if amount else [])


def test_other_rules_make_other_speeds_the_best() -> None:
    free = PLAIN.with_overrides({"freight_factor": {"fast": 0.0, "standard": 1.0, "slow": 0.5}})
    trader = sold_ten(Trader(rules=free))
    trader.call("ship_orders", speed="slow")
    assert found(trader.losses(), FREIGHT) == [(2, 2.5, 10)]
