"""Reviews that are made, stopped, kept and found again."""

import json
from math import inf, nan
from pathlib import Path

import pytest
from tests.analysis.review.conftest import Make
from tests.runs.conftest import Diary, NewRun, Play

from ecbench.analysis.review.curve import Point
from ecbench.analysis.review.making import Depth, Progress, Reviewed, near_losses
from ecbench.analysis.review.model import Review, review_from
from ecbench.analysis.review.positions import YearPosition
from ecbench.analysis.review.stored_review import EVALUATIONS, REVIEW, VERSION, opened_evaluations, read_review
from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.workers.processes import Processes

CURVE = 27  # questions: nine positions, by three variants
STRATEGY = 21  # five limits by four variants, and the fourth one without limits


def made(outcome: Reviewed) -> Review:
    assert outcome.review is not None
    return outcome.review


def evaluations(run: Run) -> Path:
    return run.episode_folder(0) / EVALUATIONS


def test_a_review_goes_from_the_first_morning_to_the_result(traded: Run, make: Make) -> None:
    review = made(make(traded))
    assert [point.day for point in review.points] == [*range(0, 60, 7), 60]
    assert {len(point.values) for point in review.points} == {3}
    assert review.over and review.result == review.points[-1].mean
    assert [point.over for point in review.points].index(True) == len(review.points) - 1


def test_the_values_are_the_same_in_worker_processes(traded: Run, make: Make) -> None:
    here = made(make(traded))
    assert made(make(traded, executor=Processes(), jobs=2, again=True)) == here


def test_a_second_review_asks_nothing(traded: Run, make: Make) -> None:
    first = made(make(traded))
    told: list[Progress] = []
    assert made(make(traded, told)) == first
    assert told == []


def test_a_review_that_was_stopped_goes_on_and_comes_out_the_same(traded: Run, make: Make) -> None:
    whole = made(make(traded))
    stop = StopFlag()

    def stopping(progress: Progress) -> None:
        if progress.answered == 7:
            stop.request()

    halted = make(traded, stop=stop, again=True, tell=stopping)
    assert halted.review is None
    assert len(evaluations(traded).read_bytes().splitlines()) == 1 + 7
    told: list[Progress] = []
    assert made(make(traded, told)) == whole
    assert told[0].answered == 7 and told[-1].answered == told[-1].questions == CURVE + STRATEGY


def test_a_line_that_a_kill_cut_off_is_asked_again(traded: Run, make: Make) -> None:
    whole = made(make(traded))
    content = evaluations(traded).read_bytes()
    (traded.episode_folder(0) / REVIEW).unlink()
    evaluations(traded).write_bytes(content[:-9])
    told: list[Progress] = []
    assert made(make(traded, told)) == whole
    assert told[0].answered == CURVE + STRATEGY - 1
    assert evaluations(traded).read_bytes() == content


@pytest.mark.parametrize("spoil", [b"", b"{}", b"\xff\x00", b"[" * 5_000])
def test_a_review_that_is_no_longer_whole_is_made_again(traded: Run, make: Make, spoil: bytes) -> None:
    whole = made(make(traded))
    (traded.episode_folder(0) / REVIEW).write_bytes(spoil)
    assert read_review(traded.episode_folder(0)) is None
    assert made(make(traded)) == whole
    assert read_review(traded.episode_folder(0)) == whole


