"""Skill: 0 for the stake, 1 for the bound, a logarithm between them."""

from math import inf

import pytest

from ecbench.metrics.skill import skill, with_skill


@pytest.mark.parametrize(
    ("final", "expected"), [(-5.0, 0.0), (0.0, 0.0), (100.0, 0.0), (1_000.0, 0.5), (10_000.0, 1.0), (1e9, 1.0)]
)
def test_skill_lies_between_the_stake_and_the_bound_on_a_logarithmic_scale(final: float, expected: float) -> None:
    assert skill(final, 100.0, 10_000.0) == pytest.approx(expected)


@pytest.mark.parametrize(("stake", "bound"), [(100.0, inf), (100.0, 100.0), (100.0, 50.0), (0.0, 100.0)])
def test_a_bound_that_is_no_limit_or_leaves_no_room_gives_no_skill(stake: float, bound: float) -> None:
    assert skill(1_000.0, stake, bound) is None


def test_a_report_without_a_bound_stays_as_it_is() -> None:
    report = {"profitability": {"final_balance": 1_000.0, "initial_balance": 100.0}}
    assert with_skill(report, None) is report
    assert with_skill(report, 10_000.0)["bound"] == {"assets": 10_000.0, "skill": pytest.approx(0.5)}
