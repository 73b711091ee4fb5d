"""Returns and shipping over hand-made totals (eq:e5_rates, eq:e5_ontime)."""

from ecbench.market.books import Fulfilment
from ecbench.metrics.execution import fulfilment_quality, return_management

TALLY = Fulfilment(
    orders_sold=8,
    orders_shipped=6,
    orders_cancelled=1,
    units_sold=25,
    units_shipped=20,
    units_returned=4,
    refund_loss=123.456,
    freight_loss=2.5,
    expected=5.0,
    expected_natural=3.0,
    expected_defective=0.5,
    expected_pricing=1.6,
    expected_speed=-0.1,
    expected_speed_vs_standard=-1.0,
    by_speed={"fast": 4, "standard": 2, "slow": 0},
)


def test_expected_rates_divide_by_units_shipped_and_realized_ones_by_units_sold() -> None:
    section = return_management(TALLY)
    assert section["realized_return_rate"] == 0.16  # 4 / 25
    assert section["exp_return_rate"] == 0.25  # 5 / 20
    assert section["exp_return_rate_natural"] == 0.15
    assert section["exp_return_rate_from_defective_fraud"] == 0.025
    assert section["exp_return_rate_from_pricing"] == 0.08
    assert section["exp_return_rate_from_ship_speed"] == -0.005


def test_the_controllable_rate_adds_pricing_and_speed() -> None:
    assert return_management(TALLY)["controllable_return_rate"] == 0.075  # (1.6 - 0.1) / 20


def test_the_corrected_rate_credits_fast_freight_against_standard() -> None:
    assert return_management(TALLY)["controllable_return_rate_corrected"] == 0.03  # (1.6 - 1.0) / 20


def test_losses_are_gross_yuan_to_the_cent() -> None:
    section = return_management(TALLY)
    assert (section["refund_loss_total"], section["shipping_loss_on_returns"]) == (123.46, 2.5)


def test_on_time_is_shipped_out_of_sold_whatever_was_cancelled() -> None:
    section = fulfilment_quality(TALLY)
    assert section["on_time_ship_rate"] == 0.75  # 6 / 8
    assert section["orders_cancelled"] == 1
    assert section["ship_speed_counts"] == {"fast": 4, "standard": 2, "slow": 0}


def test_a_year_without_sales_reads_zero_not_null() -> None:
    returns, shipping = return_management(Fulfilment()), fulfilment_quality(Fulfilment())
    assert returns.pop("ship_speed_counts") == {"fast": 0, "standard": 0, "slow": 0}
    assert set(returns.values()) == {0}
    assert shipping["on_time_ship_rate"] == 0.0


def test_a_report_does_not_change_with_the_books_it_was_drawn_from() -> None:
    tally = Fulfilment()
    section = fulfilment_quality(tally)
    tally.by_speed["fast"] += 1
    assert section["ship_speed_counts"]["fast"] == 0
