"""A table whose turns are on record: each line is written again and compared with the recorded one, or appended."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ecbench.errors import Divergence
from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.metrics.losses.shelves import watch_shelves
from ecbench.players.loop import Interrupted
from ecbench.players.session import Seat, TableSession
from ecbench.players.turn import Leave, Record, State, Turn, state_of
from ecbench.players.user_errors import stack_of
from ecbench.runs.record.chain import stated_head
from ecbench.runs.record.differences import compare_calls, line_difference
from ecbench.runs.record.lines import RESUMABLE, End, LineWriter, end_of
from ecbench.runs.record.reader import RecordEntry, Recording
from ecbench.runs.record.recorded_voice import QuotedVoice, recorded_voice
from ecbench.runs.results.derived_files import Counters, SeatResults, seat_results
from ecbench.runs.terms import OWN_LOOP_IN_INSPECT, Terms, rules_of
from ecbench.suppliers.voices import Voice
from ecbench.table import Table
from ecbench.tools.outcome import Outcome
from ecbench.world.model import World

Append = Callable[[bytes, State | None, int], None]
"""Records a line, with the state after it and its seat; lines that complete no turn come without a state."""

LEFT = ("idle", "turn_limit", "failed")  # a seat leaves; `failed` only if rivals continue


@dataclass(frozen=True, slots=True)
class Played:
    """How an episode ended at each seat, and the head of its record with that end."""

    seats: tuple[SeatResults, ...]
    head: str
    stack: str = ""  # of a merchant's failure, for its author; no file contains it

    @property
    def ends(self) -> tuple[End, ...]:
        return tuple(seat.end for seat in self.seats)


class RecordedTable(TableSession):
    """An episode under its terms. Without `append` it can only be replayed. Nothing is replayed as it opens."""

    def __init__(
        self,
        terms: Terms,
        episode: int,
        world: World,
        recording: Recording,
        voice: Voice,
        append: Append | None = None,
    ) -> None:
        limits = [terms.turn_limit(seat) for seat in range(len(terms.seats))]
        super().__init__(open_table(terms, world, voice), max_turns=limits)
        self.terms = terms
        self.recording = recording
        self.counters = [Counters() for _ in self.seats]
        self._location = f"episode {episode}"
        self._append = append
        self._writer = LineWriter()
        self._reached = 0  # bytes of the record that have been compared, or are written
        self._closed: dict[int, SeatResults] = {}  # by seat, those that ended before their rivals
        for seat in self.seats:
            watch_shelves(seat.year.account)
            seat.recorded = recording.turns_of(seat.number)
        for entry in recording.entries:
            if isinstance(entry.what, Leave):
                self.seats[entry.seat].recorded_leave = entry.what
        self._write(self.seats[0], self._writer.start(terms, episode))

    def catch_up(self) -> None:
        """Replay all that is recorded, for a player that continues from there knowing what has happened."""
        for entry in self.recording.entries:
            if entry.kind == "morning":
                continue
            seat = self.seats[entry.seat]
            self._check_turn(seat, entry)
            if isinstance(entry.what, Leave):
                seat.leave(entry.what)
            else:
                seat.act(entry.turn.move)
            for over in self.newly_over():
                self.close_seat(over)
        for seat in self.seats:
            seat.idle = 0

    def _check_turn(self, seat: Seat, entry: RecordEntry) -> None:
        """A record has the turns in the order in which seats act, within their limits, and none after the year."""
        number, acts = seat.number, self.table.turn
        if acts != number:
            now = "the year is over" if acts is None else f"it is the turn of seat {acts}"
            raise Divergence(f"the record goes on with seat {number} after {seat.turns:,} of its turns, where {now}")
        if entry.kind != "leave" and seat.max_turns is not None and seat.turns >= seat.max_turns:
            raise Divergence(f"seat {number} has {seat.turns + 1:,} turns, more than the limit of {seat.max_turns:,}")

    def expect(self, seat: Seat, calls: Sequence[Record]) -> None:
        if (recorded := seat.next_recorded) is not None:
            compare_calls(f"{self.at(seat)}, turn {seat.turns + 1}", recorded.calls, calls)

    def handed_in(self, seat: Seat, turn: Turn) -> None:
        if seat.turns < len(seat.recorded):  # calls are asked for again, not what was said with them
            turn.message = seat.recorded[seat.turns].message
        self._write(seat, self._writer.handed_in(turn, seat.turns + 1))

    def completed(self, seat: Seat, turn: Turn, *, handed: bool) -> None:
        voice = seat.year.voice
        recorded = seat.recorded[seat.turns - 1] if seat.turns <= len(seat.recorded) else None
        if isinstance(voice, QuotedVoice):
            turn.voices = voice.collect()
        turn.state = state_of(seat.year, seat.turns, seat.calls)
        if recorded is not None:
            turn.message = recorded.message
        self._write(seat, self._writer.completed(turn) if handed else self._writer.turn(turn), turn.state)
        if recorded is not None and recorded.state is None:  # it was recorded as handed in, and is whole from now on
            recorded.outcomes, recorded.voices, recorded.state = turn.outcomes, turn.voices, turn.state
        self.counters[seat.number].add(turn, seat.year)

    def leaving(self, seat: Seat, leave: Leave) -> None:
        self._write(seat, self._writer.leave(seat.number, leave))

    def _write(self, seat: Seat, line: bytes, state: State | None = None) -> None:
        """Compare a line with the record, or append it where the record ends."""
        record = self.recording
        number = seat.turns + (state is None)
        if self._reached < record.kept:
            if not record.content.startswith(line, self._reached):
                then = record.content[self._reached : record.content.find(b"\n", self._reached) + 1]
                raise Divergence(f"{self.at(seat)}, turn {number}: {line_difference(then, line)}")
        elif self._append is None:
            recorded = record.end(seat.number)
            end = f", and ends with {recorded.ending}" if recorded else ""
            raise Divergence(f"{self.at(seat)}, turn {number}: the record has no such turn{end}")
        else:
            self._append(line, state, seat.number)
        self._reached += len(line)

    def at(self, seat: Seat) -> str:
        """Where a divergence is, for its message."""
        return self._location if len(self.seats) == 1 else f"{self._location}, seat {seat.number}"

    def close_seat(self, seat: Seat) -> End:
        """The year is over at a seat while its rivals continue: its result is computed now."""
        self._closed[seat.number] = self._results(seat, _end(seat, *self._ending(seat)))
        return self._closed[seat.number].end

    def close(
        self,
        interrupted: Mapping[int, Interrupted] | None = None,
        ending: str = "",
        reason: str = "",
        *,
        release: bool = True,
    ) -> Played:
        """The year is over, or stops here; raises Divergence when the record has another end.

        `ending` and `reason` hold for seats that are neither over nor interrupted. How it ended is recorded before the
        results are derived, which takes about a third as long as the simulation took. Then the table is released.
        """
        why = interrupted or {}
        endings = [self._ending(seat, why.get(seat.number), ending, reason) for seat in self.seats]
        opened = [seat.number for seat in self.seats if seat.number not in self._closed]
        self.table.finish_seats({number: endings[number][0] for number in opened})
        ends = [
            self._closed[seat.number].end if seat.number in self._closed else _end(seat, *endings[seat.number])
            for seat in self.seats
        ]
        head = self.record_end(ends)
        results = [
            self._closed.get(seat.number) or self._results(seat, end)
            for seat, end in zip(self.seats, ends, strict=True)
        ]
        if release:
            self.release()
        failures = [each.failure for each in why.values() if each.failure is not None]
        return Played(tuple(results), head, stack_of(failures[0]) if failures else "")

    def record_end(self, ends: Sequence[End]) -> str:
        """Write how the year ended at each seat, or compare it; returns the head of the record with that line."""
        record, line = self.recording, self._writer.end(ends)
        if self._reached < record.kept:
            ending = ", ".join(dict.fromkeys(end.ending for end in ends))
            raise Divergence(
                f"{self._location}: it now ends after turn {self.seats[0].turns} ({ending}); the record continues"
            )
        stated = record.content[record.kept : record.end_size]
        if self._append is not None and not record.finished:
            self._append(line, None, 0)
        elif stated not in (b"", line):
            raise Divergence(f"{self._location}, end: {line_difference(stated, line)}")
        return stated_head(line)

    def release(self) -> None:
        """Free the memory of the table; it cannot be played or read any more."""
        self.table.release()
        self.seats.clear()  # they refer to the table, too

    def _ending(
        self, seat: Seat, interrupted: Interrupted | None = None, ending: str = "", reason: str = ""
    ) -> tuple[str, str]:
        if seat.left is not None:
            return seat.left.ending, seat.left.reason
        if seat.year.ending is not None:
            return seat.year.ending, ""
        if interrupted is not None:
            return interrupted.ending, interrupted.reason
        return (seat.ending, "") if seat.ending else (ending or "stopped", reason)

    def _results(self, seat: Seat, end: End) -> SeatResults:
        return seat_results(seat.year, end, self.counters[seat.number], self.terms.voice)


def _end(seat: Seat, ending: str, reason: str) -> End:
    return end_of(seat.year, ending, seat.turns, seat.calls, reason)


def open_table(terms: Terms, world: World, voice: Voice) -> Table:
    """The table on its first morning, without journals or a record."""
    return Table(
        world,
        seats=len(terms.seats),
        days=terms.days,
        stake=terms.stake,
        voice=voice,
        rules=rules_of(terms),
        policy=terms.policy,
    )


def replay_episode(terms: Terms, episode: int, world: World, recording: Recording) -> Played:
    """Recompute a recorded episode; raises Divergence at the first byte that does not follow from its calls."""
    table = RecordedTable(terms, episode, world, recording, recorded_voice(terms, recording.turns))
    table.catch_up()
    return close_as_recorded(table)


def close_as_recorded(table: RecordedTable, *, release: bool = True) -> Played:
    """Close a replayed table with the end that its record has; raises Divergence if its calls do not lead there."""
    ends = table.recording.year_end.ends if table.recording.year_end else ()
    for seat, end in zip(table.seats, ends, strict=False):
        _check_ending(table, seat, end)
    interrupted = {seat: Interrupted(end.ending, end.reason) for seat, end in enumerate(ends)}
    return table.close(interrupted, release=release)


def _check_ending(table: RecordedTable, seat: Seat, end: End) -> None:
    """The calendar, a bankruptcy and the turn limit end a year by themselves: the calls prove or refute them."""
    ended, at = None if seat.left else seat.year.ending, f"seat {seat.number}: the record ends with"
    own_limit = end.ending == "turn_limit" and seat.turns != seat.max_turns
    if (end.ending in ENDED_BY_MARKET and ended != end.ending) or (
        own_limit and not table.terms.seats[seat.number].transport.startswith(OWN_LOOP_IN_INSPECT)  # it has own limits
    ):
        raise Divergence(f"{at} {end.ending}, but its calls stop on day {table.table.day} before that")
    if seat.turns == seat.max_turns and not ended and end.ending in LEFT and end.ending != "turn_limit":
        raise Divergence(f"{at} {end.ending}, but its calls reach the limit of {seat.max_turns:,}")
    known = (*ENDED_BY_MARKET, *LEFT, *RESUMABLE) if table.terms.shared else (*ENDED_BY_MARKET, *LEFT[:2], *RESUMABLE)
    if end.ending not in known:
        raise Divergence(f"{at} {end.ending!r:.40}, which is not one of {', '.join(known)}")
    if end.reason and end.ending == "turn_limit":
        raise Divergence(f"{at} {end.ending} and a reason, which that has not")


def replay_entry(table: Table, entry: RecordEntry, *, compare: bool = True) -> None:
    """Run one recorded entry on a table that stands before it. Raises Divergence if its outcomes differ."""
    if isinstance(entry.what, Leave):
        table.finish(entry.seat, entry.what.ending)
        return
    outcomes = table.outcomes(entry.seat) if entry.kind == "morning" else _replay_turn(table, entry.turn)
    if entry.kind == "handed":
        return  # it is compared when it completes
    if compare and outcomes is not None and [each.text for each in outcomes] != entry.turn.replies:
        raise Divergence(
            f"the replay of a turn of seat {entry.seat} on day {entry.day} differs from the record; see ecbench verify"
        )


def _replay_turn(table: Table, turn: Turn) -> Sequence[Outcome] | None:
    """Suppliers who are quoted say what they said in that turn."""
    voice = table.offices[turn.seat].voice
    if not isinstance(voice, QuotedVoice):
        return table.act(turn.seat, turn.calls)
    voice.expect(turn.voices)
    outcomes = table.act(turn.seat, turn.calls)
    voice.collect()  # what was said is on record
    return outcomes
