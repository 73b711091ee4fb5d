"""Bills of what is recorded in run folders: whole years and parts, forks, other rules, seats of a shared market."""

from pathlib import Path

import pytest
from tests.runs.conftest import MERCHANTS, TRADER, Diary

from ecbench.errors import RunError
from ecbench.review.bill import causes
from ecbench.review.bill.charges import Bill
from ecbench.review.bill.making import bill_of
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.episodes import play_here
from ecbench.runs.play.fork import take_over
from ecbench.runs.run_worlds import WorldRef
from ecbench.runs.terms import SeatTerms, Terms
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


def test_a_recorded_year_has_its_bill(tmp_path: Path, small_world: Path) -> None:
    bill = bill_of(recorded(tmp_path, small_world), 0)
    assert bill.last_day == DAYS
    assert bill.total(causes.STORAGE) > 0.0
    assert Bill.from_json(bill.to_json()) == bill


def test_a_year_that_stopped_is_billed_as_far_as_it_goes(tmp_path: Path, small_world: Path) -> None:
    """What it held is not lost yet; all else is as in the whole year."""
    whole = bill_of(recorded(tmp_path, small_world), 0)
    part = bill_of(recorded(tmp_path, small_world, name="part", stop_on=30), 0)
    open_ended = {causes.UNSOLD, causes.ABOVE_FLOOR, causes.ABOVE_BEST, causes.CANCELLED}
    assert part.last_day == 30
    assert part.total(causes.UNSOLD) == 0.0
    before = [charge for charge in whole.between(0, 29).charges if charge.cause not in open_ended]
    assert [charge for charge in part.between(0, 29).charges if charge.cause not in open_ended] == before


def test_a_record_without_a_turn_has_an_empty_bill(tmp_path: Path, small_world: Path) -> None:
    run = recorded(tmp_path, small_world, stop_on=0)
    run.events_path(0).write_bytes(b"")
    for path in run.episode_folder(0).iterdir():
        if path != run.events_path(0):
            path.unlink()
    assert bill_of(run, 0) == Bill((), 0)


def test_an_episode_that_is_not_there_is_refused(tmp_path: Path, small_world: Path) -> None:
    with pytest.raises(RunError, match="has no episode 3"):
        bill_of(recorded(tmp_path, small_world), 3)


def test_a_fork_is_billed_from_its_first_day(tmp_path: Path, small_world: Path) -> None:
    run = recorded(tmp_path, small_world)
    fork = take_over(run, episode=0, day=20, agent=f"{MERCHANTS}:Sleeper", model={}).create_in(tmp_path / "fork")
    played(fork)
    own, original = bill_of(fork, 0), bill_of(run, 0)
    assert own.between(0, 19).total(causes.STORAGE) == original.between(0, 19).total(causes.STORAGE) > 0.0
    assert own.total(causes.CANCELLED) > original.total(causes.CANCELLED)


def test_other_rules_make_another_bill(tmp_path: Path, small_world: Path) -> None:
    usual = bill_of(recorded(tmp_path, small_world), 0)
    free = bill_of(recorded(tmp_path, small_world, name="free", rules={"storage_rate": dict.fromkeys(SIZES, 0.0)}), 0)
    assert usual.total(causes.STORAGE) > 0.0 == free.total(causes.STORAGE)


SIZES = ("Small", "Medium", "Large", "XLarge")


def shared(tmp_path: Path, world: Path, *agents: str, stop_on: int | None = None) -> list[Bill]:
    """The bill of each seat of a shared market."""
    seats = tuple(SeatTerms(agent) for agent in agents)
    run = recorded(tmp_path, world, name="shared", days=20, seats=seats, stop_on=stop_on)
    return [bill_of(run.at_seat(0, seat), 0) for seat in range(len(agents))]


def test_a_seat_is_billed_by_replaying_its_whole_market(tmp_path: Path, small_world: Path) -> None:
    bills = shared(tmp_path, small_world, TRADER, "idle", TRADER)
    assert bills[1].total(causes.EMPTY_SLOT) == 13 * 1_000.0  # mornings 8 to 20
    assert bills[0].total(causes.STORAGE) > 0.0 < bills[2].total(causes.STORAGE)
    assert bills[0] != bill_of(recorded(tmp_path, small_world, days=20), 0)


def test_a_market_that_stopped_has_not_lost_what_its_seats_hold(tmp_path: Path, small_world: Path) -> None:
    bills = shared(tmp_path, small_world, TRADER, TRADER, stop_on=12)
    assert all(bill.last_day >= 12 and bill.total(causes.UNSOLD) == 0.0 for bill in bills)
