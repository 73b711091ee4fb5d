"""Reviews that are made, stopped, kept and found again."""

import json
from math import inf, nan
from typing import Any

import pytest
from tests.analysis.review.conftest import Make
from tests.runs.conftest import Diary, NewRun, Play

from ecbench.analysis.review.build_review import Depth, Progress
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.stored_review import REVIEW, VERSION, StoredReview, read_stored
from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.runs.folder import Run

CURVE = 27  # questions: nine positions, by three variants
STRATEGY = 21  # five limits by four variants, and the fourth one without limits


def made(found: Review | None) -> Review:
    assert found is not None
    return found


def test_a_review_goes_from_the_first_morning_to_the_result(reviewed: Run, make: Make) -> None:
    review = made(make(reviewed))
    assert [point.day for point in review.points] == [*range(0, 60, 7), 60]
    assert {len(point.values) for point in review.points} == {3}
    assert review.over and review.result == review.points[-1].mean
    assert [point.over for point in review.points].index(True) == len(review.points) - 1


def test_stopped_review_continues_to_the_same_result(reviewed: Run, make: Make) -> None:
    whole = made(make(reviewed))
    stop = StopFlag()

    def stopping(progress: Progress) -> None:
        if progress.answered == 7:
            stop.request()

    halted = make(reviewed, stop=stop, again=True, tell=stopping)
    assert halted is None
    stored = read_stored(reviewed.episode_folder(0))
    assert len(stored.answers) == 7 and stored.review is None
    told: list[Progress] = []
    assert made(make(reviewed, told)) == whole
    assert told[0].answered == 7 and told[-1].answered == told[-1].questions == CURVE + STRATEGY


def test_a_quick_look_is_part_of_the_full_one(traded: Run, make: Make) -> None:
    quick = Depth(quick=True, step=14, variants=(0, 10))
    look = made(make(traded, depth=quick))
    assert look.quick and [point.day for point in look.points] == [0, 14, 28, 42, 56, 60]
    told: list[Progress] = []
    review = made(make(traded, told))
    assert told[0].answered == 10 + 1 + STRATEGY and told[0].questions == CURVE + STRATEGY
    assert not review.quick
    assert made(make(traded, depth=quick)) == review  # the better one is there


def test_a_year_that_has_continued_is_asked_about_its_new_weeks_alone(new_run: NewRun, play: Play, make: Make) -> None:
    run = new_run(days=60)
    play(run, diary=Diary(stop_on_day=28))
    before = made(make(run))
    assert not before.over and before.result is None
    play(run)
    told: list[Progress] = []
    after = made(make(run, told))
    assert told[0].answered >= 15 + 1  # days 0, 7, 14, 21 and 28, by three variants, and what is free of limits
    assert after.points[:5] == before.points and after.over


def test_a_year_that_ended_on_its_third_day_has_one_week_that_lost_the_year(
    new_run: NewRun, play: Play, make: Make
) -> None:
    run = new_run("Quitter", days=60)
    play(run)
    [week] = made(make(run)).weeks
    assert (week.first_day, week.last_day) == (0, 2)


def test_where_nothing_may_be_written_there_is_no_review(traded: Run, make: Make) -> None:
    (traded.episode_folder(0) / REVIEW).mkdir()
    with pytest.raises(RunError, match="cannot write"):
        make(traded)


def test_a_damaged_review_and_amounts_that_no_year_can_bring_are_made_again(reviewed: Run, make: Make) -> None:
    folder = reviewed.episode_folder(0)
    whole = read_stored(folder)
    stated = json.loads((folder / REVIEW).read_bytes())
    edits: list[dict[str, Any]] = [{"made": VERSION - 1}, {"engine": "another"}]
    edits += [{"answers": {"a": amount}} for amount in (nan, inf, 1e308, 10**400, "nan", None)]
    edits.append({"review": {**stated["review"], "losses": {"storage": [nan]}}})
    for spoil in (b"", b"{", b"\xff\x00", b"[" * 5_000, *(json.dumps({**stated, **edit}).encode() for edit in edits)):
        (folder / REVIEW).write_bytes(spoil)
        assert read_stored(folder) == StoredReview(), spoil[:200]
    assert made(make(reviewed)) == whole.review and read_stored(folder) == whole
