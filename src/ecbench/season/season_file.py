"""The files of a season: the announcement before it opens, and the season file that reveals it."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeVar

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from ecbench.errors import RunError
from ecbench.rules import SEASON_SET, rule_set, versioned_set
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, atomic_write, make_folder, read_file
from ecbench.runs.record.json_values import parse, repeated_field, typed
from ecbench.season.commitment import (
    RANDOMNESS_BYTES,
    SECRET_BYTES,
    Beacon,
    BeaconValue,
    commitment_of,
    hex_bytes,
    season_salt,
    season_seeds,
)
from ecbench.season.season_kinds import FULL, KINDS, KindName, SeasonKind
from ecbench.world.load import fresh_source, load_world

KNOWN = "default"  # played beside them, to see what knowing a world by heart is worth
LAST_ROUND = 2**36  # in the year 8557
LAST_TIME = 250_000_000_000  # in the year 9892
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")

Format = TypeVar("Format", bound=Struct)


class Announcement(Struct, frozen=True, forbid_unknown_fields=True):
    """What is published before the beacon's round: it fixes the seeds and the salt, which nobody can compute yet."""

    name: str
    commitment: str
    beacon: Beacon
    round_time: str  # when the beacon publishes the round
    opens: str  # the date from which the season is played
    rules: str  # the set that it is played under
    kind: KindName = "full"
    submit_to: str = ""  # where entries are sent: a web or mail address of the organiser
    format: Literal["ecbench season announcement 3"] = "ecbench season announcement 3"

    @property
    def drawn_for(self) -> str:
        """What seeds and salt are drawn for. With the kind in it, a short season cannot pass for a full one."""
        return self.name if self.kind == "full" else f"{self.name}, {self.kind}"

    @property
    def season_kind(self) -> SeasonKind:
        return KINDS[self.kind]


class SeasonWorld(Struct, frozen=True, forbid_unknown_fields=True):
    """A fresh world of a season."""

    seed: int
    id: str


class SeasonFile(Struct, frozen=True, forbid_unknown_fields=True):
    """An opened season: what was announced, what was secret, and what follows from both."""

    announcement: Announcement
    secret: str
    beacon: BeaconValue
    worlds: tuple[SeasonWorld, ...]
    known_world: str  # the id of `default`
    ecbench: str  # the version that made the worlds
    salt: str  # of the fresh worlds
    format: Literal["ecbench season 3"] = "ecbench season 3"

    @property
    def name(self) -> str:
        return self.announcement.name

    @property
    def opens(self) -> date:
        return date.fromisoformat(self.announcement.opens)


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
    beacon = Beacon(round_number)
    if not 1 <= round_number <= LAST_ROUND:
        raise RunError(f"a round is a number from 1 to {LAST_ROUND:,}")
    if beacon.time <= now:
        next_round = (now - beacon.genesis) // beacon.period + 2
        raise RunError(
            f"round {round_number:,} was published at {_moment(beacon.time)}; give one that is still to come, from "
            f"{next_round} on (a day later: {next_round + 86_400 // beacon.period})"
        )
    day, commitment = opens or _moment(beacon.time)[:10], commitment_of(name, secret)
    made = Announcement(name, commitment, beacon, _moment(beacon.time), day, rules, kind.name, submit_to)
    _check(made)
    return replace(made, rules=versioned_set(rules))


def open_season(announcement: Announcement, secret: bytes, value: BeaconValue, version: str) -> SeasonFile:
    """Generate the worlds, which takes some seconds. Raises RunError where the secret is not the announced one."""
    if commitment_of(announcement.name, secret) != announcement.commitment:
        raise RunError(f"this is not the secret of season {announcement.name}: its commitment is a different one")
    seeds, salt = _drawn(announcement, secret, value)
    worlds = tuple(SeasonWorld(seed, load_world(fresh_source(seed, salt)).id) for seed in seeds)
    return SeasonFile(announcement, secret.hex(), value, worlds, load_world(KNOWN).id, version, salt)


