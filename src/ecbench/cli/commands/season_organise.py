"""ecbench season announce, open, check and site: organise a season whose worlds nobody can know beforehand."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated, Literal

from ecbench.cli.declare import CommandResult
from ecbench.cli.options import Jobs
from ecbench.cli.terminal import FAILED, listed, say
from ecbench.errors import RunError
from ecbench.extras import require_extra
from ecbench.formatting import MISSING, counted
from ecbench.ranges import CHECK_SECONDS
from ecbench.rules import SEASON_SET

if TYPE_CHECKING:
    from ecbench.season.season_file import SeasonFile, SeasonKind
    from ecbench.season.site.build import BuiltSite, Checked

SECRET_FILE_LIMIT = 1_000  # bytes


def announce(
    name: str,
    *,
    secret: Path,
    round_number: int,
    opens: str | None = None,
    rules: str = SEASON_SET,
    kind: Literal["full", "short"] = "full",
    submit_to: str = "",
    out: Path | None = None,
) -> CommandResult:
    """Announce a season whose worlds nobody can know yet.

    Makes a secret and writes the announcement, with a commitment to the secret and the round of the public beacon that
    decides together with it. Publish the announcement before that round, and keep the secret.

    Options:
        name NAME: The season's name, such as 2027-02.
        secret FILE: A new file for the secret.
        round_number --round N: A round of drand quicknet that is still to come.
        opens DATE: From when it is played. [default: the round's day]
        kind: `full`: two years of 365 days on each world. `short`: one of 180 days.
        submit_to ADDRESS: Where entries are sent: a web or mail address.
        out FILE: Where to write it. [default: NAME.announcement.json]
    """
    from msgspec import to_builtins

    from ecbench.season import season_file
    from ecbench.season.commitment import SECRET_BYTES
    from ecbench.season.seasons import seasons

    if name in {season.name for season in seasons()}:
        raise RunError(f"season {name} exists already; give another name")
    content, path = secrets.token_bytes(SECRET_BYTES), out or Path(f"{name}.announcement.json")
    now = int(time.time())
    shape = season_file.KINDS[kind]
    announcement = season_file.announce(name, content, round_number, now, opens, rules, shape, submit_to)
    season_file.write_new(secret, f"{content.hex()}\n".encode(), 0o600)  # only its owner can read it
    try:
        season_file.write_new(path, announcement)
    except BaseException:
        secret.unlink()
        raise
    opening = join(["ecbench", "season", "open", str(path), "--secret", str(secret), "--beacon", "HEX"])
    lines = [
        f"Kind: {kind_text(announcement.season_kind)}. Rules: {announcement.rules}.",
        f"Announcement: {path}. Publish it before {announcement.round_time}.",
        f"Secret: {secret}. Show it to nobody before, and do not lose it.",
        f"After {announcement.round_time}: {opening}",
        f"HEX is the randomness at {announcement.beacon_path} of any drand relay.",
    ]
    return CommandResult({"announcement": str(path), "secret": str(secret), **to_builtins(announcement)}, lines)


def kind_text(kind: SeasonKind) -> str:
    """The shape of a season in a few words."""
    years = f"{counted(kind.years, 'episode')} of {kind.days} days on each"
    return f"{kind.name}, {kind.worlds} fresh worlds and default, {years}"


def open_announced(announcement: Path, *, secret: Path, beacon: str, out: Path | None = None) -> CommandResult:
    """Open an announced season: reveal its secret and make its worlds.

    Options:
        announcement ANNOUNCEMENT: What `season announce` wrote.
        secret FILE: The file with the secret.
        beacon HEX: What the beacon published in the round: its randomness or its signature, as hex.
        out FILE: Where to write it. [default: NAME.season.json]
    """
    from msgspec import to_builtins

    from ecbench import __version__
    from ecbench.runs.record.atomic_write import read_file
    from ecbench.season import season_file
    from ecbench.season.commitment import hex_bytes, randomness_of, round_time

    announced = season_file.read_announcement(announcement)
    randomness_of(beacon)
    if time.time() < round_time(announced.round):
        early = "so this value is not its own, and the season is a rehearsal"
        say(f"ecbench: note: the round is published at {announced.round_time}, {early}", err=True)
    path = out or Path(f"{announced.name}.season.json")
    content = hex_bytes(read_file(secret, SECRET_FILE_LIMIT).decode("ascii", "replace"), f"{secret}: a secret")
    season = season_file.open_season(announced, content, beacon, __version__)
    season_file.write_new(path, season)
    checking = join(["ecbench", "season", "check", str(path), "--announcement", str(announcement)])
    lines = [
        f"Season {season.name}: {path}",
        *(f"  seed-{seed:<20} {world[:12]}" for seed, world in zip(season.seeds, season.worlds, strict=True)),
        f"Publish it; everybody can check it: {checking}",
    ]
    return CommandResult({"season": str(path), **to_builtins(season)}, lines)


def check(season: Path, *, announcement: Path | None = None, beacon: str | None = None) -> CommandResult:
    """Recompute the seeds and the worlds of a season file.

    Options:
        season FILE: A season file.
        announcement FILE: The announcement as it was published.
        beacon HEX: What the beacon published in the round: its randomness or its signature, as hex.
    """
    from ecbench.season import season_file
    from ecbench.season.commitment import randomness_of
    from ecbench.season.seasons import seasons

    if str(season) in {each.name for each in seasons()} and not season.exists():
        raise RunError(f"season {season} is for practice: its seeds follow from its name; give a season file")
    found, wrong = season_file.read_season(season), []
    if announcement is not None and season_file.read_announcement(announcement) != found.announcement:
        wrong.append(f"announcement: {announcement} is not the one that the season file has")
    if beacon is not None and randomness_of(beacon) != randomness_of(found.beacon):
        wrong.append("beacon: the value given is not the one that the season file has")
    wrong += [] if wrong else season_file.world_differences(found)
    proven, by_hand = ([], []) if wrong else _proof(found, announcement, beacon)
    kind, opens = found.announcement.season_kind.name, found.announcement.opens
    facts = {"season": found.name, "kind": kind, "holds": not wrong, "differences": wrong}
    lists = (("DIFFERENT", wrong), ("Proven", proven), ("To compare by hand", by_hand))
    lines = [f"Season {found.name}, {kind}, opens {opens}", *listed(*lists)]
    return CommandResult({**facts, "proven": proven, "to_compare": by_hand}, lines, FAILED if wrong else 0)


def _proof(season: SeasonFile, announcement: Path | None, beacon: str | None) -> tuple[list[str], list[str]]:
    from ecbench.season.commitment import randomness_of

    announced, randomness = season.announcement, randomness_of(season.beacon).hex()
    proven = [
        "the secret is the one that the announcement committed to",
        f"seeds and salt follow from the secret and round {announced.round}, and nothing else",
        f"all {len(season.worlds) + 1} worlds have the ids that the file states: they were generated again",
    ]
    if announcement:
        proven.append(f"the announcement is {announcement}")
    value = "the value given is" if beacon else "it must be"
    return proven, [
        f"the randomness at {announced.beacon_path} of any drand relay: {value} {randomness}",
        f"that the announcement was published before {announced.round_time}, and that it was the only one of that name",
    ]


def site(
    submissions: Path,
    season: str | None = None,
    *,
    folder: Path,
    trust: list[str] | None = None,
    jobs: Jobs = 1,
    seconds: Annotated[float, CHECK_SECONDS] = 3_600,
    quiet: bool = False,
) -> CommandResult:
    """Write a season's leaderboard as static pages.

    Every submission is re-executed as `ecbench verify --season` does it. Those that pass are ranked, with their
    possible ranks, a report, a transcript and a page for each pair. Those that fail, such as broken, forged or
    unfinished ones, are listed as refused with the reason. No code of a submission is run. The same folder gives the
    same bytes. docs/season.md describes the pages.

    Options:
        submissions SUBMISSIONS: A folder of run folders.
        jobs --jobs -j: How many to check in parallel.
        seconds: How long the check of one submission may take.
        quiet --quiet -q: Print only the result.
    """
    require_extra("charts")
    from ecbench.runs.signatures.keys import read_public_key
    from ecbench.season.seasons import season_named
    from ecbench.season.site.build import build_site
    from ecbench.season.site.submissions import RefusedSubmission

    trusted, chosen = [read_public_key(given) for given in trust or ()], season_named(season)

    def progress(checked: Checked, done: int, total: int) -> None:
        if not quiet:
            how = "refused" if isinstance(checked, RefusedSubmission) else "holds"
            say(f"{done:,} of {total:,}: {checked.name} {how}", err=True)

    built = build_site(submissions, folder, chosen, trusted=trusted, jobs=jobs, seconds=seconds, progress=progress)
    if not built.pages:
        say(f"ecbench: no submission in {submissions} holds, so nothing was written", err=True)
    nothing = {"season": chosen.name, "entries": [], "refused": built.refused}
    facts = {**(built.facts or nothing), "out": folder if built.pages else None, "pages": built.pages}
    return CommandResult(facts, _site_lines(built, folder, chosen.label), 0 if built.pages else FAILED)


def _site_lines(built: BuiltSite, folder: Path, season: str) -> Iterator[str]:
    for entry in built.facts.get("entries", ()):
        rank = entry["rank"] or MISSING
        possible = " to ".join(map(str, dict.fromkeys(entry["possible_ranks"] or ())))
        yield f"{rank:>4}  {entry['name']} ({entry['agent']})" + (f", possible ranks {possible}" if possible else "")
    for each in built.refused:
        yield f"refused: {each.name}: {each.reason}"
    if built.pages:
        yield f"Site of season {season}: {folder / 'index.html'}, {counted(built.pages, 'page', ',')}"
