"""The files of a season: the announcement before it opens, and the season file that reveals it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from ecbench.errors import RunError
from ecbench.rules import SEASON_SET, rule_set, versioned_set
from ecbench.runs.folder import Run
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, make_folder, read_file, write_new_file
from ecbench.runs.record.json_values import parse, typed
from ecbench.runs.results.ranking import FULL_YEAR
from ecbench.season.commitment import (
    CHAIN,
    GENESIS,
    PERIOD,
    commitment_of,
    hex_bytes,
    randomness_of,
    round_time,
    season_salt,
    season_seeds,
)
from ecbench.world.load import fresh_source, load_world

KNOWN = "default"  # played beside them, to see what knowing a world by heart is worth
LAST_ROUND = 2**36  # in the year 8557
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")

KindName = Literal["full", "short"]
Format = TypeVar("Format", bound=Struct)


@dataclass(frozen=True, slots=True)
class SeasonKind:
    """The shape of a season. A short one costs about a quarter of the calls of a full one and ranks less exactly."""

    name: KindName
    days: int  # of a year
    worlds: int  # fresh ones
    years: int  # on each world

    def has_shape_of(self, run: Run) -> bool:
        """Whether a run has as many worlds, years and days; `default` is played beside the fresh worlds."""
        sites = self.worlds + 1
        return (run.terms.days, len(run.worlds), run.episodes) == (self.days, sites, self.years * sites)

    @property
    def note(self) -> str:
        """What a result of a short season is worth, in a line; empty for a full season."""
        if self.name == "full":
            return ""
        shape = f"{self.worlds} worlds of {self.days} days"
        return f"a short season, {shape}, ranks only within the season and less exactly than whole years do"


FULL = SeasonKind("full", FULL_YEAR, worlds=10, years=2)
SHORT = SeasonKind("short", 180, worlds=10, years=1)
KINDS = {kind.name: kind for kind in (FULL, SHORT)}


class Announcement(Struct, frozen=True, forbid_unknown_fields=True):
    """What is published before the beacon's round: it fixes the seeds and the salt, which nobody can compute yet."""

    name: str
    commitment: str
    round: Annotated[int, Meta(ge=1, le=LAST_ROUND)]  # of the beacon drand quicknet
    opens: date  # from which the season is played
    rules: str  # the set that it is played under
    kind: KindName = "full"
    submit_to: str = ""  # where entries are sent: a web or mail address of the organiser
    format: Literal["ecbench season announcement 4"] = "ecbench season announcement 4"

    def __post_init__(self) -> None:
        """A season file is named after its season, so the name must lead to no other folder."""
        if not _NAME.fullmatch(self.name):
            raise ValueError("a season is named with up to 40 letters, digits, dots, dashes and underscores")
        rule_set(self.rules)
        day = self.round_time[:10]
        if self.opens < date.fromisoformat(day):
            raise ValueError(f"a season opens on {day}, the day of its round, or later, not on {self.opens}")

    @property
    def drawn_for(self) -> str:
        """What seeds and salt are drawn for. With the kind in it, a short season cannot pass for a full one."""
        return self.name if self.kind == "full" else f"{self.name}, {self.kind}"

    @property
    def season_kind(self) -> SeasonKind:
        return KINDS[self.kind]

    @property
    def round_time(self) -> str:
        """When the beacon publishes the round."""
        return _moment(round_time(self.round))

    @property
    def beacon_path(self) -> str:
        """Where any relay of the network has the round."""
        return f"/{CHAIN}/public/{self.round}"


class SeasonFile(Struct, frozen=True, forbid_unknown_fields=True):
    """An opened season: what was announced, what was secret, and the worlds that follow from both."""

    announcement: Announcement
    secret: str
    beacon: str  # what was published in the round, as hex: its randomness, or its signature
    worlds: tuple[str, ...]  # the ids of the fresh worlds
    known_world: str  # the id of `default`
    ecbench: str  # the version that made the worlds
    format: Literal["ecbench season 4"] = "ecbench season 4"

    @property
    def name(self) -> str:
        return self.announcement.name

    @property
    def seeds(self) -> list[int]:
        """Of the fresh worlds. Raises RunError if the secret or the beacon value is not hex."""
        return season_seeds(*self._drawn, self.announcement.season_kind.worlds)

    @property
    def salt(self) -> str:
        """Of the fresh worlds."""
        return season_salt(*self._drawn)

    @property
    def _drawn(self) -> tuple[str, bytes, int, bytes]:
        stated = self.announcement
        return stated.drawn_for, hex_bytes(self.secret, "the secret"), stated.round, randomness_of(self.beacon)


