"""The worlds that a run is played on, and where each is found."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from ecbench.errors import RunError
from ecbench.ranges import EPISODES, WORLDS
from ecbench.world.load import FRESH, load_world, seed_of
from ecbench.world.model import World
from ecbench.world.schema import SEED


class WorldRef(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A world, and where it is found: a name that is known everywhere, such as `default` or `seed-7`, or a folder."""

    name: str
    id: str
    seed: int
    source: Annotated[str, Meta(pattern=r"\A[^\0]*\Z")] = ""  # none in a record
    year: Annotated[int, Meta(ge=0)] = 0  # a later one has a salt of its own (`world_in_year`)

    @property
    def year_id(self) -> str:
        """The id of the world, and of a later year on it its number."""
        return f"{self.id}/{self.year}" if self.year else self.id

    @classmethod
    def of(cls, world: World, source: str = "") -> "WorldRef":
        return cls(world.name, world.id, world.seed, source)


def worlds_at(sources: Sequence[str], days: int | None = None) -> list[WorldRef]:
    """Each world with its id. Without `days` their years must be equally long, since a run has one length."""
    worlds, lengths = [], {}
    for source in sources:
        world = load_world(source)
        worlds.append(WorldRef.of(world, source))
        lengths[source] = world.days if days is None else days
    other = next((source for source in sources if lengths[source] != lengths[sources[0]]), None)
    if other is not None:
        raise RunError(
            f"an episode of {sources[0]} has {lengths[sources[0]]} days, one of {other} {lengths[other]}; give --days"
        )
    return worlds


def read_worlds(text: str) -> list[str]:
    """Sources from a list such as `1-10` or `default,3,7`: seeds and ranges of seeds, names and folders of worlds."""
    sources = [source for part in text.split(",") for source in _sources(text, part.strip())]
    if len(sources) not in WORLDS:
        raise RunError(f"--world {text}: {len(sources):,} worlds; a run is played on 1 to {WORLDS.most:,}")
    twice = next((source for number, source in enumerate(sources) if source in sources[:number]), None)
    if twice:
        raise RunError(f"--world {text}: {twice} is there twice; --episodes says how often each world is played")
    return sources


def _sources(text: str, part: str) -> Iterable[str]:
    first, dash, last = part.partition("-")
    if not part:
        raise RunError(f"--world {text!r}: write seeds or ranges of seeds with commas, such as 1-10 or 3,7,12-14")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        return [part]
    if seed_of(f"{FRESH}{first}") is None or (dash and seed_of(f"{FRESH}{last}") is None):
        raise RunError(f"--world {text}: a seed is {SEED}")
    seeds = range(int(first), int(last if dash else first) + 1)
    if len(seeds) > WORLDS.most or not seeds:
        raise RunError(f"--world {text}: {part} is {len(seeds):,} worlds; a run is played on 1 to {WORLDS.most:,}")
    return [f"{FRESH}{seed}" for seed in seeds]


def check_episodes(worlds: Sequence[object], each: int) -> int:
    """Episodes of a run that plays each world so often."""
    total = len(worlds) * each
    if total not in EPISODES:
        raise RunError(
            f"{len(worlds):,} worlds by {each:,} episodes are {total:,} episodes; a run has 1 to {EPISODES.most:,}"
        )
    return total
