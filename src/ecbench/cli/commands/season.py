"""ecbench season: play and organise seasons."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click
from msgspec import to_builtins

from ecbench.cli.declare import CommandResult, command, group
from ecbench.cli.options import Jobs, ModelOptions, Parallel, Playing
from ecbench.cli.program import COMMANDS
from ecbench.cli.terminal import FAILED, listed, say
from ecbench.errors import RunError
from ecbench.extras import require_extra
from ecbench.formatting import MISSING, counted, yuan
from ecbench.players.merchants.registry import DEFAULT_MERCHANT
from ecbench.ranges import CHECK_SECONDS
from ecbench.rules import SEASON_SET
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.signatures.keys import public_file, read_public_key, write_new_key
from ecbench.season.commitment import SECRET_BYTES, hex_bytes, randomness_of, round_time

if TYPE_CHECKING:
    from ecbench.runs.manifest import StoppingPlan
    from ecbench.runs.terms import Terms
    from ecbench.season.season_file import SeasonFile, SeasonKind
    from ecbench.season.seasons import Season
    from ecbench.season.site.build import BuiltSite, Checked

SECRET_FILE_LIMIT = 1_000  # bytes
TERMS = ("days", "stake", "max_turns", "voice", "rule_set")


def list_seasons() -> CommandResult:
    """List the practice seasons, which are shipped, the newest last."""
    from ecbench.season.seasons import seasons

    lines = []
    for season in seasons():
        kind = "for practice, its seeds follow from its name" if season.practice else "opened from a file"
        lines.append(f"{season.name}  issued {season.issued}  {kind_text(season.kind)}; {kind}")
    return CommandResult({"seasons": [_facts(season) for season in seasons()]}, lines)


def show(season: str | None = None) -> CommandResult:
    """Show the worlds and the terms of a season."""
    from ecbench.season.seasons import season_named

    chosen = season_named(season)
    facts = _facts(chosen)
    terms = facts["terms"] | {"stake": yuan(facts["terms"]["stake"])}
    lines = [
        f"Season {chosen.label}, issued {chosen.issued}",
        *(f"  {world.name:24} {world.id[:12]}" for world in chosen.worlds),
        "Terms: " + ", ".join(f"{term.replace('_', ' ')} {value}" for term, value in terms.items()),
    ]
    return CommandResult(facts, lines + [f"Note: {chosen.kind.note}."] * bool(chosen.kind.note))


def play(
    season: str | None = None,
    *,
    agent: str = DEFAULT_MERCHANT,
    parallel: Parallel,
    out: Path | None = None,
    arguments: list[str] | None = None,
    against: Path | None = None,
    until_clear: bool = False,
    playing: Playing,
) -> None:
    """Play a season: all its episodes on all its worlds, in one run.

    A full season has two episodes on each world, a short one has a single episode of 180 days.

    With --against RUN --until-clear the fresh worlds are played in a fixed random order. The run stops at the first
    interim analysis that finds the agent better or worse than RUN, or excludes that one ends with twice as much as the
    other; see docs/compare.md.

    Days, stake, rules, brief, window and the suppliers' voice are the season's. The run is like any other: resume,
    compare and verify it.

    Options:
        against RUN: A finished run of the season to compare with.
        until_clear: Stop at an interim analysis that is clear.
    """
    from ecbench.cli.new_run import begin, known_agents, on_worlds
    from ecbench.cli.run_file import RunFile
    from ecbench.runs.terms import check_episodes
    from ecbench.season.seasons import open_world, season_named

    if until_clear != (against is not None):
        raise click.BadParameter("--until-clear and --against RUN go together; give both or neither")
    chosen, [agent] = season_named(season), known_agents(agent)
    open_world(chosen)  # before anything is written
    terms = _terms(chosen, agent, arguments)
    if chosen.practice:
        say(f"ecbench: note: season {chosen.label}", err=True)
    plan = None if against is None else _plan(terms, chosen, against)
    episodes = check_episodes(chosen.worlds, chosen.kind.years)
    given = RunFile(jobs=parallel.jobs or 1, executor=parallel.executor)
    begin(terms, episodes, on_worlds(chosen.worlds, terms, episodes, plan), given, playing, out)


def _terms(season: Season, agent: str, arguments: Sequence[str] | None) -> Terms:
    from ecbench.cli.new_run import model_terms
    from ecbench.cli.run_file import RunFile, model_table
    from ecbench.season.seasons import season_terms

    given = RunFile(model=model_table(ModelOptions(arguments=list(arguments or ()))))
    if fixed := {"brief", "window"} & {*given.model}:
        raise RunError(f"-M {', '.join(sorted(fixed))}: a season fixes the brief and the window; leave it out")
    [model] = model_terms([agent], given)
    return season_terms(season, agent, model)


def _plan(terms: Terms, season: Season, against: Path) -> StoppingPlan:
    from ecbench.analysis.compare.chance import analyses_of
    from ecbench.analysis.compare.entries import read_entries
    from ecbench.analysis.compare.stopping import plan_against, refuse_mismatch
    from ecbench.runs.folder import open_run

    rival = open_run(against)
    if rival.seats > 1:
        raise RunError(f"{against} is an arena; --against takes a run of the season")
    refuse_mismatch(terms, rival)
    (entry,) = read_entries([rival])
    plan = plan_against(entry, season.worlds)
    sizes = ", ".join(map(str, analyses_of(len(plan.scores))))
    say(f"ecbench: note: interim analyses after {sizes} fresh worlds, in a fixed random order", err=True)
    return plan


def _facts(season: Season) -> dict[str, Any]:
    from ecbench.season.seasons import season_terms

    terms = season_terms(season, "", {})
    return {
        "name": season.name,
        "issued": season.issued,
        "practice": season.practice,
        "kind": season.kind.name,
        "worlds": season.worlds,
        "terms": {"years_on_each_world": season.kind.years} | {name: getattr(terms, name) for name in TERMS},
    }


def announce(
    name: str,
    *,
    secret: Path,
    round_number: int,
    opens: str | None = None,
    rules: str = SEASON_SET,
    kind: Literal["full", "short"] = "full",
    submit_to: str | None = None,
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

    from ecbench.season import season_file
    from ecbench.season.seasons import seasons

    if name in {season.name for season in seasons()}:
        raise RunError(f"season {name} exists already; give another name")
    content, path = secrets.token_bytes(SECRET_BYTES), out or Path(f"{name}.announcement.json")
    now = int(time.time())
    shape = season_file.KINDS[kind]
    announcement = season_file.announce(name, content, round_number, now, opens, rules, shape, submit_to or "")
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

    from ecbench import __version__
    from ecbench.season import season_file

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
) -> CommandResult:
    """Write a season's leaderboard as static pages.

    Every submission is re-executed as `ecbench verify --season` does it. Those that pass are ranked, with their
    possible ranks, a report and a transcript. Those that fail, such as broken, forged or unfinished ones, are listed
    as refused with the reason. No code of a submission is run. The same folder gives the same bytes. docs/season.md
    describes the pages.

    Options:
        submissions SUBMISSIONS: A folder of run folders.
        jobs --jobs -j: How many to check in parallel.
        seconds: How long the check of one submission may take.
    """
    require_extra("charts")
    from ecbench.season.seasons import season_named
    from ecbench.season.site.build import build_site
    from ecbench.season.site.submissions import RefusedSubmission

    trusted, chosen = [read_public_key(given) for given in trust or ()], season_named(season)

    def progress(checked: Checked, done: int, total: int) -> None:
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


def keys(keyfile: Path) -> CommandResult:
    """Make a key that signs runs.

    It is an Ed25519 key. Give KEYFILE to --sign, and publish the line of KEYFILE.pub, which `ecbench verify --trust`
    takes. Everybody who reads KEYFILE can sign in its owner's name, so keep it out of run folders.

    Options:
        keyfile KEYFILE: A file that does not exist yet.
    """
    from ecbench.cli.new_run import refuse_in_run

    refuse_in_run(keyfile)
    key, published = write_new_key(keyfile).public, public_file(keyfile)
    say(f"{keyfile} signs: keep it to yourself. Publish {published}:", err=True)
    return CommandResult({"public_key": key, "private_file": str(keyfile), "public_file": str(published)}, [key])


season = group(
    "season",
    COMMANDS["Publish"]["season"],
    command(list_seasons, "list"),
    command(show),
    command(play),
    command(announce),
    command(open_announced, "open"),
    command(check),
    command(site),
    command(keys),
)
