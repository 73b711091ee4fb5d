"""The runs of a folder: found by looking, known to a page by ids that only this process gives out."""

import csv
import io
import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from ecbench.board.arena_snapshots import Markets
from ecbench.board.price_history import SalesHistory
from ecbench.board.snapshots import Film, YearFilm
from ecbench.runs.errors import RunError
from ecbench.runs.folder import MANIFEST, Run, open_run
from ecbench.runs.play.agents import is_model, short_name
from ecbench.runs.play.gc_policy import collect_evicted, keep_out_of_collection
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.events import End
from ecbench.runs.record.indexed_record import Reel, sealed_end
from ecbench.runs.results.summary import PERSONS_BOARD

DEEPEST = 6  # folders below the shelf that are looked through
MOST_RUNS = 2_000
MOST_POINTS = 120  # of a curve on the shelf
MOST_FILMS = 6  # years in memory


@dataclass(frozen=True, slots=True)
class Spine:
    """One episode as the shelf shows it."""

    id: str
    episode: int
    episodes: int
    folder: str
    agent: str
    is_model: bool
    world: str
    days: int
    stake: float
    rules: str
    door: str
    forked: bool
    created: float  # seconds since 1970, of the folder
    turns: int
    day: int
    ending: str | None  # None: it is being played, or was killed
    live: bool
    final_assets: float | None
    curve: list[float]  # total assets, day by day, thinned out


class Outline(NamedTuple):
    """How a year ended, its turns, its last day, and its assets day by day."""

    end: End | None
    turns: int
    day: int
    curve: list[float]


