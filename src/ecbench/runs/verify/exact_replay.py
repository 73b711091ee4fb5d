"""Replays a record and compares every byte of it with what the replay writes.

A resumed year compares outcomes and states, which is enough to continue. A verified one must contain nothing else: a
field that the program does not write, words beside a merchant's calls, or the day of a turn are found here.
"""

from collections.abc import Sequence
from typing import Any

from ecbench.cancellation import StopFlag
from ecbench.errors import Divergence
from ecbench.gate import TurnRefused, admit
from ecbench.players.loop import OVERDUE, play
from ecbench.players.session import Seat
from ecbench.players.turn import Leave, Turn
from ecbench.runs.play.play_here import seat_players
from ecbench.runs.play.recorded_table import Played, RecordedTable, close_as_recorded
from ecbench.runs.record.differences import difference
from ecbench.runs.record.json_values import parse
from ecbench.runs.record.lines import End, LineWriter
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.terms import Terms
from ecbench.world.model import World


def replay_exactly(terms: Terms, episode: int, world: World, recording: Recording, *, ask_agents: bool) -> Played:
    """Recompute a recorded episode; raises Divergence at the first byte that does not follow from it.

    With `ask_agents` the merchants that the terms name are asked for every turn; without, the recorded calls are run.
    """
    table = ExactReplay(terms, episode, world, recording, asked=ask_agents)
    if not ask_agents:
        table.catch_up()
        return close_as_recorded(table)
    stop = StopFlag()
    return table.close(play(table, seat_players(table, stop), stop=stop, closed=table.close_seat))


class ExactReplay(RecordedTable):
    """Also writes every replayed line again, and compares it with the file."""

    def __init__(self, terms: Terms, episode: int, world: World, recording: Recording, *, asked: bool) -> None:
        super().__init__(terms, episode, world, recording, recorded_voice(terms, recording.turns))
        self._writer = LineWriter()
        self._reached = 0  # bytes of the record
        self._compare_bytes(self._writer.start(terms, episode))
        for seat in self.seats if asked else ():
            # An agent that is asked leaves by itself, unless its time was up: how long it took cannot be replayed.
            leave = seat.recorded_leave
            if leave and not (leave.ending == "failed" and leave.reason.startswith(OVERDUE)):
                seat.recorded_leave = None

    def handed_in(self, seat: Seat, turn: Turn) -> None:
        self._check_gate(f"{self.at(seat)}, turn {seat.turns + 1}", turn)
        super().handed_in(seat, turn)
        self._compare_bytes(self._writer.handed_in(turn, seat.turns + 1))

    def completed(self, seat: Seat, turn: Turn, *, handed: bool) -> None:
        if not handed:
            self._check_gate(f"{self.at(seat)}, turn {seat.turns}", turn)
        super().completed(seat, turn, handed=handed)
        self._compare_bytes(self._writer.completed(turn) if handed else self._writer.turn(turn))

    def leaving(self, seat: Seat, leave: Leave) -> None:
        super().leaving(seat, leave)
        self._compare_bytes(self._writer.leave(seat.number, leave))

    def record_end(self, ends: Sequence[End]) -> str:
        head = super().record_end(ends)
        if self.recording.year_end is not None:
            self._compare_bytes(self._writer.end(ends))
        return head

    def _check_gate(self, location: str, turn: Turn) -> None:
        try:
            admit(turn.calls)
        except TurnRefused as refusal:
            raise Divergence(f"{location}: {refusal}") from refusal

    def _compare_bytes(self, line: bytes) -> None:
        content, begin = self.recording.content, self._reached
        self._reached += len(line)
        if not content.startswith(line, begin):
            then = content[begin : content.find(b"\n", begin) + 1]
            number = content.count(b"\n", 0, begin) + 1
            raise Divergence(f"{self._location}, line {number}{_line_difference(then, line)}")


def _line_difference(then: bytes, now: bytes) -> str:
    """Two lines that differ: the fields, or where their texts part."""
    try:
        was, came = parse(then), parse(now)
    except ValueError:
        was = came = {}
    alike = isinstance(was, dict) and isinstance(came, dict) and was.get("event") == came.get("event")
    if alike and (fields := fields_that_differ(was, came)):
        return f" ({came['event']}): {fields}"
    return f": {difference(then.decode(errors='replace'), now.decode(errors='replace'))}"


def fields_that_differ(was: dict[str, Any], came: dict[str, Any], source: str = "the replay", parent: str = "") -> str:
    """The first field that differs, with both values; a digest follows from the others and comes last."""
    for name in sorted({**was, **came}, key=lambda name: name == "sha256"):
        path = f"{parent}{name}"
        if name not in came:
            return f"{path} is recorded as {was[name]!r:.80}, and {source} has no such field"
        if name not in was:
            return f"{path} is not recorded, and {source} has {came[name]!r:.80}"
        if was[name] != came[name]:
            then, now = _named_items(was[name]), _named_items(came[name])
            within = fields_that_differ(then, now, source, f"{path}.") if then.keys() & now.keys() else ""
            return within or f"{path} is recorded as {was[name]!r:.80}, {source} has {came[name]!r:.80}"
    return ""


def _named_items(value: object) -> dict[str, Any]:
    """The fields of an object, or the items of a list by their numbers from 1; none of any other value."""
    if isinstance(value, list):
        return {str(number): each for number, each in enumerate(value, start=1)}
    return value if isinstance(value, dict) else {}
