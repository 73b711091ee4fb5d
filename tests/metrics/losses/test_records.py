"""Losses of what is recorded in run folders: whole years and parts, forks, other rules, seats of a shared market."""

from collections.abc import Sequence
from pathlib import Path

from tests.runs.conftest import MERCHANTS, TRADER, Diary

from ecbench.analysis.review.business import replay_losses
from ecbench.metrics.losses import account as causes
from ecbench.metrics.losses.account import Loss, by_cause
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.fork import take_over
from ecbench.runs.play.play_here import play_here
from ecbench.runs.results.year_view import view_year
from ecbench.runs.terms import SeatTerms, Terms, WorldRef
from ecbench.world.load import load_world

DAYS = 60


def recorded(folder: Path, world: Path, *, name: str = "run", stop_on: int | None = None, **terms: object) -> Run:
    """A year of the example merchant on the little world."""
    little = load_world(world)
    stated = {"seats": (SeatTerms(TRADER),), "days": DAYS, "stake": 100_000.0} | terms
    run = create_run(
        folder / name,
        Terms(world=WorldRef.of(little), **stated),  # type: ignore[arg-type]
        episodes=1,
        world_source=str(world),
    )
    played(run, stop_on)
    return run


def played(run: Run, stop_on: int | None = None) -> None:
    diary = Diary(stop_on_day=stop_on)
    play_here(run, 0, run.load_world(0), diary, diary.stop)


def losses_of(run: Run) -> Sequence[Loss]:
    return replay_losses(run, 0)[0]


def until(losses: Sequence[Loss], day: int) -> Sequence[Loss]:
    return [loss for loss in losses if loss.day < day]


def test_a_review_counts_what_show_does_and_what_prices_lost_besides(tmp_path: Path, small_world: Path) -> None:
    run = recorded(tmp_path, small_world)
    reviewed = losses_of(run)
    assert by_cause(reviewed)[causes.STORAGE] > 0.0
    year = view_year(run, 0)
    assert [loss for loss in reviewed if loss.cause != causes.PRICE] == year.tables.losses
    turns = len(year.turns())
    assert all(loss.turn is not None and 1 <= loss.turn <= turns for loss in reviewed)  # each belongs to a turn


def test_a_year_that_stopped_has_lost_what_it_had_by_then(tmp_path: Path, small_world: Path) -> None:
    """What it held is not lost yet; all else is as in the whole year."""
    whole = losses_of(recorded(tmp_path, small_world))
    run = recorded(tmp_path, small_world, name="part", stop_on=30)
    part = losses_of(run)
    open_ended = {causes.UNSOLD, causes.CANCELLED, causes.IDLE_WALLET}
    assert by_cause(part)[causes.UNSOLD] == 0.0
    before = [loss for loss in until(whole, 29) if loss.cause not in open_ended]
    assert [loss for loss in until(part, 29) if loss.cause not in open_ended] == before
    assert [loss for loss in part if loss.cause != causes.PRICE] == view_year(run, 0).tables.losses


def test_a_record_without_a_turn_has_lost_nothing(tmp_path: Path, small_world: Path) -> None:
    run = recorded(tmp_path, small_world, stop_on=0)
    run.events_path(0).write_bytes(b"")
    for path in run.episode_folder(0).iterdir():
        if path != run.events_path(0):
            path.unlink()
    assert losses_of(run) == []


def test_a_fork_has_lost_what_its_first_days_did(tmp_path: Path, small_world: Path) -> None:
    run = recorded(tmp_path, small_world)
    fork = take_over(run, episode=0, day=20, agent=f"{MERCHANTS}:Sleeper", model={}).create_in(tmp_path / "fork")
    played(fork)
    own, original = losses_of(fork), losses_of(run)
    assert by_cause(until(own, 20))[causes.STORAGE] == by_cause(until(original, 20))[causes.STORAGE] > 0.0
    assert by_cause(own)[causes.CANCELLED] > by_cause(original)[causes.CANCELLED]


def shared(tmp_path: Path, world: Path, *agents: str, stop_on: int | None = None) -> list[Sequence[Loss]]:
    """The losses of each seat of a shared market."""
    seats = tuple(SeatTerms(agent) for agent in agents)
    run = recorded(tmp_path, world, name="shared", days=20, seats=seats, stop_on=stop_on)
    return [losses_of(run.at_seat(0, seat)) for seat in range(len(agents))]


def test_a_seat_is_looked_at_by_replaying_its_whole_market(tmp_path: Path, small_world: Path) -> None:
    seats = shared(tmp_path, small_world, TRADER, "idle", TRADER)
    assert by_cause(seats[1])[causes.NO_STORE] == 13 * 1_000.0  # mornings 8 to 20
    assert by_cause(seats[0])[causes.STORAGE] > 0.0 < by_cause(seats[2])[causes.STORAGE]


def test_a_market_that_stopped_has_not_lost_what_its_seats_hold(tmp_path: Path, small_world: Path) -> None:
    seats = shared(tmp_path, small_world, TRADER, TRADER, stop_on=12)
    assert all(losses and by_cause(losses)[causes.UNSOLD] == 0.0 for losses in seats)
