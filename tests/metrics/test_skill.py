"""Skill: -1 for ruin, 0 for the stake, 1 for the bound, logarithms between them."""

from math import inf, log

import pytest

from ecbench.metrics.anchors import skill, with_skill


@pytest.mark.parametrize(
    ("final", "expected"),
    [(-5.0, -1.0), (0.0, -1.0), (1.0, -1.0), (10.0, -0.5), (100.0, 0.0), (1e4, 0.5), (1e6, 1.0), (1e9, 1.0)],
)
def test_skill_is_logarithmic_from_ruin_over_the_stake_to_the_bound(final: float, expected: float) -> None:
    assert skill(final, 100.0, 1e6) == pytest.approx(expected)


@pytest.mark.parametrize("bound", [200.0, 1e6])
def test_what_a_loss_costs_does_not_depend_on_the_bound(bound: float) -> None:
    assert skill(50.0, 100.0, bound) == pytest.approx(log(0.5) / log(100))


@pytest.mark.parametrize(("stake", "bound"), [(100.0, inf), (100.0, 100.0), (100.0, 50.0), (0.0, 100.0)])
def test_a_bound_that_is_no_limit_or_leaves_no_room_gives_no_skill(stake: float, bound: float) -> None:
    assert skill(1_000.0, stake, bound) is None


def test_a_report_without_a_bound_stays_as_it_is() -> None:
    report = {"profitability": {"final_balance": 1_000.0, "initial_balance": 100.0}}
    assert with_skill(report, None) is report
    assert with_skill(report, 10_000.0)["bound"] == {"assets": 10_000.0, "skill": pytest.approx(0.5)}
