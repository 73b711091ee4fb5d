"""Manifests of schema 1 (ecbench 0.1) in the form of this version, as far as readers of recorded tables need them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from ecbench.players.turn import Record
from ecbench.ranges import SEATS, WORLDS
from ecbench.runs.behaviour import FIRST_SCHEMA
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, read_file
from ecbench.runs.record.schema import parse, typed

ARENA = "arena.json"


class OldRun(Struct):
    """The fields of `run.json` of schema 1 that have different names or forms now."""

    agent: str
    model: Record
    door: str
    world: Record = {}
    world_source: str = ""
    worlds: list[Record] = []


class OldArena(Struct):
    """The same of `arena.json`. Its worlds have no ids: the runs of its seats state them."""

    agents: Annotated[list[str], Meta(min_length=2, max_length=int(SEATS.most))]
    rounds: int
    worlds: Annotated[list[str], Meta(min_length=1, max_length=int(WORLDS.most))]
    models: dict[str, Record]


def seat_folder(arena: Path, episode: int, seat: int) -> Path:
    """A seat of a round was a run folder."""
    return arena / "rounds" / str(episode) / "seats" / str(seat)


def is_old(record: object) -> bool:
    """Whether a manifest has schema 1."""
    return isinstance(record, dict) and record.get("schema") == FIRST_SCHEMA


def modern_run(record: Record) -> Record:
    """`run.json` of schema 1 as this version would state it. Raises ValueError."""
    old = typed(record, OldRun)
    seat = {"agent": old.agent, "model": old.model, "door": old.door}
    return {
        **record,
        "worlds": old.worlds or [{**old.world, "source": old.world_source}],
        "seats": [seat],
        "turn_seconds": None,
    }


def modern_arena(folder: Path, record: Record) -> Record:
    """`arena.json` of schema 1 as `run.json` of this version would state it. Raises ValueError or OSError."""
    old = typed(record, OldArena)
    return {
        **record,
        "episodes": old.rounds,
        "worlds": list(_worlds(folder, old)),
        "seats": [{"agent": agent, "model": old.models.get(agent, {}), "door": ""} for agent in old.agents],
        "voice": "template",
        "fork": None,
        "turn_seconds": record.get("turn_seconds"),
    }


def _worlds(folder: Path, old: OldArena) -> Iterator[dict[str, Any]]:
    for place, source in enumerate(old.worlds):
        try:
            seat = typed(parse(read_file(seat_folder(folder, place, 0) / "run.json", MANIFEST_LIMIT)), OldRun)
        except FileNotFoundError:  # a round that never began
            yield {"name": Path(source).name, "id": "", "seed": 0, "source": source}
        else:
            yield {**seat.world, "source": source}
