"""The folder of a run: `run.json`, and for each episode its events and the files that derive from them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from shlex import quote
from typing import Any

from msgspec.structs import replace as restated

from ecbench.errors import NoSuchYear, RunError
from ecbench.runs.manifest import (
    Manifest,
    refuse_hidden_names,
    refuse_other_behaviour,
    refuse_secrets,
)
from ecbench.runs.record.atomic_write import (
    MANIFEST_LIMIT,
    atomic_write,
    read_file,
    sync_folder,
    write_folder,
)
from ecbench.runs.record.atomic_write import refuse_used as refuse_used_folder
from ecbench.runs.record.json_values import parse, typed
from ecbench.runs.record.lines import SCHEMA
from ecbench.runs.record.reader import other_schema
from ecbench.runs.signatures.keys import SignedBy, SigningKey
from ecbench.runs.terms import SeatTerms, Terms, WorldRef, rotated, rules_of
from ecbench.world.files import WorldError
from ecbench.world.load import CACHED, is_named, load_world, world_in_year
from ecbench.world.model import World

MANIFEST = "run.json"
MOST_NAMED = 10  # runs of a folder of runs, in a message
EPISODES = "episodes"
EVENTS = "events.jsonl"


@dataclass(frozen=True)
class Run:
    """A run folder and what its manifest says.

    A run with several seats is an arena. Its entries keep their number while their seats move on by one in each
    episode; `entry` selects the one that is looked at.
    """

    folder: Path
    manifest: Manifest
    entry: int = 0
    turn_seconds: float | None = None  # in place of what the terms say, from here on
    signing_key: SigningKey | None = None  # of this process; no file of a run contains it
    terms: Terms = field(init=False, repr=False, compare=False)  # of the first episode, seats in the order of entries
    episodes: int = field(init=False, repr=False, compare=False)
    seats: int = field(init=False, repr=False, compare=False)
    signed: SignedBy | None = field(init=False, repr=False, compare=False)
    worlds: tuple[WorldRef, ...] = field(init=False, repr=False, compare=False)
    """The episodes take turns on them, so that all are played alike wherever a run stops."""

    def __post_init__(self) -> None:
        stated = self.manifest
        vars(self).update(terms=stated.terms, episodes=stated.episodes, seats=len(stated.seats))
        vars(self).update(signed=stated.signed, worlds=stated.worlds)

    def __repr__(self) -> str:
        agents, worlds = ", ".join(self.manifest.labels), ", ".join(repr(world.name) for world in self.worlds)
        return f"<Run {self.folder}: {agents}; {self.episodes:,} episodes of {self.terms.days} days on {worlds}>"

    @property
    def player(self) -> SeatTerms:
        """Who plays as the selected entry."""
        return self.manifest.seats[self.entry]

    @property
    def label(self) -> str:
        """The name of the selected entry, which no other entry has."""
        return self.manifest.labels[self.entry]

    def seat(self, episode: int) -> int:
        """Where the selected entry sits in an episode."""
        return (self.entry + episode) % self.seats

    def entries(self) -> list["Run"]:
        """The run as each of its entries sees it."""
        return [self.of_entry(entry) for entry in range(self.seats)]

    def of_entry(self, entry: int) -> "Run":
        return replace(self, entry=entry)

    def at_seat(self, episode: int, seat: int) -> "Run":
        """The run as the entry sees it that sits there in an episode. Raises NoSuchYear if there is no such seat."""
        if not 0 <= seat < self.seats:
            raise NoSuchYear(f"{self.folder} has no seat {seat}; {_numbers('seat', self.seats)}")
        return self.of_entry((seat - episode) % self.seats)

    def world_of(self, episode: int) -> WorldRef:
        """Under secret draws each year on a world has a salt of its own: who played one cannot repeat it."""
        ref, later = self.worlds[episode % len(self.worlds)], episode // len(self.worlds)
        return restated(ref, year=ref.year + later) if later and rules_of(self.terms).secret_draws else ref

    def terms_of(self, episode: int) -> Terms:
        """Seats in the order of the table."""
        world = restated(self.world_of(episode), source="")
        return restated(self.terms, world=world, seats=rotated(self.terms.seats, episode))

    def seat_labels(self, episode: int) -> tuple[str, ...]:
        """The names of the entries in the order of the table."""
        return rotated(self.manifest.labels, episode)

    def episode_folder(self, episode: int) -> Path:
        return self.folder / EPISODES / str(episode)

    def events_path(self, episode: int) -> Path:
        return self.episode_folder(episode) / EVENTS

    def require(self, episode: int) -> None:
        """Raises NoSuchYear if the run has no such episode."""
        if not 0 <= episode < self.episodes:
            raise NoSuchYear(f"{self.folder} has no episode {episode}; {_numbers('episode', self.episodes)}")

    def called(self, episode: int) -> str:
        """The name of an episode in messages."""
        return f"episode {episode}" if len(self.worlds) == 1 else f"episode {episode} on {self.world_of(episode).name}"

    def seat_called(self, episode: int) -> str:
        """The name of an episode, and of the selected entry's seat where it has rivals."""
        if self.seats == 1:
            return self.called(episode)
        seat = self.seat(episode)
        return f"{self.called(episode)}, seat {seat} ({self.label})"

    def load_world(self, episode: int = 0) -> World:
        """The world that an episode is played on; its id must be the recorded one."""
        ref = self.world_of(episode)
        try:
            return world_of(ref)
        except WorldError as error:
            problem = str(error).partition("\n")[0]
            raise RunError(f"{problem}. {self.folder} needs it: if it lies elsewhere now, give --world DIR") from error

    def on_their_worlds(self, episodes: Iterable[int]) -> Iterator[tuple[int, World]]:
        """The episodes world by world, so that each world is loaded once."""
        for episode in sorted(episodes, key=lambda episode: (episode % len(self.worlds), episode)):
            yield episode, self.load_world(episode)

    def with_world_at(self, source: str | None) -> "Run":
        """The run with its world at another location; of several worlds it is the one with the same id."""
        if source is None:
            return self
        there = self.worlds[0].id if len(self.worlds) == 1 else load_world(source).id
        if there not in [world.id for world in self.worlds]:
            raise RunError(f"{source} has id {there[:12]}, which none of the worlds of {self.folder} has")
        moved = tuple(restated(world, source=source) if world.id == there else world for world in self.worlds)
        return self.stating(worlds=moved)

    def stating(self, **fields: Any) -> "Run":
        """The same run with other fields of its manifest; the file is not changed."""
        return replace(self, manifest=restated(self.manifest, **fields))


