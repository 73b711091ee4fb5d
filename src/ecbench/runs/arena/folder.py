"""An arena on disk: `arena.json`, and for each round the market's record and a run folder for each seat."""

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ecbench import __version__
from ecbench.runs.arena.seat_names import door_of, turns_at
from ecbench.runs.arena.terms import ArenaRecord, ArenaTerms
from ecbench.runs.errors import RunError
from ecbench.runs.folder import ARENA, MANIFEST, Run, create_run, open_run, refuse_secrets, refuse_used
from ecbench.runs.record.atomic_write import MEBIBYTE, make_folder, read_file, sync_folder, write_whole
from ecbench.runs.record.events import Place, Terms
from ecbench.runs.record.schema import parse, typed
from ecbench.world.load import is_named
from ecbench.world.model import World

SCHEMA = 1
MANIFEST_LIMIT = 16 * MEBIBYTE


@dataclass(frozen=True, slots=True)
class ArenaRun:
    """An arena's folder and what its manifest says."""

    folder: Path
    terms: ArenaTerms

    def round_folder(self, number: int) -> Path:
        return self.folder / "rounds" / str(number)

    def seat_folder(self, number: int, seat: int) -> Path:
        return self.round_folder(number) / "seats" / str(seat)

    def begun(self, number: int) -> bool:
        return all((self.seat_folder(number, seat) / MANIFEST).exists() for seat in range(self.terms.seats))

    def seat_terms(self, number: int, seat: int, world: World) -> Terms:
        agent = self.terms.agents[self.terms.entry_at(number, seat)]
        door = door_of(agent)
        return Terms(
            world=world.name,
            world_id=world.id,
            seed=world.seed,
            agent=agent,
            days=self.terms.days,
            stake=self.terms.stake,
            max_turns=turns_at(door, self.terms.max_turns),
            rule_set=self.terms.rule_set,
            rules=self.terms.rules,
            model=self.terms.models.get(agent, {}),
            arena=Place(seat, self.terms.seats),
            door=door,
        )

    def seat_runs(self, number: int, world: World) -> list[Run]:
        """The seats of a round as runs of their own, made where they are not there yet."""
        return [self._seat_run(number, seat, world) for seat in range(self.terms.seats)]

    def _seat_run(self, number: int, seat: int, world: World) -> Run:
        folder = self.seat_folder(number, seat)
        if not (folder / MANIFEST).exists():
            return self.create_seat(number, seat, self.seat_terms(number, seat, world))
        run = open_run(folder)
        _refuse_other_terms(run, self.seat_terms(number, seat, world))
        return run

    def create_seat(self, number: int, seat: int, terms: Terms, inherited: bytes = b"") -> Run:
        source = self.terms.world_of(number)
        return create_run(self.seat_folder(number, seat), terms, episodes=1, world_source=source, inherited=inherited)


class SeatPlace(NamedTuple):
    """Where a seat is found."""

    arena: Path
    round: int
    seat: int


def seat_place(folder: Path) -> SeatPlace:
    """Of the folder of a seat, as `ArenaRun.seat_folder` has it. Raises RunError for one that lies elsewhere."""
    folder = folder.absolute()
    try:
        _, number, _, arena = folder.parents[:4]
        return SeatPlace(arena, int(number.name), int(folder.name))
    except ValueError as error:
        raise RunError(f"{folder} is a seat of an arena, and lies outside of it; give the one in the arena") from error


def _refuse_other_terms(run: Run, terms: Terms) -> None:
    """A seat that was taken over says so; all else is as the arena has it."""
    stated, wanted = run.terms.to_json(), terms.to_json()
    for name, value in wanted.items():
        if name not in ("fork", "agent", "model") and stated[name] != value:
            raise RunError(f"{run.folder / MANIFEST} states another {name} than its arena; one of them was edited")
    if run.terms.fork is None and run.terms.agent != terms.agent:
        raise RunError(f"{run.folder / MANIFEST} names another agent than its arena; one of them was edited")


def create_arena(folder: Path, terms: ArenaTerms, provenance: Mapping[str, Any] | None = None) -> ArenaRun:
    """A new arena. Its folder must not exist yet, or be empty."""
    worlds = tuple(source if is_named(source) else str(Path(source).absolute()) for source in terms.worlds)
    manifest = {
        "schema": SCHEMA,
        "ecbench": __version__,
        "python": platform.python_version(),
        **(provenance or {}),
        **terms.to_json(),
        "worlds": list(worlds),
    }
    refuse_used(folder)
    for options in terms.models.values():
        refuse_secrets(options)
    try:
        make_folder(folder)
        write_whole(folder / ARENA, json.dumps(manifest, indent=2).encode() + b"\n")
        sync_folder(folder)
    except OSError as error:
        raise RunError(f"cannot start an arena in {folder}: {error.strerror}") from error
    return open_arena(folder)


def is_arena(folder: Path) -> bool:
    return (folder / ARENA).is_file()


def open_arena(folder: Path) -> ArenaRun:
    path = folder / ARENA
    try:
        record = parse(read_file(path, MANIFEST_LIMIT))
        if not isinstance(record, dict) or record.get("schema") != SCHEMA:
            raise ValueError(f"it is not written in schema {SCHEMA}")
        return ArenaRun(folder, typed(record, ArenaRecord).terms())
    except FileNotFoundError as error:
        raise RunError(f"{folder} is not an arena: it holds no {ARENA}") from error
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path} cannot be read ({error}), and with it the terms of the arena") from error
