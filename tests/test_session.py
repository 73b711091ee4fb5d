"""A table session: turns in, outcomes out, each counted against the limits of its seat."""

from pathlib import Path

import pytest

from ecbench.players.session import TableSession
from ecbench.players.turn import LONGEST_RESULT, Move, Record, Turn, shortened
from ecbench.table import Table
from ecbench.world.load import load_world

WAIT: Record = {"name": "wait_for_next_day", "arguments": {}}
LOOK: Record = {"name": "check_balance", "arguments": {}}
GARBLED: Record = {"name": "withdraw", "arguments": {}, "problem": "not valid JSON"}


@pytest.fixture
def table(small_world: Path) -> Table:
    return Table(load_world(str(small_world)), days=4)


def test_a_year_can_be_driven_one_turn_at_a_time_from_outside(table: Table) -> None:
    seat, turns = TableSession(table).seats[0], list[Turn]()
    while seat.ending is None:
        turns += seat.act(Move([LOOK, WAIT], {"text": "On."}))
    assert [turn.outcomes[1].reply["day"] for turn in turns] == [1, 2, 3, 4]
    assert (seat.ending, seat.turns, seat.calls) == ("year_end", 4, 8)
    assert [turn.message for turn in turns] == [{"text": "On."}] * 4


def test_three_turns_in_a_row_without_a_call_end_it_and_a_call_resets_the_count(table: Table) -> None:
    seat = TableSession(table).seats[0]
    for calls in ([], [], [LOOK], [], []):
        seat.take(Move(calls))
        assert seat.ending is None
    seat.take(Move([]))
    assert seat.ending == "idle"


def test_a_seat_takes_no_more_turns_than_its_limit(table: Table) -> None:
    seat = TableSession(table, max_turns=2).seats[0]
    seat.take(Move([LOOK]))
    assert seat.ending is None
    seat.take(Move([LOOK]))
    assert seat.ending == "turn_limit"


def test_a_call_that_could_not_be_read_fails_alone_and_costs_no_time(table: Table) -> None:
    first, second, third = TableSession(table).seats[0].take(Move([LOOK, GARBLED, LOOK]))
    assert second.reply == {"error": "not valid JSON"}
    assert second.error is not None and second.error.kind == "unreadable"
    assert (first.minutes, second.minutes, third.minutes) == (10, 0, 10)
    assert (first.reply["current_time"], third.reply["current_time"]) == ("2026-01-01 08:10", "2026-01-01 08:20")


def test_a_reply_is_shown_up_to_a_length_and_says_what_is_missing() -> None:
    assert shortened("a" * LONGEST_RESULT) == "a" * LONGEST_RESULT
    assert shortened("a" * LONGEST_RESULT + "bc") == "a" * LONGEST_RESULT + "\n[cut: 65,536 of 65,538 characters shown]"
