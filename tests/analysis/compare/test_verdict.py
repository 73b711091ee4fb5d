"""The verdict: one sentence, from logarithms of final assets."""

from dataclasses import replace
from math import log

from ecbench.analysis.compare.verdict import Verdict, WorldPair, from_gaps, paired_verdict, sentence, year_score
from ecbench.metrics.measures import ASSETS
from ecbench.runs.manifest import WorldScore

SURVIVED, RUINED = WorldScore(10.0, 0, 1), WorldScore(None, 1, 1)


def said(verdict: Verdict, pairs: int = 1) -> str:
    return sentence(verdict, "steady", "haggler", pairs)


def alone(pairs: list[WorldPair]) -> Verdict:
    """The verdict of a pair that is compared alone."""
    found = paired_verdict(pairs)
    return replace(found, p_adjusted=found.p, ruin_p_adjusted=found.ruin_p)


def test_a_clear_difference_is_named_with_its_factor_and_interval() -> None:
    gaps = [log(ratio) for ratio in (2, 3, 4, 5, 6, 8)]
    assert (
        said(alone(from_gaps(gaps)))
        == "steady ends with 4.2 times the assets of haggler (95%: 2.0 to 8.0); p = 0.031, 6 worlds."
    )
    turned = said(alone(from_gaps([-gap for gap in gaps])))
    assert turned == "haggler ends with 4.2 times the assets of steady (95%: 2.0 to 8.0); p = 0.031, 6 worlds."


def test_an_inconclusive_verdict_says_how_many_more_worlds_would_show_it() -> None:
    found = alone(from_gaps([0.5, -0.3, 0.4, -0.1, 0.3, 0.2]))
    assert "(95%: 0.74 to 1.65); inconclusive, p = 0.281, 6 worlds; about 25 more worlds would show it." in said(found)
    few = paired_verdict(from_gaps([0.5, 0.6]))
    assert (
        few.p is None
        and few.interval is None
        and "inconclusive, 2 worlds; about 4 more worlds would show it." in said(few)
    )
    assert said(paired_verdict(from_gaps([0.0] * 6))) == "steady and haggler end with the same assets on 6 worlds."


def test_a_p_that_only_stands_alone_shows_nothing_among_many_pairs() -> None:
    found = replace(paired_verdict(from_gaps([0.5] * 6)), p_adjusted=0.28)
    assert said(found, 9).endswith("; inconclusive, p = 0.280 over 9 pairs, 6 worlds; p = 0.031 for this pair alone.")


def test_what_ends_with_nothing_counts_as_a_hundredth_of_the_stake() -> None:
    def score(assets: float, stake: float = 1e5) -> float:
        return year_score({"profitability": {"final_balance": assets}}, ASSETS, stake)

    assert score(-5.0) == score(0.0) == log(1_000) < score(1_001.0) and score(0.0, 0.0) == 0.0


def test_an_agent_that_won_nine_of_ten_worlds_is_not_sent_to_thousands_more() -> None:
    found = alone(from_gaps([0.4] * 9 + [-3.5]))
    assert found.more_worlds is None
    assert said(found).endswith("inconclusive, p = 1.000, 10 worlds; no feasible number of worlds would show it.")


def test_ruin_is_tested_first_and_decides_against_a_better_score() -> None:
    pairs = [(SURVIVED, RUINED)] * 7 + [(SURVIVED, WorldScore(11.0, 0, 1))] * 6
    found = alone(pairs)
    assert found.decided_by == "ruin" and found.first_is_better and found.ruin_p == 2 / 128
    assert found.effect == -1.0
    ruin, p, ratio = said(found).split("; ")
    assert ruin == (
        "steady is ruined less often than haggler (steady 0 of 13 years, haggler 7 of 13 years), which decides"
    )
    assert p == "p = 0.016, 13 worlds"
    assert ratio == "haggler ends with 2.7 times the assets of steady (95%: 2.7 to 2.7) in years without ruin."


def test_the_ratio_is_that_of_years_without_ruin_and_says_so() -> None:
    found = alone([(WorldScore(11.0 + step / 100, 0, 1), SURVIVED) for step in range(8)] + [(SURVIVED, RUINED)])
    assert found.decided_by == "score" and found.ruin_p == 1.0
    assert said(found).startswith("steady ends with 2.8 times the assets of haggler (95%: 2.8 to 2.9) in years without")
    assert said(found).endswith(
        " ruin, which decides; p = 0.008, 9 worlds; ruined: steady 0 of 9 years, haggler 1 of 9 years."
    )


def test_a_better_score_does_not_decide_for_the_agent_that_is_ruined_more_often() -> None:
    found = alone([(WorldScore(11.0, 0, 1), SURVIVED)] * 8 + [(RUINED, SURVIVED)])
    assert found.p == 2 / 256 and not found.shown and found.is_mixed
    assert "inconclusive, p = 0.008, 9 worlds; the one that ends with more is ruined more often" in said(found)


def test_agents_that_are_always_ruined_differ_in_nothing() -> None:
    assert said(alone([(RUINED, RUINED)] * 6)) == "steady and haggler are both ruined in every year on 6 worlds."
    assert said(alone([(SURVIVED, RUINED)] * 6)) == (
        "steady is ruined less often than haggler (steady 0 of 6 years, haggler 6 of 6 years), which decides; "
        "p = 0.031, 6 worlds."
    )
