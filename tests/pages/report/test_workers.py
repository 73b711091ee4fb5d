"""Parts of a report that other processes make."""

import os
from functools import partial

import pytest

from ecbench.errors import RunError
from ecbench.pages.report.output import WORTHWHILE, mapped
from ecbench.pages.report.run_data import read_run
from ecbench.pages.report.run_page import fitted
from ecbench.pages.report.year_section import Chapter
from ecbench.runs.folder import Run


def test_what_other_processes_read_is_what_is_read_here(careless: Run, idle: Run) -> None:
    apart, here = (mapped(partial(read_run, "a run"), [careless, idle], size) for size in (WORTHWHILE, 0))
    assert apart == here and len(apart) == 2


def test_a_process_that_is_lost_is_told_of() -> None:
    with pytest.raises(RunError, match="was lost"):
        mapped(os._exit, [9, 9], WORTHWHILE)


def test_transcripts_are_as_long_as_there_is_room_for() -> None:
    """Both get their texts of 60 characters before one gets longer ones."""

    def chapter(number: int, sizes: dict[int, int]) -> Chapter:
        told = {longest: "x" * size for longest, size in sizes.items()}
        return Chapter(number, number, "a", "", True, "", "", "", "", "", told, ())

    both = [chapter(0, {60: 10, 120: 20, 240: 90}), chapter(1, {60: 30, 120: 50})]
    assert [len(told) for told in fitted(both, 200)] == [90, 50]
    assert [len(told) for told in fitted(both, 60)] == [20, 30]
    assert [len(told) for told in fitted(both, 45)] == [10, 30]
    assert [len(told) for told in fitted(both, 25)] == [20, 0]
