"""What is made of a record that is torn, garbled, edited or not ours."""

import json
from collections.abc import Callable

import pytest
from tests.cli.command import Command
from tests.runs.conftest import Diary, NewRun, Play, files_of

from ecbench.players.turn import State, Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import salvage
from ecbench.runs.record.lines import SCHEMA, End, LineWriter
from ecbench.runs.record.reader import read_record
from ecbench.runs.results.derived_files import DERIVED
from ecbench.tools.outcome import CallError, Outcome


@pytest.fixture
def played(new_run: NewRun, play: Play) -> Run:
    run = new_run("Sleeper", days=60)
    play(run)
    return run


def lines_of(run: Run) -> list[bytes]:
    return run.events_path(0).read_bytes().splitlines(keepends=True)


def leave(run: Run, content: bytes) -> None:
    """As a killed process does: a record that ends somewhere, and no file of an end that it did not reach."""
    run.events_path(0).write_bytes(content)
    for name in DERIVED:
        (run.episode_folder(0) / name).unlink()


def test_the_record_of_a_shared_market_cut_at_any_byte_keeps_its_whole_lines(new_arena: NewRun, play: Play) -> None:
    """A seat leaves, others hand in turns that the morning completes, and one sends text of every kind."""
    run = new_arena("Quitter", "Odd", "Sleeper", days=5)
    play(run)
    content = run.events_path(0).read_bytes()
    whole = read_record(content, "events")
    assert {entry.kind for entry in whole.entries} == {"turn", "handed", "morning", "leave"}
    ends = [entry.end for entry in whole.entries]
    for size in range(len(content)):
        cut = read_record(content[:size] + bytes(size % 2 * 9), "events")
        assert not cut.damage, content[:size][-80:]
        assert [entry.end for entry in cut.entries] == [end for end in ends if end <= size]


def test_a_models_turn_cut_at_any_byte_is_a_turn_that_was_not_finished(played: Run) -> None:
    """With everything that a turn may contain, and text of every kind."""
    writer = LineWriter()
    start = writer.start(played.terms, 0)
    calls = [
        {"id": "1", "name": "withdraw", "arguments": {"amount": 2**70, "of": [1, -2.5e-7, None, True]}},
        {"id": "2", "name": "\x00", "arguments": {}, "problem": 'no "JSON" \\'},
    ]
    refused = CallError("unreadable", 'no "JSON" \\', 2.5)
    turn = Turn(
        calls,
        [
            Outcome(calls[0], '{"text": "¥ \\"1\\" {[\u2028"}', None, 0, 490, 10, 0),
            Outcome(calls[1], "2", refused, 1, 480, 0, 1),
        ],
        {
            "text": "Ünï \U0001f600 }{][ \x00",
            "usage": {"input_tokens": 1},
            "blocks": [{"signature": "a=="}],
            "seconds": 1.5,
        },
        [{"before": 3, "freed": 2, "cleared": [1, 2]}] * 2,
        [{"kind": "letter", "said": "Dear\ncustomer", "usage": {}}] * 2,
        state=State(1, "2026-01-01T08:00:00", 0, 1.0, -2.5, 0.0, 4, 2),
    )
    content = start + writer.turn(turn) + writer.end([End("stopped", 1e7, 0, 1, 2, "a reason")])
    whole = read_record(content, "events")
    assert (whole.damage, whole.states, whole.turns[0].message) == ("", [turn.state], turn.message)
    assert [outcome.error for outcome in whole.turns[0].outcomes] == [None, refused]
    for size in range(len(start), len(content)):
        for zeros in (b"", bytes(9)):
            cut = read_record(content[:size] + zeros, "events")
            assert not cut.damage, content[:size][-80:]
            assert len(cut.turns) == (size >= whole.entries[0].end)


@pytest.mark.parametrize("zeros", [b"", bytes(500)], ids=["killed", "power cut"])
def test_a_torn_record_is_resumed_to_the_same_bytes(played: Run, play: Play, zeros: bytes) -> None:
    before = files_of(played)
    leave(played, before["events.jsonl"][:-2_000] + zeros)
    diary = Diary()
    play(played, diary=diary)
    assert diary.openings[0].dropped == "the last line was not finished"
    assert files_of(played) == before


@pytest.mark.parametrize("more", [b"more", b"\0", b'{"event":"turn","seat":0,', b"{}\n"])
def test_nothing_may_follow_the_end_of_a_year(played: Run, more: bytes) -> None:
    content = files_of(played)["events.jsonl"]
    assert "there is more after the end of the year" in read_record(content + more, "events").damage
    assert not read_record(content, "events").damage


