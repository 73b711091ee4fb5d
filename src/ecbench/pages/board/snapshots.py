"""A recorded episode as it was after any turn of any of its seats: it is replayed from the nearest snapshot."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ecbench.episode import Episode
from ecbench.market.marketplace import Account
from ecbench.pages.board.views.knowledge import Knowledge, SalesHistory
from ecbench.players.turn import State, Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import follow_episode
from ecbench.runs.play.recorded_table import open_table, replay_entry
from ecbench.runs.record.lines import End, end_of
from ecbench.runs.record.reader import RecordEntry
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.terms import PERSONS_BOARD, Terms
from ecbench.table import Table
from ecbench.world.model import World

# A jump replays at most this much of the record: that takes some 25 milliseconds for a megabyte. A snapshot takes a
# megabyte of memory at most, for each seat.
BYTES_APART = 1_400_000


class Snapshot(NamedTuple):
    """The table after a given number of entries of its record. It is never changed: a replay continues with a copy."""

    entries: int
    table: Table


class Snapshots:
    """The entries of a record where they lie on the disk, and copies of its table at distances of this many bytes."""

    def __init__(self, run: Run, episode: int, world: World, bytes_apart: int = BYTES_APART) -> None:
        """On the first morning; `grow` replays what is recorded."""
        self.terms = run.terms_of(episode)
        self.world = world
        self._bytes_apart = bytes_apart
        self.record = follow_episode(run, episode)
        self._snapshots = [Snapshot(0, open_table(self.terms, world, recorded_voice(self.terms, ())))]
        self.latest = self._snapshots[0]
        self._last_shown = self.latest  # the next turn is one step from it
        self.turn_ends: list[list[int]] = [[] for _ in self.terms.seats]  # entries until each turn was over, by seat
        self.states: list[list[State]] = [[] for _ in self.terms.seats]  # after each turn, by seat
        self.knowledge = [Knowledge() for _ in self.terms.seats]  # that the calls of each seat have brought
        self._over_early: set[int] = set()  # seats whose year ended while their rivals continued
        self.histories = [SalesHistory() for _ in self.terms.seats]

    def grow(self) -> None:
        """Replay what the record contains by now; raises Divergence if the replay differs from it."""
        table, done = None, self.latest.entries
        for entry in self.record.refresh():
            if table is None:
                table = self._continued(self.latest)
                for seat, history in enumerate(self.histories):
                    history.attend(Episode.at(table, seat))
            day = table.day
            replay_entry(table, entry)
            done += 1
            self._note(table, entry, done, day)
        if table is not None:
            self.latest = Snapshot(done, table)

    def ended_early(self, seat: int) -> End | None:
        """How the year of a seat ended while its rivals continued; None otherwise."""
        year, states = Episode.at(self.latest.table, seat), self.states[seat]
        if seat not in self._over_early or year.ending is None:
            return None
        return end_of(year, year.ending, len(states), states[-1].calls if states else 0)

    def table_at(self, entries: int) -> Table:
        """The table after this number of entries, for reading only."""
        snapshot = self._nearest(entries)
        if snapshot.entries < entries:
            table = self._continued(snapshot)
            for entry in self.record.between(snapshot.entries, entries):
                replay_entry(table, entry, compare=False)
            snapshot = Snapshot(entries, table)
        self._last_shown = snapshot
        return snapshot.table

    def _note(self, table: Table, entry: RecordEntry, done: int, day: int) -> None:
        """After an entry that began on `day`."""
        if entry.state is not None:
            self.turn_ends[entry.seat].append(done)
            self.states[entry.seat].append(entry.state)
            self.knowledge[entry.seat].learn(entry.state.turn, entry.turn.outcomes)
        if table.seats > 1 and not table.done:
            self._over_early.update(account.seat for account in table.accounts if account.done)
        for seat, history in enumerate(self.histories):
            history.note(Episode.at(table, seat), day)
        since = self.record.entries[self._snapshots[-1].entries].start
        if self.record.entries[done - 1].end - since >= self._bytes_apart:
            self._snapshots.append(Snapshot(done, table.copy()))

    def _nearest(self, entries: int) -> Snapshot:
        stored = self._snapshots[bisect_right(self._snapshots, entries, key=_entries) - 1]
        recent = [snapshot for snapshot in (self._last_shown, self.latest) if snapshot.entries <= entries]
        return max((stored, *recent), key=_entries)

    def _continued(self, snapshot: Snapshot) -> Table:
        """A copy to replay on, whose suppliers say what is recorded."""
        table = snapshot.table.copy()
        for office in table.offices:
            office.voice = recorded_voice(self.terms, ())
        return table


class SeatSnapshots:
    """A recorded year at one seat, as far as it has come by now, or up to the end of a day."""

    def __init__(self, snapshots: Snapshots, seat: int, until: int | None = None) -> None:
        self.snapshots = snapshots
        self.seat = seat
        self.until = until
        self.states: Sequence[State] = snapshots.states[seat]
        self.length = len(snapshots.turn_ends[seat])
        """Turns that are over."""
        if until is not None:
            self.length = self.last_turn_of(until)

    @property
    def terms(self) -> Terms:
        return self.snapshots.terms

    @property
    def world(self) -> World:
        return self.snapshots.world

    @property
    def latest(self) -> Episode:
        """The year as far as it is recorded, or up to the end of its last day."""
        return Episode.at(self.snapshots.latest.table, self.seat) if self.until is None else self.at(self.length)

    @property
    def end(self) -> End | None:
        """How it ended; None while it continues, if it was killed, and if it is cut at a day."""
        recorded = self.snapshots.record.recording.end(self.seat) or self.snapshots.ended_early(self.seat)
        return recorded if self.until is None else None

    def at(self, turns: int) -> Episode:
        """The year after a given number of turns, for reading only."""
        if not 0 <= turns <= self.length:
            raise IndexError(f"turn {turns} of a year with {self.length} turns")
        entries = self.snapshots.turn_ends[self.seat][turns - 1] if turns else 0
        return Episode.at(self.snapshots.table_at(entries), self.seat)

    def turn(self, number: int) -> Turn:
        """One turn with its outcomes, counted from 1."""
        return self.snapshots.record.turn(self.snapshots.turn_ends[self.seat][number - 1] - 1)

    def last_turn_of(self, day: int) -> int:
        """How many turns were over when a day ended; a turn may run on into later days."""
        return bisect_right(self.states, day, hi=self.length, key=lambda state: state.day)

    def moment(self, turn: int | None = None, *, by_news: bool = False) -> "Moment":
        """After a number of turns; by default after all."""
        return Moment(self, self.length if turn is None else turn, by_news)


@dataclass(frozen=True)
class Moment:
    """A year at a seat after some of its turns: what the views of the shop are made of.

    `by_news`: of the calendar it has only what was in the news.
    """

    years: SeatSnapshots
    turn: int
    by_news: bool = False

    @cached_property
    def year(self) -> Episode:
        """For reading only."""
        return self.years.at(self.turn)

    @property
    def who(self) -> str:
        """Whom the page speaks of as the player."""
        return "you" if self.years.terms.seats[self.years.seat].transport == PERSONS_BOARD else "the agent"

    @property
    def account(self) -> Account:
        return self.year.account

    @property
    def knowledge(self) -> Knowledge:
        return self.years.snapshots.knowledge[self.years.seat]

    @property
    def history(self) -> SalesHistory:
        return self.years.snapshots.histories[self.years.seat]


def _entries(snapshot: Snapshot) -> int:
    return snapshot.entries
