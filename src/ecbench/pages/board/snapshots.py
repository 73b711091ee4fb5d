"""A recorded episode as it was after any turn of any of its seats: it is replayed from the nearest snapshot."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ecbench.episode import Episode
from ecbench.pages.board.views.knowledge import Knowledge
from ecbench.pages.board.views.price_history import SalesHistory
from ecbench.players.turn import Record, State, Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import follow_episode
from ecbench.runs.play.recorded_table import open_table, replay_entry
from ecbench.runs.record.lines import End, end_of
from ecbench.runs.record.reader import RecordEntry
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.terms import Terms
from ecbench.table import Table
from ecbench.world.model import World

# A jump replays at most so much of the record: that takes some 25 milliseconds for a megabyte. A snapshot takes a
# megabyte of memory at most, for each seat.
BYTES_APART = 1_400_000
ENTRIES_AT_ONCE = 50  # that are read together when two years are compared

Progress = Callable[[int, int], None]
"""Receives how many bytes of how many have been replayed."""


class Snapshot(NamedTuple):
    """The table after a given number of entries of its record. It is never changed: a replay continues with a copy."""

    entries: int
    table: Table


class Snapshots:
    """The entries of a record where they lie on the disk, and copies of its table so many bytes of it apart."""

    def __init__(self, run: Run, episode: int, world: World, bytes_apart: int = BYTES_APART) -> None:
        """On the first morning; `grow` replays what is recorded."""
        self.terms = run.terms_of(episode)
        self.world = world
        self._bytes_apart = bytes_apart
        self._record = follow_episode(run, episode)
        self._snapshots = [Snapshot(0, open_table(self.terms, world, recorded_voice(self.terms, ())))]
        self._latest = self._snapshots[0]
        self._last_shown = self._latest  # the next turn is one step from it
        self._turn_ends: list[list[int]] = [[] for _ in self.terms.seats]  # entries until each turn was over, by seat
        self.states: list[list[State]] = [[] for _ in self.terms.seats]  # after each turn, by seat
        self.knowledge = [Knowledge() for _ in self.terms.seats]  # that the calls of each seat have brought
        self._over_early: set[int] = set()  # seats whose year ended while their rivals continued
        self.histories = [SalesHistory() for _ in self.terms.seats]

    @property
    def outdated(self) -> bool:
        """Whether a different record lies there now."""
        return self._record.replaced

    @property
    def copies(self) -> int:
        return len(self._snapshots)

    def grow(self, progress: Progress | None = None) -> None:
        """Replay what the record contains by now; raises Divergence if the replay differs from it."""
        table, done = None, self._latest.entries
        for entry in self._record.refresh():
            if table is None:
                table = self._continued(self._latest)
                for seat, history in enumerate(self.histories):
                    history.attend(Episode.at(table, seat))
            day = table.day
            replay_entry(table, entry)
            done += 1
            self._note(table, entry, done, day)
            if progress is not None:
                progress(self._record.recording.kept, self._record.size)
        if table is not None:
            self._latest = Snapshot(done, table)

    def length(self, seat: int) -> int:
        """Turns of a seat that are over."""
        return len(self._turn_ends[seat])

    def latest(self, seat: int) -> Episode:
        """The year at a seat as far as it is recorded."""
        return Episode.at(self._latest.table, seat)

    def end(self, seat: int) -> End | None:
        """How the year ended at a seat; None while it continues, and if it was killed."""
        recorded, year, states = self._record.recording.end(seat), self.latest(seat), self.states[seat]
        if recorded is None and seat in self._over_early and year.ending is not None:
            return end_of(year, year.ending, len(states), states[-1].calls if states else 0)
        return recorded

    def at(self, seat: int, turns: int) -> Episode:
        """The year at a seat after a given number of turns, for reading only."""
        entries = self._turn_ends[seat][turns - 1] if turns else 0
        snapshot = self._nearest(entries)
        if snapshot.entries < entries:
            table = self._continued(snapshot)
            for entry in self._record.between(snapshot.entries, entries):
                replay_entry(table, entry, compare=False)
            snapshot = Snapshot(entries, table)
        self._last_shown = snapshot
        return Episode.at(snapshot.table, seat)

    def turn(self, seat: int, number: int) -> Turn:
        """One turn of a seat with its outcomes, counted from 1."""
        return self._record.turn(self._turn_ends[seat][number - 1] - 1)

    def calls(self, seat: int) -> Iterator[Sequence[Record]]:
        """The calls of each turn of a seat."""
        last = self._latest.entries
        for first in range(0, last, ENTRIES_AT_ONCE):
            for entry in self._record.between(first, min(last, first + ENTRIES_AT_ONCE)):
                if entry.seat == seat and entry.kind in ("turn", "handed"):
                    yield entry.turn.calls

    def _note(self, table: Table, entry: RecordEntry, done: int, day: int) -> None:
        """After an entry that began on `day`."""
        if entry.state is not None:
            self._turn_ends[entry.seat].append(done)
            self.states[entry.seat].append(entry.state)
            self.knowledge[entry.seat].learn(entry.state.turn, entry.turn.outcomes)
        if table.seats > 1 and not table.done:
            self._over_early.update(account.seat for account in table.accounts if account.done)
        for seat, history in enumerate(self.histories):
            history.note(Episode.at(table, seat), day)
        since = self._record.entries[self._snapshots[-1].entries].start
        if self._record.entries[done - 1].end - since >= self._bytes_apart:
            self._snapshots.append(Snapshot(done, _shared_copy(table, self._snapshots[-1].table)))

    def _nearest(self, entries: int) -> Snapshot:
        stored = self._snapshots[bisect_right(self._snapshots, entries, key=_entries) - 1]
        recent = [snapshot for snapshot in (self._last_shown, self._latest) if snapshot.entries <= entries]
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
        self.length = snapshots.length(seat)
        self.states: Sequence[State] = snapshots.states[seat]
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
        return self.snapshots.latest(self.seat) if self.until is None else self.at(self.length)

    @property
    def end(self) -> End | None:
        """How it ended; None while it continues, if it was killed, and if it is cut at a day."""
        return self.snapshots.end(self.seat) if self.until is None else None

    def at(self, turns: int) -> Episode:
        """The year after a given number of turns, for reading only."""
        if not 0 <= turns <= self.length:
            raise IndexError(f"turn {turns} of a year with {self.length} turns")
        return self.snapshots.at(self.seat, turns)

    def turn(self, number: int) -> Turn:
        """One turn with its outcomes, counted from 1."""
        return self.snapshots.turn(self.seat, number)

    def calls(self) -> Iterator[Sequence[Record]]:
        """The calls of each turn."""
        return islice(self.snapshots.calls(self.seat), self.length)

    def last_turn_of(self, day: int) -> int:
        """How many turns were over when a day ended; a turn may run on into later days."""
        return bisect_right(self.states, day, hi=self.length, key=lambda state: state.day)


def _shared_copy(table: Table, earlier: Table) -> Table:
    """A copy that shares what has not changed with an earlier one: most goods and bargains. Neither is changed."""
    made = table.copy()
    for office, before in zip(made.offices, earlier.offices, strict=True):
        books, stock = office.account.books, before.account.books.stock
        books.stock = {sku: stock[sku] if stock.get(sku) == held else held for sku, held in books.stock.items()}
        for store in books.stores.values():
            for sku, listing in store.shelf.items():
                listing.stock = books.stock[sku]
        book, pairs = office.desk.book, before.desk.book.pairs
        book.pairs = {key: pairs[key] if pairs.get(key) == pair else pair for key, pair in book.pairs.items()}
    return made


def _entries(snapshot: Snapshot) -> int:
    return snapshot.entries