def test_the_turns_before_the_damage_can_be_salvaged_and_nothing_is_lost(played: Run, play: Play) -> None:
    before = files_of(played)
    path = played.events_path(0)
    damaged = before["events.jsonl"].replace(b'"state":{"turn":30,', b'"state":{"turn":31,', 1)
    path.write_bytes(damaged)
    assert salvage(played, 0) == path.with_name("events.damaged-1.jsonl")
    assert len(read_record(path.read_bytes(), "events").turns) == 29
    play(played)
    assert files_of(played) == before | {"events.damaged-1.jsonl": damaged}
    assert salvage(played, 0) is None


def spaced(content: bytes) -> bytes:
    return b"".join(json.dumps(json.loads(line)).encode() + b"\n" for line in content.splitlines())


def shuffled(content: bytes) -> bytes:
    start, *lines = content.splitlines(keepends=True)
    return b"".join([start, *sorted(lines)])


def without_every_third(content: bytes) -> bytes:
    return b"".join(line for number, line in enumerate(content.splitlines(keepends=True)) if number % 3)


def last_turn(edit: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """Only the lines of the last turn and the end are edited."""

    def edited(content: bytes) -> bytes:
        place = read_record(content, "events").entries[-2].end
        return content[:place] + edit(content[place:])

    return edited


@pytest.mark.parametrize(
    "edit",
    [
        lambda content: content.replace(b"\n", b""),
        lambda content: content.replace(b"\n", b"\r\n"),
        lambda content: content.decode().encode("utf-16"),
        lambda content: content[:-1] + content[:5_000],
        lambda content: content + content,
        lambda content: content.replace(b'"day":20,"bank":', b'"day":20,"bank":1', 1),
        lambda content: content.replace(b'"event":"turn"', b'"event":"tur"', 1),
        lambda content: content.replace(b'"state":{"turn":30', b"garbled \xff\xfe", 1),
        shuffled,
        without_every_third,
        last_turn(lambda lines: lines.replace(b"\n", b"", 1)),
        last_turn(spaced),
        last_turn(lambda lines: lines.splitlines(keepends=True)[0] * 2),
        last_turn(lambda lines: b"{}\n"),
        last_turn(lambda lines: b"my notes\n"),
        last_turn(lambda lines: bytes(40) + lines),
        last_turn(lambda lines: lines[:60] + b"\n"),
    ],
)
def test_what_no_killed_writer_leaves_is_damage_and_never_written_over(
    capsys: pytest.CaptureFixture[str], played: Run, play: Play, edit: Callable[[bytes], bytes]
) -> None:
    whole = played.events_path(0).read_bytes()
    leave(played, edit(whole))
    before = files_of(played)
    result = play(played)
    assert result.end is None
    assert "edited or damaged" in result.problem and "--salvage" in result.problem
    verified = Command(capsys, "verify", str(played.folder))
    assert verified.code == 1 and "DIFFERENT:" in verified.out
    assert Command(capsys, "resume", str(played.folder)).code == 2
    assert files_of(played) == before
    assert Command(capsys, "resume", str(played.folder), "--salvage", "--quiet").code == 0
    assert files_of(played)["events.jsonl"] == whole
    assert files_of(played)["events.damaged-1.jsonl"] == before["events.jsonl"]


def test_a_record_of_another_schema_is_refused(played: Run, play: Play) -> None:
    path = played.events_path(0)
    path.write_bytes(path.read_bytes().replace(b'"schema":3', b'"schema":99', 1))
    assert f"is written in schema 99; this version reads schema {SCHEMA} alone" in play(played).problem


@pytest.mark.parametrize("text", [b"\n", b"hello\n", b"[1]\n", b'{"event":"start","schema":1}\n'])
def test_file_that_is_not_a_record_is_refused_and_kept(played: Run, play: Play, text: bytes) -> None:
    path = played.events_path(0)
    path.write_bytes(text)
    result = play(played)
    assert result.end is None and str(path) in result.problem
    assert path.read_bytes() == text


def test_a_record_of_other_terms_is_refused(played: Run, new_run: NewRun, play: Play) -> None:
    other = new_run("Sleeper", days=61, name="other")
    other.episode_folder(0).mkdir(parents=True)
    other.events_path(0).write_bytes(played.events_path(0).read_bytes())
    assert "was recorded with days 60, but" in play(other).problem
