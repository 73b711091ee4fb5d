"""A record where it lies: the same turns as a reader of the whole has, read one at a time."""

from io import BytesIO
from pathlib import Path

import pytest
from tests.adapters.hosting import WAIT, begin
from tests.runs.conftest import Diary, NewRun, Play

from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import follow_episode, read_episode, recorded_end
from ecbench.runs.play.external_sessions import YearSession
from ecbench.runs.record.reader import FollowedRecord, read_end
from ecbench.world.model import World


@pytest.fixture
def run(new_run: NewRun, play: Play) -> Run:
    made = new_run(days=20)
    play(made)
    return made


def indexed(run: Run) -> FollowedRecord:
    record = follow_episode(run, 0)
    assert len(list(record.refresh())) == len(record.entries)
    return record


def test_it_holds_what_a_reader_of_the_whole_has(run: Run) -> None:
    record, whole = indexed(run), read_episode(run, 0)
    assert ([entry.state for entry in record.entries], record.recording.year_end) == (whole.states, whole.year_end)
    assert [record.turn(number) for number in range(len(record.entries))] == whole.turns
    assert [entry.turn for entry in record.between(3, 9)] == whole.turns[3:9]
    assert [entry.end for entry in record.entries] == [entry.end for entry in whole.entries]
    assert list(record.refresh()) == [] and record.recording.finished


def test_it_ends_before_a_turn_that_was_edited(run: Run) -> None:
    path, whole = run.events_path(0), read_episode(run, 0)
    place = whole.entries[9].end + 30
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    record = indexed(run)
    assert len(record.entries) == 10 and record.recording.year_end is None
    assert list(record.refresh()) == []


def test_a_resumed_year_continues_after_its_end(new_run: NewRun, play: Play) -> None:
    run = new_run(days=20)
    play(run, diary=Diary(stop_on_day=6))
    record = indexed(run)
    end = record.recording.end()
    assert end is not None and end.resumable and not record.replaced
    before = len(record.entries)
    play(run)
    assert len(list(record.refresh())) == len(record.entries) - before > 0
    assert record.recording.finished and [entry.state for entry in record.entries] == read_episode(run, 0).states


def test_replaced_record_is_detected(run: Run) -> None:
    record, path = indexed(run), run.events_path(0)
    path.write_bytes(path.read_bytes()[:500])
    assert record.replaced


def test_an_episode_that_the_run_does_not_have_is_refused(run: Run) -> None:
    with pytest.raises(RunError, match="no episode 3"):
        follow_episode(run, 3)


def test_the_last_line_says_how_a_year_ended_and_a_reader_of_the_whole_finds_an_edit(run: Run) -> None:
    assert recorded_end(run, 0) == read_episode(run, 0).end() is not None
    path = run.events_path(0)
    path.write_bytes(path.read_bytes().replace(b'"ending":"year_end"', b'"ending":"idle_end"'))
    assert recorded_end(run, 0) is not None
    assert indexed(run).recording.year_end is None


def test_the_end_of_a_record_is_that_of_its_own_episode_and_terms(
    tmp_path: Path, small_world: Path, world: World
) -> None:
    run = begin(tmp_path / "run", world, small_world, days=1)
    YearSession(run, 0, world).take([WAIT])
    content = run.events_path(0).read_bytes()
    end = read_end(BytesIO(content), run.terms, 0)
    assert end is not None and end.ends[0].ending == "year_end"
    assert read_end(BytesIO(content), run.terms, 1) is None
    other = begin(tmp_path / "other", world, small_world, days=2).terms
    assert read_end(BytesIO(content), other, 0) is None
    assert read_end(BytesIO(content[:-1]), run.terms, 0) is None
    assert read_end(BytesIO(content.replace(b'"day":1', b'"day":0', 1)), run.terms, 0) is None
