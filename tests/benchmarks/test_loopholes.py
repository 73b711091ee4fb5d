"""Known exploits: there under the paper's rules, closed under `fair`; and the search for more."""

from pathlib import Path

import pytest
from loophole import DAYS, POPULATIONS, State, known_tricks, played, search
from redteam import earned, haggler, laddered, modified, revalued
from shortcuts import FloorHaggler

STAKE = 100_000


def test_revaluing_stock_earns_billions_under_the_papers_rules_and_loses_money_under_fair() -> None:
    assert revalued("paper") > 1e9
    assert revalued("fair") < 0


def test_lines_of_one_unit_save_most_of_a_short_delivery_only_under_the_papers_rules() -> None:
    assert laddered("paper") > 5 * abs(laddered("fair"))


def test_floors_computed_from_openings_are_worth_nothing_under_fair() -> None:
    assert modified(FloorHaggler)("fair") < 0 < earned(haggler, "fair")


@pytest.mark.parametrize("place", range(4))
def test_known_tricks_earn_nothing_without_customers(place: int) -> None:
    program = tuple(gene for gene in known_tricks()[place] if gene.action != "ship")
    assert played(program) < STAKE


def test_a_search_goes_on_from_its_file_and_keeps_the_best_programs(tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    search(State(path), 1, jobs=1)
    held = State(path)
    assert held.years > 1 and set(held.best) == set(POPULATIONS)
    for name, best in held.best.items():
        assert best == sorted(best, key=lambda each: -each[0])
        assert best[0][0] == played(best[0][1], POPULATIONS[name][1])
        assert all(gene.first <= gene.last <= DAYS for _, program in best for gene in program)