def differences(season: SeasonFile) -> Iterator[str]:
    """Where the file is not what follows from its secret and its beacon value, its worlds' contents apart."""
    stated, secret, value = season.announcement, hex_bytes(season.secret, "the secret"), season.beacon
    beacon, (seeds, salt) = Beacon(stated.beacon.round), _drawn(stated, secret, value)
    moment = _moment(beacon.time)
    digest = value.signature and sha256(hex_bytes(value.signature, "a signature")).hexdigest()
    checks = [
        (len(secret) == SECRET_BYTES, f"secret: it has {len(secret)} bytes, not {SECRET_BYTES}"),
        (commitment_of(stated.name, secret) == stated.commitment, "commitment: it is not that of name and secret"),
        (stated.beacon == beacon, "beacon: it is not drand quicknet with its chain, genesis and period"),
        (stated.round_time == moment, f"round_time: round {beacon.round} is published at {moment}"),
        (len(value.randomness) == 2 * RANDOMNESS_BYTES, f"beacon: a randomness has {RANDOMNESS_BYTES} bytes"),
        (digest in (None, "", value.randomness), "beacon: the randomness is not the SHA-256 of the signature"),
        (seeds == [world.seed for world in season.worlds], "worlds: the seeds do not follow from secret and beacon"),
        (salt == season.salt, "salt: it does not follow from the secret and the beacon value"),
    ]
    yield from (difference for holds, difference in checks if not holds)


def world_differences(season: SeasonFile) -> Iterator[str]:
    """The worlds of the season that this version makes differently. Generating them takes some seconds."""
    stated = {fresh_source(world.seed, season.salt): world.id for world in season.worlds} | {KNOWN: season.known_world}
    for source, world_id in stated.items():
        made = load_world(source).id
        if made != world_id:
            yield (
                f"worlds: {source} has id {made[:12]} here and {world_id[:12]} in the file, made by ecbench "
                f"{season.ecbench:.40}"
            )


def read_announcement(path: Path) -> Announcement:
    """Raises RunError."""
    found = _read(path, Announcement, "the announcement of a season")
    _check(found)
    return found


def read_season(path: Path) -> SeasonFile:
    """Raises RunError unless the file is a season whose seeds follow from its secret and its beacon value."""
    season = read_season_unchecked(path)
    for difference in differences(season):
        raise RunError(f"{path} is not a season: {difference}")
    return season


def read_season_unchecked(path: Path) -> SeasonFile:
    """The parsed file, whatever it states. Raises RunError."""
    season = _read(path, SeasonFile, "a season file")
    _check(season.announcement)
    for what, text in (("the secret", season.secret), ("a beacon value", season.beacon.randomness)):
        hex_bytes(text, f"{path}: {what}")
    return season


def write_new(path: Path, content: Struct) -> None:
    """Raises RunError where the file exists already."""
    refuse_existing(path)
    try:
        make_folder(path.parent)
        atomic_write(path, json.dumps(to_builtins(content), indent=2).encode() + b"\n")
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error


def refuse_existing(path: Path) -> None:
    """Raise RunError where the file exists already."""
    if path.exists() or path.is_symlink():
        raise RunError(f"{path} exists already, and is never written over; give another name")


def _drawn(announcement: Announcement, secret: bytes, value: BeaconValue) -> tuple[list[int], str]:
    """The seeds and the salt of a season."""
    drawn = (announcement.drawn_for, secret, announcement.beacon, hex_bytes(value.randomness, "a beacon value"))
    return season_seeds(*drawn, announcement.season_kind.worlds), season_salt(*drawn)


def _check(stated: Announcement) -> None:
    """Raise RunError unless name, rules, round and opening day can be those of a season.

    A season file is named after its season, so the name must lead to no other folder.
    """
    name, day, beacon = stated.name, stated.opens, stated.beacon
    if not _NAME.fullmatch(name):
        raise RunError(f"{name!r:.60}: a season is named with up to 40 letters, digits, dots, dashes and underscores")
    try:
        rule_set(stated.rules)
    except ValueError as error:
        raise RunError(str(error)) from error
    if not 1 <= beacon.round <= LAST_ROUND or not 0 <= beacon.time <= LAST_TIME:
        raise RunError(f"round {beacon.round} of the beacon is out of range")
    try:
        written = date.fromisoformat(day).isoformat()
    except ValueError:
        written = ""
    if written != day:
        raise RunError(f"{day!r:.40} is not a date such as 2027-01-31")
    if day < _moment(beacon.time)[:10]:
        raise RunError(f"a season opens on {_moment(beacon.time)[:10]}, the day of its round, or later, not on {day}")


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _read(path: Path, form: type[Format], what: str) -> Format:
    try:
        content = read_file(path, MANIFEST_LIMIT)
        stated = parse(content)
        if twice := repeated_field(content):
            raise ValueError(f"the field {twice!r:.40} is there twice")
        return typed(stated, form)
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"{path} is not {what}: {error!s:.120}") from error
