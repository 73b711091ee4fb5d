"""The verdict: one sentence, from logarithms of final assets."""

from dataclasses import replace
from math import exp, log

import numpy as np
import pytest

from ecbench.compare.verdict import Verdict, apart_verdict, log_assets, paired_verdict, sentence


def said(verdict: Verdict, pairs: int = 1) -> str:
    return sentence(verdict, "steady", "haggler", "6 worlds", "worlds", pairs)


def corrected(gaps: list[float]) -> Verdict:
    found = paired_verdict(gaps)
    return replace(found, p_adjusted=found.p)


def test_a_clear_difference_is_named_with_its_factor_and_interval() -> None:
    gaps = [log(ratio) for ratio in (2, 3, 4, 5, 6, 8)]
    assert (
        said(corrected(gaps))
        == "steady ends with 4.2 times the assets of haggler (95%: 2.0 to 8.0); p = 0.031, 6 worlds."
    )
    turned = said(corrected([-gap for gap in gaps]))
    assert turned == "haggler ends with 4.2 times the assets of steady (95%: 2.0 to 8.0); p = 0.031, 6 worlds."


def test_an_inconclusive_verdict_says_how_many_more_worlds_would_show_it() -> None:
    found = corrected([0.5, -0.3, 0.4, -0.1, 0.3, 0.2])
    assert "(95%: 0.74 to 1.65); inconclusive, p = 0.281, 6 worlds; about 25 more worlds would show it." in said(found)
    few = paired_verdict([0.5, 0.6])
    assert (
        few.p is None
        and few.interval is None
        and "inconclusive, 6 worlds; about 4 more worlds would show it." in said(few)
    )
    assert said(paired_verdict([0.0] * 6)) == "steady and haggler end with the same assets on 6 worlds."


def test_a_p_that_only_stands_alone_shows_nothing_among_many_pairs() -> None:
    found = replace(paired_verdict([0.5] * 6), p_adjusted=0.28)
    assert said(found, 9).endswith("; inconclusive, p = 0.280 over 9 pairs, 6 worlds; p = 0.031 for this pair alone.")


def test_five_worlds_are_too_few_for_a_test() -> None:
    found = paired_verdict([1.0, 1.2, 0.8, 1.1, 0.9])
    assert found.p is None and found.interval is None and found.ratio == pytest.approx(exp(1))


def test_years_of_one_world_are_relabelled() -> None:
    found = apart_verdict([3.0, 3.1, 3.2, 3.3], [1.0, 1.1, 1.2, 1.3])
    assert found.p == 2 / 70 and found.ratio == pytest.approx(exp(2))
    assert apart_verdict([3.0], [1.0]).p is None


def test_what_ends_with_nothing_counts_as_a_hundredth_of_the_stake() -> None:
    assert log_assets(-5.0, 1e5) == log_assets(0.0, 1e5) == log(1_000) < log_assets(1_001.0, 1e5)
    assert log_assets(0.0, 0.0) == 0.0


def test_agents_with_equal_laws_are_rarely_told_apart_even_if_a_quarter_of_years_end_with_nothing() -> None:
    draws, rounds, alarms = np.random.default_rng(9), 600, 0
    for _ in range(rounds):
        assets = draws.lognormal(12, 1, (2, 7)) * (draws.random((2, 7)) > 0.25)
        gaps = [log_assets(one, 1e5) - log_assets(other, 1e5) for one, other in assets.T]
        found = paired_verdict(gaps)
        alarms += found.p is not None and found.p <= 0.05
    assert alarms / rounds <= 0.065
