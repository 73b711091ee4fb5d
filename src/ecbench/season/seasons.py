"""Seasons: fresh worlds that everybody plays, and the terms they are played under; those shipped are for practice."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ecbench.errors import RunError
from ecbench.rules import DEFAULT_SET, rule_set
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import is_insider
from ecbench.runs.results.ranking import Departure, resumed_departures, term_departures
from ecbench.runs.terms import SeatTerms, Terms, WorldRef
from ecbench.season.season_file import FULL, KINDS, KNOWN, SeasonFile, SeasonKind, read_season
from ecbench.world.load import FRESH, fresh_source, load_world
from ecbench.world.model import World

MAX_TURNS = 4_000
VOICE = "template"
SUFFIX = ".json"  # of a season file
ISSUED = Path(__file__).parent / "data" / "seasons.json"


@dataclass(frozen=True, slots=True)
class Season:
    """The worlds of a season, and whether they could be known before it was issued."""

    name: str
    issued: date
    worlds: tuple[WorldRef, ...]  # the fresh worlds, and the known one last
    rules: str = DEFAULT_SET  # the set that it is played under
    practice: bool = False  # anybody could compute its worlds before it was issued
    kind: SeasonKind = FULL
    submit_to: str = ""  # where entries are sent

    @property
    def episodes(self) -> int:
        """Of a run that plays it."""
        return self.kind.years * len(self.worlds)

    @property
    def label(self) -> str:
        """The name, and whether a result on it says anything about unknown worlds."""
        return f"{self.name} (practice: its seeds follow from its name)" if self.practice else self.name


def seeds_of(name: str, worlds: int = FULL.worlds) -> list[int]:
    """Of a practice season: numbers below 2**32 that follow from the name."""
    return [int.from_bytes(sha256(f"ecbench season {name}, world {n}".encode()).digest()[:4]) for n in range(worlds)]


@cache
def seasons() -> tuple[Season, ...]:
    """The practice seasons, which are shipped, the newest last."""
    return tuple(_season(record) for record in json.loads(ISSUED.read_text(encoding="utf-8")))


def season_named(name: str | None = None) -> Season:
    """A practice season by its name, the newest full one without a name, or the season in a file. Raises RunError."""
    if name is None:
        return next(season for season in reversed(seasons()) if season.kind is FULL)
    for season in seasons():
        if season.name == name:
            return season
    path = Path(name)
    if path.suffix == SUFFIX or path.exists():
        return _from_file(read_season(path))
    names = ", ".join(season.name for season in seasons())
    raise RunError(f"there is no season {name!r}; there are {names} for practice, and the files of seasons")


def season_of(run: Run) -> Season | None:
    """The practice season whose worlds a run was played on, whatever else its terms are."""
    worlds = [site.id for site in run.worlds]
    return next((season for season in seasons() if [site.id for site in season.worlds] == worlds), None)


def refuse_for_training(run: Run) -> None:
    """Raise RunError if a run was played on a world of a season: one that has a salt, or of a practice season."""
    practice = {site.id: season.name for season in seasons() for site in season.worlds if site.name != KNOWN}
    for number, site in enumerate(run.worlds[: run.episodes]):
        if site.id in practice or run.load_world(number).salt:
            season = f"season {practice[site.id]}" if site.id in practice else "an announced season"
            raise RunError(
                f"{run.folder} was played on {site.name} of {season}: seasons stay unseen in training, so that they "
                "measure what a model has not learnt; --force exports it"
            )


def open_world(season: Season) -> World:
    """Its first world. Raises RunError where this version makes another one of its seed."""
    site = season.worlds[0]
    world = load_world(site.source)
    if world.id != site.id:
        raise RunError(
            f"season {season.label} was issued with another generator: {site.source} has id {site.id[:12]} there and "
            f"{world.id[:12]} here; play it with the version of ecbench that issued it"
        )
    return world


def season_terms(season: Season, agent: str, model: dict[str, Any]) -> Terms:
    """The terms that an agent plays the season under."""
    return Terms(
        world=replace(season.worlds[0], source=""),
        seats=(SeatTerms(agent, model),),
        days=season.kind.days,
        stake=rule_set(season.rules).stake,
        voice=VOICE,
        rule_set=season.rules,
    )


def departures(run: Run, season: Season) -> Iterator[str]:
    """Where a run is not what the season asks for, a line each."""
    terms = run.terms
    if [site.year_id for site in run.worlds] != [site.id for site in season.worlds]:
        yield f"its worlds are not those of season {season.label}"
    if run.episodes != season.episodes:
        yield f"it has {run.episodes} episodes, not {season.kind.years} on each of {len(season.worlds)} worlds"
    own: Sequence[Departure] = (
        ("turn limit", max(terms.turn_limit(run.entry), MAX_TURNS), MAX_TURNS),  # a lower one departs from the paper's
        ("suppliers' voice", terms.voice, VOICE),
        ("transport", run.player.transport, ""),
        ("seats", run.seats, 1),
        ("fork", terms.fork, None),
    )
    for name, found, asked in (*term_departures(run, season.rules, season.kind.days), *own):
        if found != asked:
            yield f"{name}: {found!r:.80}, where the season has {asked!r:.80}"
    yield from resumed_departures(run)
    if is_insider(run.player.agent):
        yield f"{run.player.agent} reads hidden state"


def _season(record: dict[str, Any]) -> Season:
    kind = KINDS[record.get("kind", FULL.name)]
    worlds = {seed: record["worlds"][f"{FRESH}{seed}"] for seed in seeds_of(record["name"], kind.worlds)}
    issued, rules = date.fromisoformat(record["issued"]), record.get("rules", DEFAULT_SET)
    return Season(record["name"], issued, _worlds(worlds, record[KNOWN]), rules, practice=True, kind=kind)


def _from_file(file: SeasonFile) -> Season:
    stated, ids = file.announcement, dict(zip(file.seeds, file.worlds, strict=True))
    worlds = _worlds(ids, file.known_world, file.salt)
    return Season(file.name, stated.opens, worlds, stated.rules, kind=stated.season_kind, submit_to=stated.submit_to)


def _worlds(fresh: Mapping[int, str], known: str, salt: str = "") -> tuple[WorldRef, ...]:
    """From the ids of the fresh worlds by seed, and of the known one."""
    found = [WorldRef(f"{FRESH}{seed}", world, seed, fresh_source(seed, salt)) for seed, world in fresh.items()]
    return (*found, WorldRef(KNOWN, known, load_world(KNOWN).seed, KNOWN))
