"""What one session was worth to the buyer."""

from collections.abc import Callable

import pytest

from ecbench.metrics.negotiation import by_day, mean_step, score, session_row
from ecbench.suppliers.records import Session

Build = Callable[..., Session]


@pytest.mark.parametrize(
    ("price", "efficiency"),
    [(50.0, 1.0), (100.0, 0.0), (75.0, 0.5), (110.0, -0.2), (45.0, 1.1)],
)
def test_surplus_is_one_at_the_floor_and_zero_at_the_reference_and_unclamped(
    session: Build, price: float, efficiency: float
) -> None:
    assert score(session(price)).efficiency == efficiency


def test_money_per_unit_is_measured_from_the_reference_and_from_the_opening_target(session: Build) -> None:
    scored = score(session(72.5, reference=100.0, target=80.0))
    assert (scored.utility, scored.saved, scored.range) == (27.5, 7.5, 50.0)


def test_a_session_without_agreement_is_worth_nothing(session: Build) -> None:
    scored = score(session(None))
    assert (scored.agreed, scored.utility, scored.efficiency, scored.saved) == (False, 0.0, 0.0, 0.0)
    assert scored.range == 50.0


def test_a_pair_without_a_bargaining_range_scores_no_surplus(session: Build) -> None:
    scored = score(session(90.0, reference=100.0, floor=100.0))
    assert (scored.efficiency, scored.range, scored.utility) == (0.0, 0.0, 10.0)
    upside_down = score(session(90.0, reference=100.0, floor=110.0))
    assert (upside_down.efficiency, upside_down.range) == (0.0, 0.0)


def test_a_bargaining_range_below_one_yuan_is_a_range_too(session: Build) -> None:
    scored = score(session(99.75, reference=100.0, floor=99.5))
    assert (scored.efficiency, scored.range) == (0.5, 0.5)


def test_session_figures_have_four_decimals_while_the_agreed_price_stays_as_agreed(session: Build) -> None:
    row = session_row(score(session(66.666666, reference=100.0, floor=40.0, target=80.0)))
    assert row["final_price"] == 66.666666
    assert row["agent_utility"] == 33.3333
    assert row["surplus_efficiency"] == 0.5556  # 33.333334 / 60
    assert row["money_saved_vs_initial"] == 13.3333


@pytest.mark.parametrize(
    ("prices", "step"),
    [((), 0.0), ((40.0,), 0.0), ((40.0, 46.0), 6.0), ((40.0, 50.0, 45.0), 2.5), ((90.0, 88.0, 85.0), -2.5)],
)
def test_a_concession_rate_is_the_mean_signed_step_of_one_side(prices: tuple[float, ...], step: float) -> None:
    assert mean_step(prices) == step


def test_fraudulent_counterparts_are_bad_and_adversarial_whatever_their_template(session: Build) -> None:
    row = session_row(score(session(75.0, honest=False, template="candid")))
    assert (row["supplier_type"], row["supplier_family"]) == ("bad", "Adversarial")


def test_sessions_of_one_day_keep_their_filing_order(session: Build) -> None:
    filed = [score(session(75.0, day, supplier=name)) for name, day in [("a", 2), ("b", 1), ("c", 2), ("d", 1)]]
    assert [s.session.supplier for s in by_day(filed)] == ["b", "d", "a", "c"]
