"""Turns that are on record already are compared with those that are played again."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.runs.conftest import NewRun

from ecbench.episode import Episode
from ecbench.errors import Divergence
from ecbench.players.session import TableSession
from ecbench.players.turn import Record, State, Turn
from ecbench.runs.record.checksums import encode
from ecbench.runs.record.events import encode_reply
from ecbench.runs.record.reader import Recording, read_record
from ecbench.runs.record.recorder import Recorder
from ecbench.runs.terms import Terms
from ecbench.world.model import World

LOOK: Record = {"name": "check_balance", "arguments": {}}
CLEARED: Record = {"before": 400, "freed": 60, "cleared": [2, 3]}


@pytest.fixture
def terms(new_run: NewRun) -> Terms:
    return new_run(days=4).terms


def playing(world: World, terms: Terms, recording: Recording, lines: list[bytes] | None = None) -> TableSession:
    def append(written: bytes, state: State | None) -> None:
        assert lines is not None
        lines.append(written)

    year = Episode(world, days=terms.days, stake=terms.stake)
    return TableSession(year, Recorder(recording, terms, 0, None if lines is None else append))


@pytest.fixture
def recording(world: World, terms: Terms) -> Recording:
    """One look at the balance, before which two messages left the model's context."""
    lines: list[bytes] = []
    seat = playing(world, terms, Recording(), lines)
    seat.keep(Turn([LOOK], seat.run([LOOK]), {}, [CLEARED]))
    return read_record(b"".join(lines), "here")


def again(seat: TableSession, **other: object) -> None:
    """The recorded turn once more, but for what is other."""
    seat.keep(replace(Turn([LOOK], seat.run([LOOK]), {}, [CLEARED]), **other))  # type: ignore[arg-type]


def test_a_turn_played_again_is_the_recorded_one(world: World, terms: Terms, recording: Recording) -> None:
    seat = playing(world, terms, recording)
    assert seat.repeating
    again(seat)
    assert not seat.repeating


@pytest.mark.parametrize(
    "evictions", [[], [{**CLEARED, "cleared": [2]}], [{**CLEARED, "freed": 61}], [CLEARED, CLEARED]]
)
def test_other_messages_leaving_the_context_are_a_divergence(
    world: World, terms: Terms, recording: Recording, evictions: list[Record]
) -> None:
    seat = playing(world, terms, recording)
    with pytest.raises(Divergence, match="episode 0, turn 1: other messages left the model's context"):
        again(seat, evictions=evictions)


def test_another_reply_is_a_divergence(world: World, terms: Terms, recording: Recording) -> None:
    seat = playing(world, terms, recording)
    [reply] = recording.turns[0].replies
    with pytest.raises(Divergence, match=r"episode 0, turn 1, call 1 \(check_balance\): recorded .*, came .*"):
        again(seat, replies=[f"{reply} "])


def test_another_state_is_a_divergence_by_the_name_of_what_differs(
    world: World, terms: Terms, recording: Recording
) -> None:
    seat = playing(world, terms, recording)
    seat.year.account.books.purse.wallet = 1.0
    with pytest.raises(Divergence, match=r"turn 1, state: wallet was recorded as 0.0, came as 1.0"):
        again(seat, replies=recording.turns[0].replies)


def test_other_calls_are_refused_before_they_run(world: World, terms: Terms, recording: Recording) -> None:
    seat = playing(world, terms, recording)
    with pytest.raises(Divergence, match="turn 1, call 2: the recording has no further call, the agent now makes"):
        seat.run([LOOK, LOOK])
    assert f"{seat.year.now:%H:%M}" == "08:00"


def test_without_a_place_to_write_no_turn_goes_beyond_the_record(
    world: World, terms: Terms, recording: Recording
) -> None:
    seat = playing(world, terms, recording)
    again(seat)
    with pytest.raises(Divergence, match="turn 2: the recording holds no such turn"):
        seat.take([LOOK])


@given(st.text(st.characters(codec=None)))
def test_a_reply_is_written_to_the_byte_as_any_other_line(text: str) -> None:
    assert encode_reply(text) == encode({"event": "reply", "text": text})
