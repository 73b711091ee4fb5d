"""Losses of what is recorded in run folders: whole years and parts, forks, other rules, seats of a shared market."""

from collections.abc import Sequence
from pathlib import Path

from tests.runs.conftest import MERCHANTS, TRADER, Diary, NewRun

from ecbench.analysis.review.recorded_year import replay_losses
from ecbench.metrics.losses import account as causes
from ecbench.metrics.losses.account import Loss, by_cause
from ecbench.runs.folder import Run
from ecbench.runs.play.fork import take_over
from ecbench.runs.play.play_here import play_here
from ecbench.runs.results.year_view import view_year

DAYS = 60


def played(run: Run, stop_on: int | None = None) -> Run:
    diary = Diary(stop_on_day=stop_on)
    play_here(run, 0, diary, diary.stop)
    return run


def losses_of(run: Run) -> Sequence[Loss]:
    return replay_losses(run, 0)[0]


def until(losses: Sequence[Loss], day: int) -> Sequence[Loss]:
    return [loss for loss in losses if loss.day < day]


def test_a_review_counts_what_show_does_and_what_prices_lost_besides(new_run: NewRun) -> None:
    run = played(new_run(days=DAYS))
    reviewed = losses_of(run)
    assert by_cause(reviewed)[causes.STORAGE] > 0.0
    year = view_year(run, 0)
    assert [loss for loss in reviewed if loss.cause != causes.PRICE] == year.tables.losses
    turns = len(year.turns())
    assert all(loss.turn is not None and 1 <= loss.turn <= turns for loss in reviewed)  # each belongs to a turn


def test_a_year_that_stopped_has_lost_what_it_had_by_then(new_run: NewRun) -> None:
    """What it held is not lost yet; all else is as in the whole year."""
    whole = losses_of(played(new_run(days=DAYS)))
    run = played(new_run(days=DAYS, name="part"), stop_on=30)
    part = losses_of(run)
    open_ended = {causes.UNSOLD, causes.CANCELLED}
    assert by_cause(part)[causes.UNSOLD] == 0.0
    before = [loss for loss in until(whole, 29) if loss.cause not in open_ended]
    assert [loss for loss in until(part, 29) if loss.cause not in open_ended] == before
    assert [loss for loss in part if loss.cause != causes.PRICE] == view_year(run, 0).tables.losses


def test_a_fork_has_lost_what_its_first_days_did(new_run: NewRun, tmp_path: Path) -> None:
    run = played(new_run(days=DAYS))
    fork = take_over(run, episode=0, day=20, agent=f"{MERCHANTS}:Sleeper", model={}).create_in(tmp_path / "fork")
    played(fork)
    own, original = losses_of(fork), losses_of(run)
    assert by_cause(until(own, 20))[causes.STORAGE] == by_cause(until(original, 20))[causes.STORAGE] > 0.0
    assert by_cause(own)[causes.CANCELLED] > by_cause(original)[causes.CANCELLED]


def shared(new_run: NewRun, *agents: str, stop_on: int | None = None) -> list[Sequence[Loss]]:
    """The losses of each seat of a shared market."""
    run = played(new_run(*agents, days=20), stop_on)
    return [losses_of(run.at_seat(0, seat)) for seat in range(len(agents))]


def test_a_seat_is_looked_at_by_replaying_its_whole_market(new_run: NewRun) -> None:
    seats = shared(new_run, TRADER, "idle", TRADER)
    assert by_cause(seats[1])[causes.NO_STORE] == 13 * 1_000.0  # mornings 8 to 20
    assert by_cause(seats[0])[causes.STORAGE] > 0.0 < by_cause(seats[2])[causes.STORAGE]
