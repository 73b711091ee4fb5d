"""Turns that are on record already are compared with those that are played again."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from tests.runs.conftest import NewRun

from ecbench.errors import Divergence
from ecbench.players.session import TableSession
from ecbench.players.turn import Move, Record, State
from ecbench.runs.record.checksums import encode
from ecbench.runs.record.events import encode_reply
from ecbench.runs.record.reader import Recording, read_record
from ecbench.runs.record.recorder import Recorder
from ecbench.runs.record.schema import parse, read_reply
from ecbench.runs.terms import Terms
from ecbench.table import Table
from ecbench.tools.outcome import CallError, Outcome
from ecbench.world.model import World

LOOK: Record = {"name": "check_balance", "arguments": {}}
CLEARED: Record = {"before": 400, "freed": 60, "cleared": [2, 3]}


@pytest.fixture
def terms(new_run: NewRun) -> Terms:
    return new_run(days=4).terms


def playing(world: World, terms: Terms, recording: Recording, lines: list[bytes] | None = None) -> TableSession:
    def append(written: bytes, state: State | None, seat: int) -> None:
        assert lines is not None
        lines.append(written)

    table = Table(world, days=terms.days, stake=terms.stake)
    return TableSession(table, Recorder(recording, terms, 0, None if lines is None else append))


MOVE = Move([LOOK], {}, [CLEARED])


@pytest.fixture
def recording(world: World, terms: Terms) -> Recording:
    """One look at the balance, before which two messages left the model's context."""
    lines: list[bytes] = []
    playing(world, terms, Recording(), lines).take(MOVE)
    return read_record(b"".join(lines), "here")


def test_a_replayed_turn_is_the_recorded_one(world: World, terms: Terms, recording: Recording) -> None:
    session = playing(world, terms, recording)
    assert session.is_replaying()
    session.take(MOVE)
    assert not session.is_replaying()


@pytest.mark.parametrize(
    "evictions", [[], [{**CLEARED, "cleared": [2]}], [{**CLEARED, "freed": 61}], [CLEARED, CLEARED]]
)
def test_other_messages_leaving_the_context_are_a_divergence(
    world: World, terms: Terms, recording: Recording, evictions: list[Record]
) -> None:
    session = playing(world, terms, recording)
    with pytest.raises(Divergence, match="episode 0, turn 1: other messages left the model's context"):
        session.take(replace(MOVE, evictions=evictions))


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
    session = playing(world, terms, recording)
    state = recording.turns[0].state
    assert state is not None
    recording.turns[0].state = structs.replace(state, wallet=1.0)
    with pytest.raises(Divergence, match=r"turn 1, state: wallet was recorded as 1.0, came as 0.0"):
        session.take(MOVE)


def test_other_calls_are_refused_before_they_run(world: World, terms: Terms, recording: Recording) -> None:
    session = playing(world, terms, recording)
    with pytest.raises(Divergence, match="turn 1, call 2: the record has no further call, the agent now makes"):
        session.take(Move([LOOK, LOOK]))
    assert f"{session.years[0].now:%H:%M}" == "08:00"


def test_without_a_place_to_write_no_turn_goes_beyond_the_record(
    world: World, terms: Terms, recording: Recording
) -> None:
    session = playing(world, terms, recording)
    session.take(MOVE)
    with pytest.raises(Divergence, match="turn 2: the record holds no such turn"):
        session.take(Move([LOOK]))


ERRORS = st.none() | st.builds(CallError, st.just("refused"), st.text(), st.sampled_from([0.0, 0.25, 12.5]))


@given(st.text(st.characters(codec=None)), ERRORS)
def test_a_reply_is_written_to_the_byte_as_any_other_line_and_read_back(text: str, error: CallError | None) -> None:
    outcome = Outcome(LOOK, text, error, 3, 480, 10, 1)
    line = encode_reply(outcome)
    assert encode(parse(line)) == line
    assert read_reply(line, LOOK) == outcome
