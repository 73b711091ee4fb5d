"""ecbench season announce, open and check: organise a season whose worlds nobody can know beforehand."""

from __future__ import annotations

import secrets
import time
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated, Literal

from ecbench.cli.declare import argument, option
from ecbench.cli.options import JsonOption, RuleSetOption
from ecbench.cli.terminal import FAILED, leave, say, say_json
from ecbench.errors import RunError
from ecbench.formatting import counted
from ecbench.rules import SEASON_SET

if TYPE_CHECKING:
    from ecbench.season.season_file import SeasonFile

SECRET_FILE_LIMIT = 1_000  # bytes

BEACON_HELP = "What the beacon published in the round: its randomness or its signature, as hex."


def announce(
    name: Annotated[str, argument(metavar="NAME", help="The season's name, such as 2027-02.")],
    secret: Annotated[Path, option("--secret", metavar="FILE", help="A new file for the secret.")],
    round_number: Annotated[
        int, option("--round", metavar="N", help="A round of drand quicknet that is still to come.")
    ],
    opens: Annotated[
        str | None, option("--opens", metavar="DATE", help="From when it is played. [default: the round's day]")
    ] = None,
    rules: RuleSetOption = SEASON_SET,
    kind: Annotated[
        Literal["full", "short"],
        option("--kind", help="`full`: two years of 365 days on each world. `short`: one of 180 days."),
    ] = "full",
    submit_to: Annotated[
        str, option("--submit-to", metavar="ADDRESS", help="Where entries are sent: a web or mail address.")
    ] = "",
    out: Annotated[
        Path | None, option("--out", metavar="FILE", help="Where to write it. [default: NAME.announcement.json]")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Announce a season whose worlds nobody can know yet.

    Makes a secret and writes the announcement, with a commitment to the secret and the round of the public beacon that
    decides together with it. Publish the announcement before that round, and keep the secret.

    Exit codes: 0 announced, 2 bad input, such as a round that is over.
    """
    from msgspec import to_builtins

    from ecbench.season import season_file
    from ecbench.season.commitment import SECRET_BYTES
    from ecbench.season.season_kinds import KINDS
    from ecbench.season.seasons import seasons

    if name in {season.name for season in seasons()}:
        raise RunError(f"season {name} exists already; give another name")
    content, path = secrets.token_bytes(SECRET_BYTES), out or Path(f"{name}.announcement.json")
    now = int(time.time())
    announcement = season_file.announce(name, content, round_number, now, opens, rules, KINDS[kind], submit_to)
    season_file.refuse_existing(path)
    _write_secret(secret, content)
    try:
        season_file.write_new(path, announcement)
    except BaseException:
        secret.unlink()
        raise
    if as_json:
        say_json({"announcement": str(path), "secret": str(secret), **to_builtins(announcement)})
        return
    shape = announcement.season_kind
    years = f"{counted(shape.years, 'episode')} of {shape.days} days"
    say(f"Kind: {shape.name}, {shape.worlds} fresh worlds and default, {years} on each. Rules: {announcement.rules}.")
    say(f"Announcement: {path}. Publish it before {announcement.round_time}.")
    say(f"Secret: {secret}. Show it to nobody before, and do not lose it.")
    opening = join(["ecbench", "season", "open", str(path), "--secret", str(secret), "--beacon", "HEX"])
    say(f"After {announcement.round_time}: {opening}")
    say(f"HEX is the randomness at {announcement.beacon.path} of any drand relay.")


def open_announced(
    announcement: Annotated[Path, argument(metavar="ANNOUNCEMENT", help="What `season announce` wrote.")],
    secret: Annotated[Path, option("--secret", metavar="FILE", help="The file with the secret.")],
    beacon: Annotated[str, option("--beacon", metavar="HEX", help=BEACON_HELP)],
    out: Annotated[
        Path | None, option("--out", metavar="FILE", help="Where to write it. [default: NAME.season.json]")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Open an announced season: reveal its secret and make its worlds.

    Exit codes: 0 opened, 2 bad input, such as another secret than the announced one.
    """
    from msgspec import to_builtins

    from ecbench import __version__
    from ecbench.season import season_file
    from ecbench.season.commitment import hex_bytes, parse_beacon_value

    announced, value = season_file.read_announcement(announcement), parse_beacon_value(beacon)
    if time.time() < announced.beacon.time:
        early = "so this value is not its own, and the season is a rehearsal"
        say(f"ecbench: note: the round is published at {announced.round_time}, {early}", err=True)
    path = out or Path(f"{announced.name}.season.json")
    season_file.refuse_existing(path)
    content = hex_bytes(_read_secret(secret), f"{secret}: a secret")
    season = season_file.open_season(announced, content, value, __version__)
    season_file.write_new(path, season)
    if as_json:
        say_json({"season": str(path), **to_builtins(season)})
        return
    say(f"Season {season.name}: {path}")
    for world in season.worlds:
        say(f"  seed-{world.seed:<20} {world.id[:12]}")
    checking = join(["ecbench", "season", "check", str(path), "--announcement", str(announcement)])
    say(f"Publish it; everybody can check it: {checking}")


def check(
    season: Annotated[Path, argument(metavar="FILE", help="A season file.")],
    announcement: Annotated[
        Path | None, option("--announcement", metavar="FILE", help="The announcement as it was published.")
    ] = None,
    beacon: Annotated[str | None, option("--beacon", metavar="HEX", help=BEACON_HELP)] = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute the seeds and the worlds of a season file.

    Exit codes: 0 all as it must be, 1 something differs, 2 bad input.
    """
    from ecbench.season import season_file
    from ecbench.season.commitment import parse_beacon_value
    from ecbench.season.seasons import seasons

    if str(season) in {each.name for each in seasons()} and not season.exists():
        raise RunError(f"season {season} is for practice: its seeds follow from its name; give a season file")
    found = season_file.read_season_unchecked(season)
    wrong = list(season_file.differences(found))
    if announcement is not None and season_file.read_announcement(announcement) != found.announcement:
        wrong.append(f"announcement: {announcement} is not the one that the season file has")
    if beacon is not None and parse_beacon_value(beacon).randomness != found.beacon.randomness.lower():
        wrong.append("beacon: the value given is not the one that the season file has")
    wrong += [] if wrong else season_file.world_differences(found)
    proven, by_hand = _proof(found, announcement, beacon) if not wrong else ([], [])
    if as_json:
        facts = {"holds": not wrong, "differences": wrong, "proven": proven, "to_compare": by_hand}
        say_json({"season": found.name, "kind": found.announcement.season_kind.name, **facts})
    else:
        kind = found.announcement.season_kind
        say(f"Season {found.name}, {kind.name}, opens {found.announcement.opens}")
        for heading, lines in (("DIFFERENT", wrong), ("Proven", proven), ("To compare by hand", by_hand)):
            for line in [f"\n{heading}:", *(f"- {line}" for line in lines)] if lines else []:
                say(line)
    if wrong:
        leave(FAILED)


def _proof(season: SeasonFile, announcement: Path | None, beacon: str | None) -> tuple[list[str], list[str]]:
    announced = season.announcement
    proven = [
        "the secret is the one that the announcement committed to",
        f"seeds and salt follow from the secret and round {announced.beacon.round}, and nothing else",
        f"all {len(season.worlds) + 1} worlds have the ids that the file states: they were generated again",
    ]
    if announcement:
        proven.append(f"the announcement is {announcement}")
    value = "the value given is" if beacon else "it must be"
    return proven, [
        f"the randomness at {announced.beacon.path} of any drand relay: {value} {season.beacon.randomness}",
        f"that the announcement was published before {announced.round_time}, and that it was the only one of that name",
    ]


def _write_secret(path: Path, content: bytes) -> None:
    """Raises RunError if the file exists already. Only its owner can read it."""
    from ecbench.runs.record.atomic_write import make_folder, write_new_file

    try:
        make_folder(path.parent)
        write_new_file(path, f"{content.hex()}\n".encode(), 0o600)
    except FileExistsError as error:
        raise RunError(f"{path} exists already, and a secret is never written over; give another file") from error
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error


def _read_secret(path: Path) -> str:
    from ecbench.runs.record.atomic_write import read_file

    try:
        return read_file(path, SECRET_FILE_LIMIT).decode("ascii", "replace")
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