def announce(
    name: str,
    secret: bytes,
    round_number: int,
    now: int,
    opens: str | None,
    rules: str = SEASON_SET,
    kind: SeasonKind = FULL,
    submit_to: str = "",
) -> Announcement:
    """The announcement of a season. Raises RunError for a round that is published already: its value is known."""
    if not 1 <= round_number <= LAST_ROUND:
        raise RunError(f"a round is a number from 1 to {LAST_ROUND:,}")
    time = round_time(round_number)
    if time <= now:
        coming = f"give one that is still to come, from {(now - GENESIS) // PERIOD + 2} on"
        raise RunError(f"round {round_number:,} was published at {_moment(time)}; {coming}")
    day, commitment = opens or _moment(time)[:10], commitment_of(name, secret)
    stated = {"name": name, "commitment": commitment, "round": round_number, "opens": day, "rules": rules}
    try:
        made = typed({**stated, "kind": kind.name, "submit_to": submit_to}, Announcement)
    except ValueError as error:
        raise RunError(f"season {name!r:.60}: {error}") from error
    return replace(made, rules=versioned_set(rules))


def open_season(announcement: Announcement, secret: bytes, value: str, version: str) -> SeasonFile:
    """Generate the worlds, which takes some seconds. Raises RunError where the secret is not the announced one."""
    if commitment_of(announcement.name, secret) != announcement.commitment:
        raise RunError(f"this is not the secret of season {announcement.name}: its commitment is a different one")
    drawn = SeasonFile(announcement, secret.hex(), value.strip(), (), load_world(KNOWN).id, version)
    return replace(drawn, worlds=tuple(load_world(fresh_source(seed, drawn.salt)).id for seed in drawn.seeds))


def world_differences(season: SeasonFile) -> Iterator[str]:
    """The worlds of the season that this version makes differently. Generating them takes some seconds."""
    fresh = [fresh_source(seed, season.salt) for seed in season.seeds]
    for source, world_id in zip((*fresh, KNOWN), (*season.worlds, season.known_world), strict=True):
        made = load_world(source).id
        if made != world_id:
            stated = f"{world_id[:12]} in the file, made by ecbench {season.ecbench:.40}"
            yield f"worlds: {source} has id {made[:12]} here and {stated}"


def read_announcement(path: Path) -> Announcement:
    """Raises RunError."""
    return _read(path, Announcement, "the announcement of a season")


def read_season(path: Path) -> SeasonFile:
    """Raises RunError unless the file is a season of its secret and its beacon value; its worlds are not generated."""
    season = _read(path, SeasonFile, "a season file")
    stated, secret = season.announcement, hex_bytes(season.secret, f"{path}: the secret")
    if commitment_of(stated.name, secret) != stated.commitment:
        raise RunError(f"{path} is not a season: its commitment is not that of name and secret")
    if len(season.worlds) != len(season.seeds):
        there = f"there are {len(season.worlds)}, and a {stated.kind} season has {len(season.seeds)}"
        raise RunError(f"{path} is not a season: worlds: {there}")
    return season


def write_new(path: Path, content: Struct | bytes, mode: int = 0o666) -> None:
    """Write a text, or a structure as JSON. Raises RunError where the file exists already."""
    if isinstance(content, Struct):
        content = json.dumps(to_builtins(content), indent=2).encode() + b"\n"
    try:
        make_folder(path.parent)
        write_new_file(path, content, mode)
    except FileExistsError as error:
        raise RunError(f"{path} exists already, and is never written over; give another name") from error
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _read(path: Path, form: type[Format], what: str) -> Format:
    try:
        return typed(parse(read_file(path, MANIFEST_LIMIT)), form)
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path} is not {what}: {error!s:.160}") from error
