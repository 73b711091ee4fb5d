"""Ranks on the seven axes, among the paper's models and among runs."""

import pytest

from ecbench.metrics.measures import ASSETS, AXES
from ecbench.metrics.ranks import Entrant, Rank, paper_entrants, ranked_by, ranks, ranks_among_models

BAD_SPEND = AXES[2]
NO_SAMPLE = dict.fromkeys((axis.name for axis in AXES), None)


def entrants_of(*values: float | None, bankrupt: str = "") -> list[Entrant]:
    """Entrants a, b, c and so on with these values on every axis; those named failed in their only year."""
    return [
        Entrant(name, dict.fromkeys(NO_SAMPLE, value), bankrupt=name in bankrupt)
        for name, value in zip("abcd", values, strict=False)
    ]


def test_a_tie_shares_the_better_rank_and_no_sample_is_not_ranked() -> None:
    assert ranks(entrants_of(3.0, 3.0, 1.0, None), ASSETS) == [1, 1, 3, None]
    assert ranks(entrants_of(3.0, 0.0), BAD_SPEND) == [2, 1]


@pytest.mark.parametrize(
    ("values", "bankrupt", "expected", "order"),
    [
        ((9.0, 5.0, 5.0, 1.0), "a", [3, 1, 1, 4], "bacd"),
        ((9.0, 5.0, 5.0, 1.0), "d", [1, 2, 2, 4], "abcd"),
        ((9.0, 8.0, 5.0), "ab", [2, 3, 1], "cab"),
        ((9.0, 5.0), "ab", [2, 3], "ab"),
        ((None, 5.0, 7.0), "", [None, 2, 1], "cba"),
    ],
)
def test_a_bankrupt_business_is_never_first_and_the_best_of_the_others_is(
    values: tuple[float, ...], bankrupt: str, expected: list[int | None], order: str
) -> None:
    entrants = entrants_of(*values, bankrupt=bankrupt)
    assert ranks(entrants, ASSETS) == expected
    assert "".join(who.name for who in ranked_by(ASSETS, entrants)) == order


def test_an_entrant_that_cannot_be_compared_is_not_ranked_and_takes_no_rank_from_others() -> None:
    apart, other = Entrant("apart", dict.fromkeys(NO_SAMPLE, 9.0), barred="a fork"), entrants_of(5.0)[0]
    assert ranks([apart, other], ASSETS) == [None, 1]
    assert ranks_among_models(apart)["final_assets"] == Rank(None, "a fork")


@pytest.mark.parametrize(
    ("axis", "best"),
    [
        ("final_assets", "GPT-5.6 Sol (max)"),
        ("cse_plus", "Claude Opus 4.7 (max)"),
        ("bad_spend_percent", "Claude Opus 4.7 (max)"),
        ("drawdown_over_peak", "GLM 5.2 (high)"),
        ("profit_per_call", "Fable5 (max)"),
        ("controllable_return_points", "Qwen3.7-Max"),
        ("anchor_ratio", "Qwen3.8-Max-Preview"),
    ],
)
def test_each_axis_has_the_leader_that_the_paper_marks(axis: str, best: str) -> None:
    direction = next(each for each in AXES if each.name == axis)
    found = ranks(paper_entrants(), direction)
    assert [who.name for who, rank in zip(paper_entrants(), found, strict=True) if rank == 1] == [best]


def test_a_run_is_ranked_on_every_axis() -> None:
    figures = {"final_assets": 2e6, "cse_plus": 0.7, "bad_spend_percent": 20.0, "drawdown_over_peak": 0.2}
    figures |= {"profit_per_call": 1_900.0, "controllable_return_points": 0.0}
    found = ranks_among_models(Entrant("run", NO_SAMPLE | figures))
    assert found["anchor_ratio"].unranked_reason == "no repeat order to compare"
    assert {name: rank for name, (rank, _) in found.items()} == {
        "final_assets": 1,
        "cse_plus": 5,
        "bad_spend_percent": 18,
        "drawdown_over_peak": 6,
        "profit_per_call": 1,
        "controllable_return_points": 2,
        "anchor_ratio": None,
    }


def test_a_business_that_failed_leads_no_axis_and_one_that_always_did_is_ranked_by_assets_alone() -> None:
    best = {axis.name: axis.score(1e9) for axis in AXES}
    assert set(ranks_among_models(Entrant("run", best, 2, 1)).values()) == {Rank(2)}
    failed = ranks_among_models(Entrant("run", best | {"final_assets": -5.0}, 1, 1))
    assert failed.pop("final_assets") == Rank(19)
    assert set(failed.values()) == {Rank(None, "every episode ended in bankruptcy")}