class Library:
    """Looks the folder through whenever it is asked, and keeps the years that were opened last."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self._runs: dict[str, Path] = {}
        self._spines: dict[tuple[str, int], tuple[float, Spine]] = {}
        self._reels: dict[tuple[str, int], Reel] = {}  # of years on the shelf that are being played
        self._markets = Markets()
        self._films: OrderedDict[tuple[str, int], OpenedYear] = OrderedDict()
        self._lock = Lock()

    def spines(self) -> list[Spine]:
        """Newest first."""
        found = []
        for run in self.found():
            key = self.key_of(run.folder)
            found += [self._spine(key, run, episode) for episode in range(run.episodes)]
        return sorted(found, key=lambda spine: (-spine.created, spine.episode))

    def run(self, key: str) -> Run:
        """Raises KeyError for an id that was not given out."""
        if key not in self._runs:
            for folder in self._folders():
                self.key_of(folder)
        return open_run(self._runs[key])

    def run_of(self, key: str, episode: int) -> Run:
        """The run that a year is of. Raises NoSuchYear where it has no such episode."""
        run = self.run(key)
        run.require(episode)
        return run

    def as_shelved(self, told: str) -> str:
        """A message that names places as the shelf does: a page need not know where the shelf stands."""
        return told.replace(f"{self.folder}{os.sep}", "").replace(str(self.folder), self.folder.name)

    def years(self) -> list[tuple[Run, int]]:
        """Every episode of every run."""
        return [(run, episode) for run in self.found() for episode in range(run.episodes)]

    def key_of(self, folder: Path) -> str:
        place = str(folder.relative_to(self.folder)) if folder != self.folder else "."
        key = blake2b(place.encode(errors="surrogateescape"), digest_size=6).hexdigest()
        self._runs[key] = folder
        return key

    def film(self, key: str, episode: int) -> YearFilm:
        """The year as far as it is recorded by now. Raises RunError or KeyError."""
        run = self.run_of(key, episode)
        opened = self._opened(key, episode)
        with opened.lock:
            try:
                opened.bring_up_to_date(run, episode)
            except RunError:
                opened.film = None
                raise
            assert opened.film is not None
            return opened.film

    def opening(self, key: str, episode: int) -> tuple[int, int]:
        """How many bytes of how many have been played of a year that is being opened."""
        opened = self._films.get((key, episode))
        return opened.progress if opened else (0, 0)

    def _opened(self, key: str, episode: int) -> "OpenedYear":
        with self._lock:
            opened = self._films.setdefault((key, episode), OpenedYear(self._markets))
            self._films.move_to_end((key, episode))
            while len(self._films) > MOST_FILMS:
                self._films.popitem(last=False)
                collect_evicted()
            return opened

    def rivals(self, key: str) -> list[str]:
        """The ids of the other seats in the same market; none for a year alone."""
        run = self.run(key)
        place = run.terms.arena
        if place is None:
            return []
        others = [run.folder.parent / str(seat) for seat in range(place.seats) if seat != place.seat]
        return [self.key_of(folder) for folder in others if (folder / MANIFEST).is_file()]

    def found(self) -> Iterator[Run]:
        """Every run of the folder that can be opened."""
        for folder in self._folders():
            with suppress(RunError):
                yield open_run(folder)

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

    def _spine(self, key: str, run: Run, episode: int) -> Spine:
        """What has not been written to since is not read again."""
        path = run.events_path(episode)
        changed = path.stat().st_mtime if path.exists() else 0.0
        known = self._spines.get((key, episode))
        if known is None or known[0] != changed:
            known = self._spines[key, episode] = changed, self._read_spine(key, run, episode, changed)
        return known[1]

    def _read_spine(self, key: str, run: Run, episode: int, changed: float) -> Spine:
        end, turns, day, curve = self._outline(key, run, episode)
        terms = run.terms_of(episode)
        return Spine(
            id=key,
            episode=episode,
            episodes=run.episodes,
            folder=str(run.folder.relative_to(self.folder)) if run.folder != self.folder else run.folder.name,
            agent=short_name(terms.agent),
            is_model=is_model(terms.agent),
            world=terms.world,
            days=terms.days,
            stake=terms.stake,
            rules=terms.rule_set,
            door=terms.door,
            forked=terms.fork is not None,
            created=(run.folder / MANIFEST).stat().st_mtime,
            turns=turns,
            day=day,
            ending=end.ending if end else None,
            live=end is None and changed > 0,
            final_assets=end.final_assets if end else None,
            curve=thinned([terms.stake, *curve]),
        )

    def _outline(self, key: str, run: Run, episode: int) -> Outline:
        """A year that is over has its curve in its daily books; the record of any other is read, once."""
        end = sealed_end(run, episode)
        if end is not None:
            by_day = _daily_totals(run, episode)
            return Outline(end, end.turns, end.day, [by_day[day] for day in sorted(by_day)])
        try:
            reel = self._reels.get((key, episode))
            if reel is None or reel.replaced:
                reel = self._reels[key, episode] = Reel(run, episode)
            for _ in reel.wind():
                pass
        except RunError:
            return Outline(None, 0, 0, [])
        by_day = {state.day: state.total for state in reel.states}
        day = reel.states[-1].day if reel.states else 0
        return Outline(reel.end, reel.turns, day, [by_day[day] for day in sorted(by_day)])


@dataclass(slots=True)
class OpenedYear:
    """A year in memory, or on its way there. One thread at a time opens it or brings it up to date."""

    markets: Markets
    film: YearFilm | None = None
    progress: tuple[int, int] = (0, 0)  # bytes of its record that have been played, of how many
    lock: Lock = field(default_factory=Lock)

    def bring_up_to_date(self, run: Run, episode: int) -> None:
        if run.terms.arena is not None:
            self.film = self.markets.seat(run.folder, run.terms.arena.seat)
            return
        if not isinstance(self.film, Film) or self.film.outdated:
            self.film = None  # before another one takes its room
            history = SalesHistory() if run.terms.door == PERSONS_BOARD else None
            film = Film(run.terms_of(episode), run.load_world(episode), Reel(run, episode), history=history)
            film.grow(self._tell)
            self.film = film
            keep_out_of_collection()
        self.film.grow()

    def _tell(self, done: int, whole: int) -> None:
        self.progress = done, whole


def _daily_totals(run: Run, episode: int) -> dict[int, float]:
    try:
        text = read_file(run.episode_folder(episode) / "days.csv").decode()
        return {int(row["day"]): float(row["total"]) for row in csv.DictReader(io.StringIO(text))}
    except (OSError, ValueError, KeyError):
        return {}


def thinned(values: list[float], most: int = MOST_POINTS) -> list[float]:
    """So many of them, evenly spread, the first and the last among them."""
    if len(values) <= most:
        return [round(value, 2) for value in values]
    step = (len(values) - 1) / (most - 1)
    return [round(values[round(place * step)], 2) for place in range(most)]
