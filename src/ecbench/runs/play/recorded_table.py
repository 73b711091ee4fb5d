"""A table whose turns are on record: recorded turns are replayed and compared, later ones are written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ecbench.errors import Divergence
from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.metrics.losses.shelves import watch_shelves
from ecbench.players.loop import Interrupted
from ecbench.players.session import TableSession
from ecbench.players.turn import Leave, State, Turn
from ecbench.players.user_errors import stack_of
from ecbench.runs.record.lines import RESUMABLE, End, end_of
from ecbench.runs.record.reader import RecordEntry, Recording
from ecbench.runs.record.recorded_voice import QuotedVoice, recorded_voice
from ecbench.runs.record.recorder import Recorder
from ecbench.runs.results.derived_files import SeatResults, seat_results
from ecbench.runs.terms import OWN_LOOP_IN_INSPECT, Terms, rules_of
from ecbench.suppliers.voices import Voice
from ecbench.table import Table
from ecbench.tools.outcome import Outcome
from ecbench.world.model import World

Append = Callable[[bytes, State | None, int], None]
MakeRecorder = Callable[[Recording, Terms, int, Append | None], Recorder]

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


@dataclass(slots=True)
class RecordedTable:
    """An episode under its terms. Without `append` it can only be replayed."""

    terms: Terms
    recording: Recording
    session: TableSession
    recorder: Recorder
    table: Table = field(init=False)
    _closed: dict[int, SeatResults] = field(default_factory=dict)  # by seat, those that ended before their rivals
    _seats: range = field(init=False)

    def __post_init__(self) -> None:
        self.table, self._seats = self.session.table, range(self.session.table.seats)

    @classmethod
    def open(
        cls,
        terms: Terms,
        episode: int,
        world: World,
        recording: Recording,
        voice: Voice,
        append: Append | None = None,
        make_recorder: MakeRecorder = Recorder,
    ) -> "RecordedTable":
        """The table on its first morning; nothing is replayed yet."""
        table = open_table(terms, world, voice)
        for account in table.accounts:
            watch_shelves(account)
        recorder = make_recorder(recording, terms, episode, append)
        limits = [terms.turn_limit(seat) for seat in range(len(terms.seats))]
        return cls(terms, recording, TableSession(table, recorder, max_turns=limits), recorder)

    def catch_up(self) -> None:
        """Replay all that is recorded, for a player that continues from there knowing what has happened."""
        for entry in self.recording.entries:
            if entry.kind != "morning":
                self._check_turn(entry)
            if isinstance(entry.what, Leave):
                self.session.leave(entry.seat, entry.what)
            elif entry.kind != "morning":
                self.session.act(entry.seat, entry.turn.move)
            for seat in self.session.newly_over():
                self.close_seat(seat)
        for count in self.session.counts:
            count.idle = 0

    def _check_turn(self, entry: RecordEntry) -> None:
        """A record has the turns in the order in which seats act, within their limits, and none after the year."""
        seat, acts = entry.seat, self.table.turn
        count = self.session.counts[seat]
        if acts != seat:
            now = "the year is over" if acts is None else f"it is the turn of seat {acts}"
            raise Divergence(f"the record goes on with seat {seat} after {count.turns:,} of its turns, where {now}")
        if entry.kind != "leave" and count.max_turns is not None and count.turns >= count.max_turns:
            raise Divergence(f"seat {seat} has {count.turns + 1:,} turns, more than the limit of {count.max_turns:,}")

    def close_seat(self, seat: int) -> End:
        """The year is over at a seat while its rivals continue: its result is computed now."""
        self._closed[seat] = self._derive(seat, *self._ending(seat, None, "", ""))
        return self._closed[seat].end

    def close(self, interrupted: Mapping[int, Interrupted] | None = None, ending: str = "", reason: str = "") -> Played:
        """The year is over, or stops here; raises Divergence when the record has another end.

        `ending` and `reason` hold for seats that are neither over nor interrupted.
        """
        ends, head = self.end(interrupted, ending, reason)
        return self.derive(ends, head, interrupted)

    def end(
        self, interrupted: Mapping[int, Interrupted] | None = None, ending: str = "", reason: str = ""
    ) -> tuple[Sequence[End], str]:
        """The first half of closing: how the year ended is recorded. Returns the head of the record with it."""
        endings = [self._ending(seat, (interrupted or {}).get(seat), ending, reason) for seat in self._seats]
        self.table.finish_seats({seat: endings[seat][0] for seat in self._seats if seat not in self._closed})
        ends = [
            self._closed[seat].end if seat in self._closed else self._end(seat, *endings[seat]) for seat in self._seats
        ]
        return ends, self.recorder.end(ends)

    def derive(self, ends: Sequence[End], head: str, interrupted: Mapping[int, Interrupted] | None = None) -> Played:
        """The second half, which takes about a third as long as the simulation took, and can be done later."""
        seats = [
            self._closed.get(seat) or self._derive(seat, end.ending, end.reason)
            for seat, end in zip(self._seats, ends, strict=True)
        ]
        failures = [each.failure for each in (interrupted or {}).values() if each.failure is not None]
        return Played(tuple(seats), head, stack_of(failures[0]) if failures else "")

    def settle(self, seat: int) -> End:
        """The end of the year at a seat as the record has it, or as it would be if it stopped now."""
        recorded = self.recording.end(seat)
        interrupted = Interrupted(recorded.ending, recorded.reason) if recorded else None
        ending, reason = self._ending(seat, interrupted, "", "")
        if seat not in self._closed:
            self.table.finish_seats(dict.fromkeys(self._seats, ending))
        return self._closed[seat].end if seat in self._closed else self._end(seat, ending, reason)

    def release(self) -> None:
        """Free the memory of the table; it cannot be played or read any more."""
        self.table.release()

    def _ending(self, seat: int, interrupted: Interrupted | None, ending: str, reason: str) -> tuple[str, str]:
        left = self.session.departures.get(seat)
        if left is not None:
            return left.ending, left.reason
        ended = self.session.years[seat].ending
        if ended is not None:
            return ended, ""
        if interrupted is not None:
            return interrupted.ending, interrupted.reason
        limit = self.session.ending(seat)
        return (limit, "") if limit else (ending or "stopped", reason)

    def _end(self, seat: int, ending: str, reason: str) -> End:
        count = self.recorder.counters[seat]
        return end_of(self.session.years[seat], ending, count.turns, count.calls, reason)

    def _derive(self, seat: int, ending: str, reason: str) -> SeatResults:
        end = self._end(seat, ending, reason)
        return seat_results(self.session.years[seat], end, self.recorder.counters[seat], self.terms.voice)


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
    """Recompute a recorded episode and compare every outcome and state; raises Divergence at the first difference.

    An episode without an end, whose process was killed, is closed as one that was stopped.
    """
    table = RecordedTable.open(terms, episode, world, recording, recorded_voice(terms, recording.turns))
    table.catch_up()
    played = close_as_recorded(table)
    table.release()
    return played


def close_as_recorded(table: RecordedTable) -> Played:
    """Close a replayed table with the end that its record has; raises Divergence if its calls do not lead there."""
    ends = table.recording.year_end.ends if table.recording.year_end else ()
    for seat, end in enumerate(ends):
        _check_ending(table, seat, end)
    return table.close({seat: Interrupted(end.ending, end.reason) for seat, end in enumerate(ends)})


def _check_ending(table: RecordedTable, seat: int, end: End) -> None:
    """The calendar, a bankruptcy and the turn limit end a year by themselves: the calls prove or refute them."""
    left, count = table.session.departures.get(seat), table.session.counts[seat]
    ended = None if left else table.session.years[seat].ending
    limit, turns = count.max_turns, count.turns
    own_limit = end.ending == "turn_limit" and turns != limit
    if (end.ending in ENDED_BY_MARKET and ended != end.ending) or (
        own_limit and not table.terms.seats[seat].transport.startswith(OWN_LOOP_IN_INSPECT)  # it has limits of its own
    ):
        day = table.table.day
        raise Divergence(f"seat {seat}: the record ends with {end.ending}, but its calls stop on day {day} before that")
    if turns == limit and not ended and end.ending in LEFT and end.ending != "turn_limit":
        raise Divergence(f"seat {seat}: the record ends with {end.ending}, but its calls reach the limit of {limit:,}")
    known = (*ENDED_BY_MARKET, *LEFT, *RESUMABLE) if table.terms.shared else (*ENDED_BY_MARKET, *LEFT[:2], *RESUMABLE)
    if end.ending not in known:
        raise Divergence(
            f"seat {seat}: the record ends with {end.ending!r:.40}, which is not one of {', '.join(known)}"
        )
    if end.reason and end.ending == "turn_limit":
        raise Divergence(f"seat {seat}: the record ends with {end.ending} and a reason, which that has not")


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
