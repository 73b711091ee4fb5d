"""Turns that are on record already are compared with those that are played again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runs.conftest import NewRun

from ecbench.errors import Divergence
from ecbench.players.session import Seat
from ecbench.players.turn import Move, Record, State, Turn
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.record.chain import FIRST, chained, content_of
from ecbench.runs.record.lines import LineWriter, TurnLine, read_line, turn_of
from ecbench.runs.record.reader import Recording, read_record
from ecbench.runs.terms import Terms
from ecbench.suppliers.voices import TemplateVoice
from ecbench.tools.outcome import CallError, Outcome
from ecbench.world.model import World

LOOK: Record = {"name": "check_balance", "arguments": {}}
CLEARED: Record = {"before": 400, "freed": 60, "cleared": [2, 3]}


@pytest.fixture
def terms(new_run: NewRun) -> Terms:
    return new_run(days=4).terms


def playing(world: World, terms: Terms, recording: Recording, lines: list[bytes] | None = None) -> Seat:
    def append(written: bytes, state: State | None, seat: int) -> None:
        assert lines is not None
        lines.append(written)

    return RecordedTable(terms, 0, world, recording, TemplateVoice(), None if lines is None else append).seats[0]


MOVE = Move([LOOK], {}, [CLEARED])


@pytest.fixture
def recording(world: World, terms: Terms) -> Recording:
    """One look at the balance, before which two messages left the model's context."""
    lines: list[bytes] = []
    playing(world, terms, Recording(), lines).take(MOVE)
    return read_record(b"".join(lines), "here")


def test_a_replayed_turn_is_the_recorded_one(world: World, terms: Terms, recording: Recording) -> None:
    seat = playing(world, terms, recording)
    assert seat.next_recorded
    seat.take(MOVE)
    assert not seat.next_recorded


@pytest.mark.parametrize(
    ("recorded", "found", "message"),
    [
        (b'"cleared":[2,3]', b'"cleared":[2]', r"evictions\.1\.cleared\.2 is not recorded, and the replay has 3"),
        (b'"freed":60', b'"freed":61', r"evictions\.1\.freed is recorded as 61, the replay has 60"),
        (b'"bank":100000.0', b'"bank":100001.0', r"state\.bank is recorded as 100001.0, the replay has 100000.0"),
        (b'"minutes":10', b'"minutes":11', "call 1, minutes is recorded as 11, the replay has 10"),
        (b'"outcomes":[{', b'"outcomes":[{"error":{"kind":"refused","message":"no"},', "call 1, error is recorded as"),
    ],
)
def test_what_a_replay_does_not_give_is_a_divergence_that_names_it(
    world: World, terms: Terms, recording: Recording, recorded: bytes, found: bytes, message: str
) -> None:
    """Also in a record whose chain was made anew."""
    assert recording.content.count(recorded) == 1
    changed, head = list[bytes](), FIRST
    for line in recording.content.replace(recorded, found).splitlines(keepends=True):
        again, head = chained(content_of(line), head)
        changed.append(again)
    seat = playing(world, terms, read_record(b"".join(changed), "here"))
    with pytest.raises(Divergence, match=f"episode 0, turn 1: {message}"):
        seat.take(MOVE)


def test_other_calls_are_refused_before_they_run(world: World, terms: Terms, recording: Recording) -> None:
    seat = playing(world, terms, recording)
    with pytest.raises(Divergence, match="turn 1, call 2: the record has no further call, the agent now makes"):
        seat.take(Move([LOOK, LOOK]))
    assert f"{seat.year.now:%H:%M}" == "08:00"


def test_recorder_without_a_log_refuses_turns_after_the_record(
    world: World, terms: Terms, recording: Recording
) -> None:
    seat = playing(world, terms, recording)
    seat.take(MOVE)
    with pytest.raises(Divergence, match="turn 2: the record has no such turn"):
        seat.take(Move([LOOK]))


ERRORS = st.none() | st.builds(CallError, st.just("refused"), st.text(), st.sampled_from([0.0, 0.25, 12.5]))


@given(st.recursive(st.text() | st.integers(), lambda inner: st.dictionaries(st.text(), inner)), ERRORS, st.booleans())
def test_a_reply_stands_in_its_line_to_the_byte(reply: object, error: CallError | None, ascii_alone: bool) -> None:
    """With the spaces of one encoder or the escapes of another: the agent received this text."""
    outcome = Outcome(LOOK, json.dumps(reply, ensure_ascii=ascii_alone), error, 3, 480, 10, 1)
    state = State(1, "2026-01-01T08:00:00", 0, 1.0, 2.0, 3.0, 4, 1)
    line = LineWriter().turn(Turn([LOOK], [outcome], state=state))
    assert outcome.text.encode() in line
    found = read_line(line)
    assert isinstance(found, TurnLine) and turn_of(found).outcomes == [outcome]