def test_what_another_engine_found_out_is_dropped(traded: Run, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    make(traded)
    monkeypatch.setattr("ecbench.analysis.review.stored_review.ENGINE", "next")
    assert read_review(traded.episode_folder(0)) is None
    told: list[Progress] = []
    make(traded, told)
    assert told[0].answered == 0


def test_a_review_of_an_earlier_version_is_made_again(traded: Run, make: Make) -> None:
    whole = made(make(traded))
    earlier = {name: value for name, value in whole.to_json().items() if name not in ("marks", "strategy", "business")}
    for version in (3, VERSION):
        path = traded.episode_folder(0) / REVIEW
        path.write_text(json.dumps({"made": version, **earlier}))
        assert read_review(traded.episode_folder(0)) is None
        told: list[Progress] = []
        assert made(make(traded, told)) == whole
        assert told == [], "the engine's answers are kept"


def test_weeks_of_the_months_that_lost_beyond_the_usual_are_looked_at_closely() -> None:
    """Of ten months one loses a quarter of the value beyond what the others lose."""
    lost = [10.0] * 5 + [130.0] + [10.0] * 4
    values = [500.0 - sum(lost[:month]) for month in range(11)]
    points = [Point(28 * month, value, (value, value)) for month, value in enumerate(values)]
    weekly = [YearPosition(day, day, 0.0, str(day)) for day in range(0, 281, 7)]
    close = near_losses(points, weekly[::4], weekly, days=365)
    assert [position.day for position in close if position.day % 28] == [147, 154, 161]


def test_a_quick_look_is_part_of_the_full_one(traded: Run, make: Make) -> None:
    quick = Depth(quick=True, step=14, variants=(0, 10))
    look = made(make(traded, depth=quick))
    assert look.quick and [point.day for point in look.points] == [0, 14, 28, 42, 56, 60]
    told: list[Progress] = []
    review = made(make(traded, told))
    assert told[0].answered == 10 + 1 + STRATEGY and told[0].questions == CURVE + STRATEGY
    assert not review.quick
    assert made(make(traded, depth=quick)) == review  # the better one is there


def test_a_year_that_has_gone_on_is_asked_about_its_new_weeks_alone(new_run: NewRun, play: Play, make: Make) -> None:
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


def test_two_reviews_of_one_year_do_not_write_at_the_same_time(traded: Run, make: Make) -> None:
    with (
        opened_evaluations(traded.episode_folder(0), traded.terms),
        pytest.raises(RunError, match="being written by another process"),
    ):
        make(traded)


def test_where_nothing_may_be_written_a_review_is_shown_and_not_kept(traded: Run, make: Make) -> None:
    folder = traded.episode_folder(0)
    (folder / EVALUATIONS).mkdir()
    (folder / REVIEW).mkdir()
    outcome = make(traded)
    assert made(outcome).over and "cannot write" in outcome.problem


def test_the_file_says_all_that_a_review_is(traded: Run, make: Make) -> None:
    review = made(make(traded))
    assert review_from(json.loads(json.dumps(review.to_json()))) == review
    told = review.to_json()
    assert told["curve"][0]["share"] == 1.0
    assert told["value_on_day_0"] - sum(week["loss"] for week in told["weeks"]) == pytest.approx(told["result"])


def test_work_is_counted_by_the_days_that_are_left(traded: Run, make: Make) -> None:
    told: list[Progress] = []
    make(traded, told)
    shares = [progress.work for progress in told]
    assert shares == sorted(shares) and shares[0] == 0.0 and shares[-1] == pytest.approx(1.0)
    assert shares[3] > 3 / (CURVE + STRATEGY)  # the first morning has the longest year ahead


IMPOSSIBLE = (nan, inf, -inf, 1e308, 10**400, "nan", None)


def test_amounts_that_no_year_can_bring_are_not_believed(traded: Run, make: Make) -> None:
    whole = made(make(traded))
    folder = traded.episode_folder(0)
    for amount in IMPOSSIBLE:
        for edit in (
            {"curve": [{**point, "assets": amount} for point in whole.to_json()["curve"]]},
            {"curve": [{**point, "values": [amount] * 3} for point in whole.to_json()["curve"]]},
            {"losses": {**whole.to_json()["losses"], "storage": [amount]}},
            {"losses": {"luck": [1.0]}},
        ):
            (folder / REVIEW).write_text(json.dumps({"made": VERSION, **whole.to_json(), **edit}))
            assert read_review(folder) is None, (amount, *edit)
        assert made(make(traded)) == whole, amount
        (folder / REVIEW).unlink()
        heading, first, *rest = evaluations(traded).read_bytes().splitlines(keepends=True)
        edited = json.dumps({**json.loads(first), "assets": amount}).encode() + b"\n"
        evaluations(traded).write_bytes(b"".join([heading, edited, *rest]))
        assert made(make(traded)) == whole, amount