def create_run(
    folder: Path,
    terms: Terms,
    *,
    episodes: int,
    world_source: str,
    others: Sequence[WorldRef] = (),
    inherited: bytes = b"",
    signing_key: SigningKey | None = None,
    **stated: Any,
) -> Run:
    """A new run folder. It must not exist yet, or be empty: a run is never written over anything.

    `world_source` is where the world of the terms is found, `others` are the worlds that episodes take turns on beside
    it. `inherited` are the events that the first episode of a fork begins with, `stated` other fields of the manifest.
    """
    first = restated(terms.world, source=world_source)
    manifest = Manifest.of(
        terms,
        episodes=episodes,
        worlds=[
            world if is_named(world.source) else restated(world, source=str(Path(world.source).absolute()))
            for world in (first, *others)
        ],
        signed=SignedBy.new(signing_key) if signing_key else None,
        **stated,
    )
    refuse_hidden_names(manifest, folder.name)
    for seat in terms.seats:
        refuse_secrets(seat.model)
    events = [(f"{EPISODES}/0/{EVENTS}", inherited)] if inherited else []
    # The manifest is moved last, since its name is: a folder with it is whole.
    write_folder(folder, [*events, (MANIFEST, manifest.text())], _advice(folder))
    return Run(folder, manifest, signing_key=signing_key)


@lru_cache(maxsize=CACHED)
def world_of(ref: WorldRef) -> World:
    """Cached, since the next episode is often played on the same world."""
    world = load_world(ref.source)
    if world.id != ref.id:
        raise RunError(
            f"the run was played on world {ref.name!r} with id {ref.id[:12]}, but {ref.source} now has id "
            f"{world.id[:12]}; give the same world with --world DIR"
        )
    return world_in_year(world, ref.year)


def free_folder(parent: Path, name: str) -> Path:
    """A new, empty folder of that name, or of that name and a number where others were quicker."""
    folder, number = parent / name, 1
    while True:
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError:
            number += 1
            folder = parent / f"{name}-{number}"
        except OSError as error:
            raise RunError(f"cannot start a run in {folder}: {error.strerror}") from error


def refuse_used(folder: Path) -> None:
    """Raise RunError for a folder in which no run can begin."""
    refuse_used_folder(folder, _advice(folder))


def _advice(folder: Path) -> str:
    advice = "give --out a folder that does not exist yet"
    return f"{advice} or continue it: ecbench resume {quote(str(folder))}" if (folder / MANIFEST).exists() else advice


def open_runs(folders: Sequence[Path]) -> list[Run]:
    """The runs in these folders. Raises RunError, also if a folder is given twice."""
    for index, folder in enumerate(folders):
        if folder.resolve() in [earlier.resolve() for earlier in folders[:index]]:
            raise RunError(f"{folder} is given twice")
    return [open_run(folder) for folder in folders]


def open_entries(folders: Sequence[Path]) -> list[Run]:
    """The runs in these folders, of an arena each entry. Raises RunError, also if a folder is given twice."""
    return [entry for run in open_runs(folders) for entry in run.entries()]


def open_run(folder: Path) -> Run:
    """The run in a folder. Raises RunError if there is none, and for one that another version recorded."""
    path = folder / MANIFEST
    try:
        record = parse(read_file(path, MANIFEST_LIMIT))
    except FileNotFoundError as error:
        held = sorted(path.parent.name for path in folder.glob(f"*/{MANIFEST}"))
        more = f" and {len(held) - MOST_NAMED:,} more" if len(held) > MOST_NAMED else ""
        named = f"; it is a folder of runs, name one of them: {', '.join(held[:MOST_NAMED])}{more}" if held else ""
        problem = f"it contains no {MANIFEST}{named}" if folder.exists() else "there is no such folder"
        raise RunError(f"{folder} is not a run: {problem}") from error
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path} cannot be read as JSON ({error}), and with it the terms of the run") from error
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise RunError(other_schema(str(path), record.get("schema") if isinstance(record, dict) else None))
    try:
        manifest = typed(record, Manifest)
    except ValueError as error:
        raise RunError(f"{path} is incomplete or was edited by hand ({error})") from error
    refuse_other_behaviour(folder, manifest)
    refuse_hidden_names(manifest)
    return Run(folder, manifest)


def restate(run: Run, **stated: Any) -> Run:
    """The same run with other fields in its `run.json`, which is read again: its worlds may be found elsewhere here."""
    try:
        atomic_write(run.folder / MANIFEST, open_run(run.folder).stating(**stated).manifest.text())
        sync_folder(run.folder)
    except OSError as error:
        raise RunError(f"cannot change {run.folder / MANIFEST}: {error}") from error
    return run.stating(**stated)


def _numbers(noun: str, count: int) -> str:
    return f"its only {noun} is 0" if count == 1 else f"its {noun}s are 0 to {count - 1}"
