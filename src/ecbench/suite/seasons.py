"""Seasons: ten fresh worlds that everybody plays twice, and the terms they are played under.

The seeds of a season's worlds follow from its name, so they are not chosen by hand. Their ids are recorded when it
is issued: a version of the generator that makes other worlds of the same seeds cannot pass for the same season.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ecbench.errors import RunError
from ecbench.rules import DEFAULT_RULES
from ecbench.runs.folder import Run
from ecbench.runs.results.place_rule import FULL_YEAR, Departure, is_insider, papers_departures
from ecbench.runs.run_worlds import Site
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.world.load import FRESH, load_world
from ecbench.world.model import World

WORLDS = 10
EPISODES = 2  # on each world
MAX_TURNS = 4_000
VOICE = "template"
KNOWN = "default"  # played beside the fresh ones, to see what knowing a world by heart is worth
ISSUED = Path(__file__).parent / "data" / "seasons.json"


@dataclass(frozen=True, slots=True)
class Season:
    name: str
    issued: date
    sites: tuple[Site, ...]  # the fresh worlds, and the known one last


def seeds_of(name: str) -> list[int]:
    """Ten numbers below 2**32 that follow from the name."""
    return [int.from_bytes(sha256(f"ecbench season {name}, world {n}".encode()).digest()[:4]) for n in range(WORLDS)]


@cache
def seasons() -> tuple[Season, ...]:
    """The newest last."""
    return tuple(_season(record) for record in json.loads(ISSUED.read_text(encoding="utf-8")))


def season_named(name: str | None = None) -> Season:
    """The newest one without a name. Raises RunError where there is no such season."""
    if name is None:
        return seasons()[-1]
    for season in seasons():
        if season.name == name:
            return season
    raise RunError(f"there is no season {name!r}; there are {', '.join(season.name for season in seasons())}")


def season_of(run: Run) -> Season | None:
    """The season whose worlds a run was played on, whatever else its terms are."""
    worlds = [site.id for site in run.sites]
    return next((season for season in seasons() if [site.id for site in season.sites] == worlds), None)


def open_world(season: Season) -> World:
    """Its first world. Raises RunError where this version makes another one of its seed."""
    site = season.sites[0]
    world = load_world(site.source)
    if world.id != site.id:
        raise RunError(
            f"season {season.name} was issued with another generator: {site.source} has id {site.id[:12]} there and "
            f"{world.id[:12]} here; play it with the version of ecbench that issued it"
        )
    return world


def season_terms(season: Season, agent: str, model: dict[str, Any]) -> Terms:
    site, seats = season.sites[0], (SeatTerms(agent, model),)
    return Terms(site.name, site.id, site.seed, seats, FULL_YEAR, DEFAULT_RULES.stake, MAX_TURNS, VOICE)


def departures(run: Run, season: Season) -> Iterator[str]:
    """Where a run is not what the season asks for, a line each."""
    terms = run.terms
    if [site.id for site in run.sites] != [site.id for site in season.sites]:
        yield f"its worlds are not those of season {season.name}"
    if run.episodes != EPISODES * len(season.sites):
        yield f"it has {run.episodes} episodes, not {EPISODES} on each of {len(season.sites)} worlds"
    own: Sequence[Departure] = (
        ("turn limit", max(terms.max_turns, MAX_TURNS), MAX_TURNS),  # a lower one departs from the paper's too
        ("suppliers' voice", terms.voice, VOICE),
        ("door", terms.door, ""),
        ("fork", terms.fork, None),
    )
    for name, found, asked in (*papers_departures(terms), *own):
        if found != asked:
            yield f"{name}: {found!r:.80}, where the season has {asked!r:.80}"
    if is_insider(terms.agent):
        yield f"{terms.agent} reads hidden state"


def new_season(name: str, issued: date) -> dict[str, Any]:
    """As it is written down; makes its worlds, which takes some seconds."""
    if name in {season.name for season in seasons()}:
        raise RunError(f"season {name} has been issued already")
    worlds = {f"{FRESH}{seed}": load_world(f"{FRESH}{seed}").id for seed in seeds_of(name)}
    return {"name": name, "issued": issued.isoformat(), "worlds": worlds, KNOWN: load_world(KNOWN).id}


def _season(record: dict[str, Any]) -> Season:
    fresh = [
        Site(source, record["worlds"][source], seed, source)
        for seed in seeds_of(record["name"])
        for source in [f"{FRESH}{seed}"]
    ]
    known = Site(KNOWN, record[KNOWN], load_world(KNOWN).seed, KNOWN)
    return Season(record["name"], date.fromisoformat(record["issued"]), (*fresh, known))
