"""What is made of a record that is torn, garbled, edited or not ours."""

from pathlib import Path

import pytest
from tests.runs.conftest import Diary, NewRun, Play, files_of

from ecbench.runs.events import SCHEMA, State, Turn, Writer
from ecbench.runs.folder import Run
from ecbench.runs.problems import RunError
from ecbench.runs.reader import read_events
from ecbench.runs.session import salvage


@pytest.fixture
def played(new_run: NewRun, play: Play) -> Run:
    run = new_run("Sleeper", days=60)
    play(run)
    return run


def lines_of(run: Run) -> list[bytes]:
    return run.events_path(0).read_bytes().splitlines(keepends=True)


def test_a_record_cut_at_any_byte_keeps_its_whole_turns(played: Run) -> None:
    content = played.events_path(0).read_bytes()
    whole = read_events(content, "events")
    for size in range(0, len(content), 97):
        cut = read_events(content[:size], "events")
        assert not cut.damage
        assert cut.turns == whole.turns[: len(cut.turns)]
        assert cut.kept <= size
        assert bool(cut.dropped) == (cut.kept < size)
        behind = len(cut.turns)
        assert behind == len(whole.turns) or size < whole.turn_ends[behind]


def test_a_torn_record_is_resumed_to_the_same_bytes(played: Run, play: Play) -> None:
    before = files_of(played)
    path = played.events_path(0)
    path.write_bytes(before["events.jsonl"][:-2_000])
    diary = Diary()
    play(played, diary=diary)
    assert "belong to a turn that was not finished" in diary.openings[0].dropped
    assert files_of(played) == before


def test_zeros_that_a_power_cut_left_at_the_end_are_dropped(played: Run, play: Play) -> None:
    before = files_of(played)
    path = played.events_path(0)
    path.write_bytes(before["events.jsonl"][:-3_000] + bytes(500))
    play(played)
    assert files_of(played) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"day":20,"bank":', b'"day":20,"bank":1'),
        (b'"name":"check_balance"', b'"name":"check_warehouse"'),
        (b'"event":"reply"', b'"event":"rep"'),
        (b'"event":"turn","turn":30', b"garbled \xff\xfe"),
    ],
)
def test_an_edited_or_garbled_line_is_found_when_the_record_is_opened(
    played: Run, play: Play, old: bytes, new: bytes
) -> None:
    path = played.events_path(0)
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    before = files_of(played)
    result = play(played)
    assert result.end is None
    assert "do not match their checksum, so they were edited or damaged" in result.problem
    assert f"ecbench resume {played.folder} --salvage" in result.problem
    assert files_of(played) == before


def test_the_turns_before_the_damage_can_be_salvaged_and_nothing_is_lost(played: Run, play: Play) -> None:
    before = files_of(played)
    path = played.events_path(0)
    damaged = before["events.jsonl"].replace(b'"turn":30,', b'"turn":31,', 1)
    path.write_bytes(damaged)
    assert salvage(played, 0) == path.with_name("events.damaged-1.jsonl")
    assert len(read_events(path.read_bytes(), "events").turns) == 29
    play(played)
    assert files_of(played) == before | {"events.damaged-1.jsonl": damaged}
    assert salvage(played, 0) is None


def test_a_record_of_another_schema_is_refused(played: Run, play: Play) -> None:
    path = played.events_path(0)
    path.write_bytes(path.read_bytes().replace(b'"schema":1', b'"schema":99', 1))
    assert f"is written in schema 99; this version of ecbench reads schema {SCHEMA}" in play(played).problem


@pytest.mark.parametrize("text", [b"\n", b"hello\n", b"[1]\n", b'{"event":"start","schema":1}\n'])
def test_a_file_that_is_no_record_is_refused_and_kept(played: Run, play: Play, text: bytes) -> None:
    path = played.events_path(0)
    path.write_bytes(text)
    result = play(played)
    assert result.end is None and str(path) in result.problem
    assert path.read_bytes() == text


def test_a_record_of_other_terms_is_refused(played: Run, new_run: NewRun, play: Play) -> None:
    other = new_run("Sleeper", days=61, name="other")
    other.events_path(0).parent.mkdir(parents=True)
    other.events_path(0).write_bytes(played.events_path(0).read_bytes())
    assert "was recorded with days 60, but" in play(other).problem


def test_lines_behind_the_end_are_damage(played: Run) -> None:
    content = played.events_path(0).read_bytes()
    assert "more behind the end" in read_events(content + b"{}\n", "events").damage


def test_a_record_of_4000_turns_and_100000_lines_opens_whole(played: Run) -> None:
    terms, writer = played.terms, Writer()
    turn = Turn(
        [{"name": "check_balance", "arguments": {}}] * 12, ['{"bank": 100000.0, "note": "' + "x" * 200 + '"}'] * 12
    )
    lines = [writer.start(terms, 0)]
    lines += [writer.turn(turn, State(n, "2026-01-01T08:00:00", 0, 1.0, 0.0, 0.0, 0, 12 * n)) for n in range(1, 4_001)]
    content = b"".join(lines)
    assert content.count(b"\n") > 100_000
    assert len(read_events(content, "events").turns) == 4_000


def test_an_empty_record_is_a_year_not_yet_begun() -> None:
    assert read_events(b"", "events").terms is None


def test_errors_of_the_reader_name_the_file(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"^here/events\.jsonl, line 1: this is not the start of a recorded year"):
        read_events(b"nonsense\n", "here/events.jsonl")
