"""The runs of a folder: found by looking, known to a page by ids that nobody can guess."""

import os
import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from ecbench.errors import RunError
from ecbench.pages.board.snapshots import SeatSnapshots, Snapshots
from ecbench.pages.forks import forks_below
from ecbench.pages.year_days import Funds
from ecbench.runs.folder import MANIFEST, Run, open_run
from ecbench.runs.play.agents import short_name
from ecbench.runs.play.episodes import follow_episode, recorded_end
from ecbench.runs.record.append_only_log import is_being_written
from ecbench.runs.record.atomic_write import read_file, write_new_file
from ecbench.runs.record.lines import End
from ecbench.runs.record.reader import FollowedRecord, last_line_end
from ecbench.runs.results.year_view import stored_rows

DEEPEST = 6  # folders below the shelf that are looked through
MOST_RUNS = 2_000
MOST_POINTS = 120  # of a curve on the shelf
MOST_OPENED = 6  # episodes in memory
ID_KEY = ".board-key"  # a file
KEY_BYTES = 32
ID_BYTES = 12

FileStamp = tuple[int, int]
"""When a file was last written to, and its size."""
NO_FILE: FileStamp = (0, 0)


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One episode as the shelf shows it."""

    id: str
    episode: int
    episodes: int
    folder: str
    agent: str
    world: str
    days: int
    rules: str
    transport: str
    fork: str  # of which run and day; empty if it is not a fork
    parent: str  # the id and episode of the year it was forked from; empty if that is not in this folder
    created: float  # seconds since 1970, of the folder
    turns: int
    day: int
    ending: str | None  # None: it is being played, or was killed
    live: bool  # whether a process plays it now
    withheld: bool  # what came after the last day that may be shown
    final_assets: float | None
    curve: list[float]  # total assets, day by day, thinned out


class Outline(NamedTuple):
    """What is known of a year without a replay: how it ended, its turns, its last day, and its money by day."""

    end: End | None
    turns: int
    day: int
    money: dict[int, Funds]

    def cut(self, until: int | None) -> "Outline":
        """Up to the last day that may be shown; None for all of it."""
        if until is None:
            return self
        kept = {day: funds for day, funds in self.money.items() if day <= until}
        return Outline(None, self.turns, min(self.day, until), kept)


class Library:
    """Queries the folder through at each request, and caches the episodes that were opened last.

    The id of a run is that of its folder; of a run with several seats each entry has an id of its own. Ids derive from
    `id_key`, by default one that is stored in the folder.
    """

    def __init__(self, folder: Path, id_key: bytes | None = None) -> None:
        self.folder = folder.absolute()
        self._id_key = id_key or stored_key(self.folder)
        self._locations: dict[str, Path] = {}
        self._runs: dict[Path, tuple[FileStamp, Run]] = {}
        self._outlines: dict[tuple[str, int], tuple[FileStamp, Outline]] = {}
        self._records: dict[tuple[Path, int], FollowedRecord] = {}  # of episodes that are being played
        self._opened: OrderedDict[tuple[Path, int], OpenedEpisode] = OrderedDict()
        self._lock = Lock()
        self._outlining = Lock()

    def summaries(self, until: Callable[[Run, int], int | None] = lambda *_: None) -> list[RunSummary]:
        """Newest first and forks below their parents, each up to the last day that may be shown; None for all days."""
        years = self.years()
        by_name = {(run.folder.name, episode, run.seat(episode)): self.key_of(run) for run, episode in years}
        found: dict[str, RunSummary] = {}
        for run, episode in years:
            fork, summary = run.terms.fork, self._summary(run, episode, until(run, episode))
            parent = by_name.get((fork.run, fork.episode, fork.seat)) if fork else None
            live = summary.ending is None and not summary.withheld and is_being_written(run.events_path(episode))
            parent = f"{parent}/{fork.episode}" if fork and parent else ""
            found[f"{summary.id}/{episode}"] = replace(summary, live=live, parent=parent)
        newest = sorted(found, key=lambda key: (-found[key].created, found[key].episode))
        return [found[key] for key in forks_below(newest, {key: each.parent for key, each in found.items()})]

    def run(self, key: str) -> Run:
        """The run of an id, as its entry sees it. Raises KeyError for an id that was not given out."""
        location = key.partition("-")[0]
        if location not in self._locations:
            for folder in self._folders():
                self.folder_key(folder)
        entries = open_run(self._locations[location]).entries()
        return {self.key_of(entry): entry for entry in entries}[key]

    def run_of(self, key: str, episode: int) -> Run:
        """The run that a year is of. Raises NoSuchYear if it has no such episode."""
        run = self.run(key)
        run.require(episode)
        return run

    def without_paths(self, message: str) -> str:
        """A message in which files are named from this folder on: a page need not know where that lies."""
        return message.replace(f"{self.folder}{os.sep}", "").replace(str(self.folder), self.folder.name)

    def years(self, transports: Collection[str] | None = None) -> list[tuple[Run, int]]:
        """Every episode of every run, as each of its entries sees it; of some transports alone if they are given."""
        entries = [entry for run in self.found() for entry in run.entries()]
        if transports is not None:
            entries = [entry for entry in entries if entry.player.transport in transports]
        return [(entry, episode) for entry in entries for episode in range(entry.episodes)]

    def name_of(self, run: Run) -> str:
        """A run's folder, named from this one on."""
        return str(run.folder.relative_to(self.folder)) if run.folder != self.folder else run.folder.name

    def key_of(self, run: Run) -> str:
        key = self.folder_key(run.folder)
        return f"{key}-{run.entry}" if run.seats > 1 else key

    def folder_key(self, folder: Path) -> str:
        """The id of a run with one seat, which need not have begun."""
        folder = folder.absolute()
        location = str(folder.relative_to(self.folder)) if folder != self.folder else "."
        key = blake2b(location.encode(errors="surrogateescape"), digest_size=ID_BYTES, key=self._id_key).hexdigest()
        self._locations[key] = folder
        return key

    def year(self, key: str, episode: int, until: int | None = None) -> SeatSnapshots:
        """The year as far as it is recorded by now, or up to the end of a day. Raises RunError or KeyError."""
        run = self.run_of(key, episode)
        return SeatSnapshots(self._episode(run.folder, episode).refreshed(run, episode), run.seat(episode), until)

    def parent(self, run: Run) -> tuple[Run, int] | None:
        """The year that a fork was taken from, if this folder has it."""
        if (fork := run.terms.fork) is None:
            return None
        folder = next((found for found in self.found() if found.folder.name == fork.run), None)
        return (folder.at_seat(fork.episode, fork.seat), fork.episode) if folder else None

    def beside(self, run: Run, episode: int) -> list[tuple[Run, int]]:
        """The years that stand beside one: its rivals in the market, or the one that it was forked from."""
        rivals = [(other, episode) for other in run.entries() if other.entry != run.entry]
        parent = None if rivals else self.parent(run)
        return rivals or ([parent] if parent else [])

    def _episode(self, folder: Path, episode: int) -> "OpenedEpisode":
        with self._lock:
            opened = self._opened.setdefault((folder, episode), OpenedEpisode())
            self._opened.move_to_end((folder, episode))
            while len(self._opened) > MOST_OPENED:
                self._opened.popitem(last=False)
            return opened

    def found(self) -> Iterator[Run]:
        """Every run of the folder that can be opened."""
        for folder in self._folders():
            with suppress(RunError):
                yield self._opened_run(folder)

    def _opened_run(self, folder: Path) -> Run:
        """Read again only if its manifest has changed."""
        stamp = file_stamp(folder / MANIFEST)
        known = self._runs.get(folder)
        if known is None or known[0] != stamp:
            known = self._runs[folder] = stamp, open_run(folder)
        return known[1]

    def _folders(self) -> Iterator[Path]:
        found = 0
        waiting = [(self.folder, 0)]
        while waiting and found < MOST_RUNS:
            folder, depth = waiting.pop()
            if (folder / MANIFEST).is_file():
                found += 1
                yield folder
            elif depth < DEEPEST:
                try:
                    below = sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
                except OSError:
                    continue
                waiting += [(path, depth + 1) for path in below if not path.name.startswith(".")]

    def outline(self, run: Run, episode: int) -> Outline:
        """Read again only if the record has been written to since."""
        key, stamp = self.key_of(run), file_stamp(run.events_path(episode))
        with self._outlining:
            known = self._outlines.get((key, episode))
            if known is None or known[0] != stamp:
                known = self._outlines[key, episode] = stamp, self._outline(run, episode)
            return known[1]

    def _summary(self, run: Run, episode: int, until: int | None) -> RunSummary:
        terms, (end, turns, day, money) = run.terms_of(episode), self.outline(run, episode).cut(until)
        return RunSummary(
            id=self.key_of(run),
            episode=episode,
            episodes=run.episodes,
            folder=self.name_of(run),
            agent=short_name(run.player.agent),
            world=terms.world.name,
            days=terms.days,
            rules=terms.rule_set,
            transport=run.player.transport,
            fork=terms.fork.label if terms.fork else "",
            parent="",  # known where all years are, as is whether it is played now
            created=(run.folder / MANIFEST).stat().st_mtime,
            turns=turns,
            day=day,
            ending=end.ending if end else None,
            live=False,
            withheld=until is not None,
            final_assets=end.assets if end else None,
            curve=thinned([terms.stake, *(money[day].total for day in sorted(money))]),
        )

    def _outline(self, run: Run, episode: int) -> Outline:
        """A year that is over has its curve in its daily books; without those its record is read, once."""
        end, seat, location = recorded_end(run, episode), run.seat(episode), (run.folder, episode)
        if end is not None and (funds := _daily_funds(run, episode)):
            return Outline(end, end.turns, end.day, funds)
        try:
            record = self._records.get(location)
            if record is None or record.replaced:
                record = self._records[location] = follow_episode(run, episode)
            for _ in record.refresh():
                pass
        except RunError:
            return Outline(end, end.turns, end.day, {}) if end else Outline(None, 0, 0, {})
        states = record.recording.states_of(seat)
        if end is not None:
            del self._records[location]
        by_day = {state.day: Funds(state.day, state.bank, state.wallet, state.escrow) for state in states}
        day = states[-1].day if states else 0
        return Outline(end or record.recording.end(seat), len(states), day, by_day)


