"""Turns that are on record already are compared with those that are played again."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from tests.runs.conftest import NewRun

from ecbench.errors import Divergence
from ecbench.players.session import Seat
from ecbench.players.turn import Move, Record, State, Turn
from ecbench.runs.play.recorded_table import RecordedTable
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
    "evictions", [[], [{**CLEARED, "cleared": [2]}], [{**CLEARED, "freed": 61}], [CLEARED, CLEARED]]
)
def test_other_messages_leaving_the_context_are_a_divergence(
    world: World, terms: Terms, recording: Recording, evictions: list[Record]
) -> None:
    seat = playing(world, terms, recording)
    with pytest.raises(Divergence, match="episode 0, turn 1: other messages left the model's context"):
        seat.take(replace(MOVE, evictions=evictions))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": "{}"}, r"episode 0, turn 1, call 1 \(check_balance\): recorded .*, came .*"),
        ({"minutes": 11}, "minutes was recorded as 11, came as 10"),
        ({"error": CallError("refused", "no")}, "error was recorded as"),
    ],
)
def test_another_outcome_is_a_divergence(
    world: World, terms: Terms, recording: Recording, change: dict[str, object], message: str
) -> None:
    turn = recording.turns[0]
    turn.outcomes = [structs.replace(turn.outcomes[0], **change)]
    with pytest.raises(Divergence, match=message):
        playing(world, terms, recording).take(MOVE)


def test_another_state_is_a_divergence_by_the_name_of_what_differs(
    world: World, terms: Terms, recording: Recording
) -> None:
    seat = playing(world, terms, recording)
    state = recording.turns[0].state
    assert state is not None
    recording.turns[0].state = structs.replace(state, wallet=1.0)
    with pytest.raises(Divergence, match=r"turn 1, state: wallet was recorded as 1.0, came as 0.0"):
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


def test_half_of_a_surrogate_pair_in_the_words_of_a_model_becomes_a_question_mark() -> None:
    state = State(1, "2026-01-01T08:00:00", 0, 1.0, 2.0, 3.0, 4, 1)
    found = read_line(LineWriter().turn(Turn([LOOK], [], {"text": "a \ud83d b"}, state=state)))
    assert isinstance(found, TurnLine) and found.message == {"text": "a ? b"}
