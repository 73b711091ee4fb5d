"""Any turn of any seat of a recorded year can be looked at, and it is the year as it was."""

import random
from pathlib import Path

import pytest
from tests.pages.board.conftest import DAYS
from tests.runs.conftest import TRADER, Diary, NewRun, Play, new_run, play

from ecbench.cli import main as ecbench
from ecbench.errors import Divergence
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.snapshots import SeatSnapshots, Snapshots
from ecbench.pages.board.views.state_view import position
from ecbench.pages.board.views.timeline import timeline
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_table import open_table, replay_entry
from ecbench.runs.record.reader import Recording
from ecbench.runs.run_archive import archive_name, packed_run
from ecbench.suppliers.voices import TemplateVoice
from ecbench.table import Table
from ecbench.world.load import load_world

__all__ = ["new_run", "play"]

BYTES_APART = 15_000  # several snapshots of a little year


@pytest.fixture
def shared(new_run: NewRun, play: Play) -> Run:
    run = new_run(TRADER, "idle", TRADER, days=25)
    play(run)
    return run


def opened(run: Run, bytes_apart: int = BYTES_APART) -> Snapshots:
    snapshots = Snapshots(run, 0, run.load_world(), bytes_apart)
    snapshots.grow()
    return snapshots


def replayed(run: Run, recording: Recording, seat: int, turns: int) -> Table:
    """The table after a given number of turns of a seat, replayed from the first morning."""
    table = open_table(run.terms, run.load_world(), TemplateVoice())
    for entry in recording.entries:
        if turns:
            replay_entry(table, entry)
            turns -= entry.kind in ("turn", "morning") and entry.seat == seat
    return table


@pytest.mark.parametrize("alone", [True, False])
def test_any_turn_of_any_seat_stands_as_it_was_recorded(request: pytest.FixtureRequest, *, alone: bool) -> None:
    run: Run = request.getfixturevalue("recorded" if alone else "shared")
    snapshots, recording, draws = opened(run), read_episode(run, 0), random.Random("turns")
    assert len(snapshots._snapshots) > 3
    for seat in range(run.seats):
        year, turns = SeatSnapshots(snapshots, seat), recording.turns_of(seat)
        assert year.length == len(turns)
        for number in [1, year.length, *(draws.randrange(1, year.length) for _ in range(6))]:
            state, seen = turns[number - 1].state, year.at(number)
            assert state is not None and seen.now.isoformat() == state.time
            assert (seen.bank, seen.wallet, seen.escrow) == (state.bank, state.wallet, state.escrow)
            assert year.turn(number) == turns[number - 1]
            assert seen.report() == replayed(run, recording, seat, number).report(seat)
        assert year.at(year.length).report() == year.latest.report()
        assert year.end == recording.end(seat) is not None


def test_looking_changes_nothing(recorded: Run) -> None:
    year = SeatSnapshots(opened(recorded), 0)
    before = year.at(year.length // 2).report()
    year.at(year.length // 2 + 3)
    assert year.at(year.length // 2).report() == before


def test_the_last_turn_of_a_day_is_the_one_before_the_first_of_the_next(recorded: Run) -> None:
    year = SeatSnapshots(opened(recorded), 0)
    for day in (1, 9, DAYS - 1):
        last = year.last_turn_of(day)
        assert year.states[last - 1].day == day < year.states[last].day
    assert year.last_turn_of(DAYS) == year.length


def test_snapshots_are_so_many_bytes_of_the_record_apart(recorded: Run) -> None:
    size = recorded.events_path(0).stat().st_size
    assert size // (2 * BYTES_APART) <= len(opened(recorded)._snapshots) - 1 <= size // BYTES_APART


@pytest.mark.parametrize("alone", [True, False])
def test_unfinished_episode_is_replayed_from_the_last_snapshot(request: pytest.FixtureRequest, *, alone: bool) -> None:
    """The record is written piece by piece, and cut in the middle of turns."""
    run: Run = request.getfixturevalue("recorded" if alone else "shared")
    path, seat = run.events_path(0), run.seats - 1
    content, whole = path.read_bytes(), SeatSnapshots(opened(run), seat)
    path.write_bytes(b"")
    growing, lengths = Snapshots(run, 0, run.load_world(), BYTES_APART), list[int]()
    with path.open("ab") as file:
        for first in range(0, len(content), len(content) // 7):
            file.write(content[first : first + len(content) // 7])
            file.flush()
            growing.grow()
            lengths.append(SeatSnapshots(growing, seat).length)
    assert lengths == sorted(lengths) and len(set(lengths)) > 5 and lengths[-1] == whole.length
    grown = SeatSnapshots(growing, seat)
    assert grown.latest.report() == whole.latest.report()
    assert len(growing._snapshots) == len(whole.snapshots._snapshots)
    assert grown.end == whole.end is not None


def test_a_record_of_another_world_is_not_shown(recorded: Run) -> None:
    with pytest.raises(Divergence, match="on day 0 differs from the record"):
        Snapshots(recorded, 0, load_world("seed-5")).grow()


def test_a_market_that_was_stopped_is_shown_as_far_as_it_goes(new_run: NewRun, play: Play) -> None:
    run = new_run(TRADER, TRADER, days=20)
    play(run, diary=Diary(stop_on_day=6))
    year = SeatSnapshots(opened(run), 1)
    assert year.length > 3 and year.at(year.length).day >= 5


def test_seats_are_years_of_the_shelf_and_know_their_rivals(shared: Run) -> None:
    library = Library(shared.folder.parent)
    summaries = library.summaries()
    assert len({spine.id for spine in summaries}) == 3 and {spine.folder for spine in summaries} == {shared.folder.name}
    idle = next(spine for spine in summaries if spine.agent == "idle")
    beside = [library.key_of(run) for run, _ in library.beside(library.run(idle.id), 0)]
    assert sorted(beside) == sorted(spine.id for spine in summaries if spine is not idle)
    year = library.year(idle.id, 0)
    assert (year.terms.seats[year.seat].agent, position(year.moment())["day"]) == ("idle", 25)
    assert len(timeline(year, [])["bank"]) == 26


def test_a_seat_is_proven_by_the_record_of_its_market(shared: Run, tmp_path: Path) -> None:
    place = tmp_path / archive_name(shared)
    place.write_bytes(packed_run(shared.at_seat(0, 1)))
    with pytest.raises(SystemExit) as ended:
        ecbench(["verify", str(place)])
    assert not ended.value.code