def stored_key(folder: Path) -> bytes:
    """The key of the ids of a folder, made at first use, so that addresses outlive a server. A run has none in it."""
    path, new = folder / ID_KEY, secrets.token_bytes(KEY_BYTES)
    if (folder / MANIFEST).exists():
        return new
    try:
        write_new_file(path, new, 0o600)
    except OSError:
        with suppress(OSError):
            stored = read_file(path, KEY_BYTES)
            return stored if len(stored) == KEY_BYTES else new
    return new


@dataclass(slots=True)
class OpenedEpisode:
    """An episode in memory, or on its way there. One thread at a time opens or refreshes it."""

    snapshots: Snapshots | None = None
    lock: Lock = field(default_factory=Lock)

    def refreshed(self, run: Run, episode: int) -> Snapshots:
        """Its snapshots as far as it is recorded by now."""
        with self.lock:
            snapshots, self.snapshots = self.snapshots, None  # which it remains where a replay fails
            if snapshots is None or snapshots.record.replaced:
                snapshots = None  # its memory is freed before the next ones take theirs
                snapshots = Snapshots(run, episode, run.load_world(episode))
            snapshots.grow()
            self.snapshots = snapshots
            return snapshots


def file_stamp(path: Path) -> FileStamp:
    """Differs where a file has been written to since."""
    try:
        stat = path.stat()
    except OSError:
        return NO_FILE
    return stat.st_mtime_ns, stat.st_size


def _daily_funds(run: Run, episode: int) -> dict[int, Funds]:
    ended = last_line_end(run.events_path(episode), run.seats)
    try:
        days = stored_rows(run, episode, ended.head, "days") if ended else None
    except RunError:  # one file that was edited must not take the list of all runs with it
        days = None
    return {row.day: Funds(row.day, row.bank, row.wallet, row.escrow) for row in days or ()}


def thinned(values: list[float], most: int = MOST_POINTS) -> list[float]:
    """So many of them, evenly spread, the first and the last among them."""
    if len(values) <= most:
        return [round(value, 2) for value in values]
    step = (len(values) - 1) / (most - 1)
    return [round(values[round(location * step)], 2) for location in range(most)]
