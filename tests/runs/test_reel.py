"""A record where it lies: the same turns as a reader of the whole has, read one at a time."""

import pytest
from tests.runs.conftest import Diary, NewRun, Play

from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.indexed_record import IndexedRecord, recorded_end


@pytest.fixture
def run(new_run: NewRun, play: Play) -> Run:
    made = new_run(days=20)
    play(made)
    return made


def wound(run: Run) -> IndexedRecord:
    reel = IndexedRecord(run, 0)
    assert len(list(reel.refresh())) == reel.turns
    return reel


def test_it_holds_what_a_reader_of_the_whole_has(run: Run) -> None:
    reel, whole = wound(run), read_episode(run, 0)
    assert (reel.states, reel.end) == (whole.states, whole.end)
    assert [reel.turn(number) for number in range(1, reel.turns + 1)] == whole.turns
    assert [turn.calls for turn in reel.calls(3, 9)] == [turn.calls for turn in whole.turns[3:9]]
    assert not any(turn.replies for turn in reel.calls(3, 9))
    assert reel.bytes_between(0, reel.turns) == whole.turn_ends[-1] - whole.start_size


def test_what_has_not_changed_is_not_read_again(run: Run) -> None:
    reel = wound(run)
    assert list(reel.refresh()) == [] and reel.finished


def test_it_ends_before_a_turn_that_was_edited(run: Run) -> None:
    path, whole = run.events_path(0), read_episode(run, 0)
    place = whole.turn_ends[9] + 30
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    reel = wound(run)
    assert reel.turns == 10 and reel.end is None
    assert list(reel.refresh()) == []


def test_a_year_that_was_stopped_goes_on_behind_its_end(new_run: NewRun, play: Play) -> None:
    run = new_run(days=20)
    play(run, diary=Diary(stop_on_day=6))
    reel = wound(run)
    assert reel.end is not None and reel.end.resumable and not reel.replaced
    before = reel.turns
    play(run)
    assert len(list(reel.refresh())) == reel.turns - before > 0
    assert reel.finished and reel.states == read_episode(run, 0).states


def test_another_record_in_its_place_is_noticed(run: Run) -> None:
    reel, path = wound(run), run.events_path(0)
    path.write_bytes(path.read_bytes()[:500])
    assert reel.replaced


def test_a_record_of_another_run_is_refused(new_run: NewRun, play: Play, run: Run) -> None:
    other = new_run(days=19, name="other")
    other.events_path(0).parent.mkdir(parents=True)
    other.events_path(0).write_bytes(run.events_path(0).read_bytes())
    with pytest.raises(RunError, match="was recorded with days 20"):
        list(IndexedRecord(other, 0).refresh())
    with pytest.raises(RunError, match="no episode 3"):
        IndexedRecord(other, 3)


def test_the_last_line_tells_how_a_sealed_year_ended_and_whoever_reads_the_whole_finds_out_if_it_lies(run: Run) -> None:
    assert recorded_end(run, 0) == read_episode(run, 0).end() is not None
    path = run.events_path(0)
    path.write_bytes(path.read_bytes().replace(b'"ending":"year_end"', b'"ending":"idle_end"'))
    assert recorded_end(run, 0) is not None
    assert wound(run).end is None


def test_a_year_without_a_seal_is_not_taken_on_trust(run: Run) -> None:
    (run.episode_folder(0) / "seal.json").unlink()
    assert recorded_end(run, 0) is None
