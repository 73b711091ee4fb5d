"""A seat: turns in, replies out, whoever drives it."""

import json
from pathlib import Path

import pytest

from ecbench.episode import Episode
from ecbench.players.session import TableSession
from ecbench.players.turn import LONGEST_RESULT, Record, Turn, shortened
from ecbench.world.load import load_world

WAIT: Record = {"name": "wait_for_next_day", "arguments": {}}
LOOK: Record = {"name": "check_balance", "arguments": {}}
GARBLED: Record = {"name": "withdraw", "arguments": {}, "problem": "not valid JSON"}


class Kept:
    """A record in memory."""

    ahead = None

    def __init__(self) -> None:
        self.turns: list[Turn] = []

    def expect(self, calls: object) -> None: ...

    def take(self, turn: Turn, year: Episode) -> None:
        self.turns.append(turn)


@pytest.fixture
def year(small_world: Path) -> Episode:
    return Episode(load_world(str(small_world)), days=4)


def test_a_year_can_be_driven_one_turn_at_a_time_from_outside(year: Episode) -> None:
    kept = Kept()
    seat = TableSession(year, kept)
    days = []
    while seat.ending is None:
        days.append(json.loads(seat.take([LOOK, WAIT], {"text": "On."})[1])["day"])
    assert days == [1, 2, 3, 4]
    assert (seat.ending, seat.turns, seat.calls) == ("year_end", 4, 8)
    assert [turn.said for turn in kept.turns] == [{"text": "On."}] * 4


def test_three_turns_in_a_row_without_a_call_end_it_and_a_call_starts_the_count_anew(year: Episode) -> None:
    seat = TableSession(year)
    for calls in ([], [], [LOOK], [], []):
        seat.take(calls)
        assert seat.ending is None
    seat.take([])
    assert seat.ending == "idle"


def test_a_seat_takes_no_more_turns_than_its_limit(year: Episode) -> None:
    seat = TableSession(year, max_turns=2)
    seat.take([LOOK])
    assert seat.ending is None
    seat.take([LOOK])
    assert seat.ending == "turn_limit"


def test_a_call_that_could_not_be_read_fails_alone_and_costs_no_time(year: Episode) -> None:
    first, second, third = map(json.loads, TableSession(year).take([LOOK, GARBLED, LOOK]))
    assert second == {"error": "not valid JSON"}
    assert (first["current_time"], third["current_time"]) == ("2026-01-01 08:10", "2026-01-01 08:20")


def test_nothing_is_asked_of_a_year_by_calls_that_cannot_be_read(year: Episode) -> None:
    assert TableSession(year).take([GARBLED]) == ['{"error": "not valid JSON"}']
    assert f"{year.now:%H:%M}" == "08:00"


def test_who_goes_on_from_recorded_turns_has_not_been_idle_yet(year: Episode) -> None:
    seat = TableSession(year)
    seat.repeat([Turn([], []), Turn([LOOK], ["as it was"]), Turn([], []), Turn([], [])])
    assert (seat.turns, seat.idle, seat.ending) == (4, 0, None)


def test_a_reply_is_shown_up_to_a_length_and_says_what_is_missing() -> None:
    assert shortened("a" * LONGEST_RESULT) == "a" * LONGEST_RESULT
    assert shortened("a" * LONGEST_RESULT + "bc") == "a" * LONGEST_RESULT + "\n[cut: 65,536 of 65,538 characters shown]"
