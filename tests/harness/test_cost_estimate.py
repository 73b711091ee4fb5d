"""The estimate of a year: what requests hold, from turns and tokens a turn, and what that costs."""

import pytest

from ecbench.harness.context import ContextPolicy
from ecbench.harness.cost_estimate import PLAYS, CostEstimate, conversation_usage, estimate_letters, estimate_year
from ecbench.harness.settings import ModelSettings, Price

SMALL = ModelSettings("a/b", price=Price(1.25, 10.0, 0.125))


@pytest.mark.parametrize(
    ("play", "sent", "new"), list(zip(PLAYS, (37, 86, 122, 241), (0.8, 0.8, 7.0, 4.7), strict=True))
)
def test_requests_hold_what_was_measured_for_such_play(play: tuple[int, int], sent: float, new: float) -> None:
    """The figures of docs/models.md, which were measured with messages."""
    used = conversation_usage(*play, ContextPolicy())
    assert (used.tokens - used.output_tokens) / 1e6 == pytest.approx(sent, rel=0.03)
    assert used.input_tokens / 1e6 == pytest.approx(new, rel=0.04)


def test_tokens_that_are_new_are_billed_as_cache_writes_where_these_have_a_price_of_their_own() -> None:
    for price, writes in ((Price(3.0, 15.0, 0.3, 3.75), True), (Price(3.0, 15.0, 0.3), False)):
        least = estimate_year(ModelSettings("a/b", price=price)).least
        assert (least.cache_write_tokens > 0, least.input_tokens > 0) == (writes, not writes)


def test_a_smaller_window_and_fewer_days_take_less_and_no_price_means_no_dollars() -> None:
    year = estimate_year(SMALL)
    assert year.dollars == pytest.approx((7, 43), rel=0.02)
    for less in (estimate_year(SMALL, ContextPolicy.sized(32_000)), estimate_year(SMALL, days=90)):
        assert less.most.tokens < year.most.tokens / 2
    unknown = estimate_year(ModelSettings("a/b"))
    assert (unknown.dollars, unknown.unpriced, unknown.most.tokens) == (None, ("a/b",), year.most.tokens)
    assert (year + unknown).dollars is None


def test_estimates_add_up_over_models_and_episodes() -> None:
    year, letters = estimate_year(SMALL), estimate_letters(SMALL)
    total = year + letters + year
    assert total.turns == (2 * 430, 2 * 2_630)
    assert total.most.tokens == 2 * year.most.tokens + letters.most.tokens
    assert total.hours(10.0) == pytest.approx((2 * 430 / 360, 2 * 2_630 / 360))
    assert CostEstimate() + year == year
