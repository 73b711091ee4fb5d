"""Ranks count what ruin has cost, and no pair is told apart against their order."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.analysis.compare.test_compare import on_worlds

from ecbench.season.site.leaderboard import rank_entries


def verified(name: str, *assets: float) -> Any:
    """An entry with a year on each of some worlds; a year in debt is bankrupt."""
    compared = on_worlds(name, *assets)
    proof = SimpleNamespace(stopped_early=False)
    bankrupt = sum(value < 0 for value in assets)
    return SimpleNamespace(name=name, compared=compared, values={}, bankrupt=bankrupt, proof=proof)


def test_a_ruined_year_counts_in_a_rank_as_a_hundredth_of_the_stake() -> None:
    board = rank_entries([verified("a", 4e5, 1e5), verified("b", 4e5, -9.0)])
    assert [line.score for line in board.lines] == pytest.approx([2e5, (4e5 * 1e3) ** 0.5])


def test_groups_follow_the_verdicts_of_compare() -> None:
    board = rank_entries([verified("a", *[3e5] * 8), verified("b", *[2e5] * 8), verified("c", *[-1.0] * 8)])
    assert [(line.entry.name, line.rank, line.groups) for line in board.lines] == [
        ("a", 1, "A"), ("b", 2, "B"), ("c", 3, "C"),
    ]  # fmt: skip
    decided = {pair.second.label: pair.verdict.decided_by for pair in board.comparison.pairs}
    assert decided == {"b": "score", "c": "ruin"}


def test_no_pair_is_told_apart_against_its_order() -> None:
    """Rich years outweigh six ruined ones in the ranking, while ruin decides between the two agents."""
    steady, gambler = verified("steady", *[2e3] * 13), verified("gambler", *[9e8] * 6, *[500.0] * 7)
    board = rank_entries([steady, gambler])
    assert [line.entry.name for line in board.lines] == ["gambler", "steady"]
    (pair,) = board.comparison.pairs
    assert pair.verdict.decided_by == "ruin" and pair.second.label == "steady" and not pair.verdict.first_is_better
    assert {line.groups for line in board.lines} == {"A"}
    assert [(line.best, line.worst) for line in board.lines] == [(1, 2), (1, 2)]
