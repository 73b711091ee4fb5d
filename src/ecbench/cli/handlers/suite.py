"""List, show and play the seasons; announce, open and check one."""

import secrets
import time
from pathlib import Path
from typing import Any

import typer
from msgspec import to_builtins

from ecbench import __version__
from ecbench.cli.exit_codes import FAILED
from ecbench.cli.handlers.run import NewRun, play_new
from ecbench.cli.model_options import ProviderOptions
from ecbench.cli.model_terms import agent_options, model_terms, time_limits
from ecbench.cli.new_run import find_own_modules
from ecbench.cli.options import Output, Parallel
from ecbench.cli.plain_text import say, say_json
from ecbench.compare.entries import read_entries
from ecbench.compare.interim import analyses_of
from ecbench.compare.stopping import SMALLEST, plan_against, refuse_mismatch
from ecbench.errors import RunError
from ecbench.number_words import counted, yuan
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.folder import open_run
from ecbench.runs.play.agents import canonical_name
from ecbench.runs.record.atomic_write import make_folder, read_file, write_new_file
from ecbench.runs.signatures.keys import SigningKey
from ecbench.runs.stopping_plan import StoppingPlan
from ecbench.runs.terms import Terms
from ecbench.suite import season_file
from ecbench.suite.commitment import SECRET_BYTES, hex_bytes, parse_beacon_value
from ecbench.suite.season_file import SeasonFile
from ecbench.suite.season_kinds import KINDS, KindName
from ecbench.suite.seasons import VOICE, Season, open_world, season_named, season_terms, seasons

SECRET_FILE_LIMIT = 1_000  # bytes
TERMS = ("days", "stake", "max_turns", "voice", "rule_set")


def list_seasons(*, as_json: bool) -> None:
    if as_json:
        say_json([_facts(season) for season in seasons()])
        return
    for season in seasons():
        fresh = len(season.worlds) - 1
        kind = "for practice, its seeds follow from its name" if season.practice else "opened from a file"
        years = counted(season.kind.years, "year") + f" of {season.kind.days} days on each"
        worlds = f"{season.kind.name}: {fresh} fresh worlds and default, {years}"
        say(f"{season.name}  issued {season.issued}  {worlds}; {kind}")


def show(name: str | None, *, as_json: bool) -> None:
    season = season_named(name)
    facts = _facts(season)
    if as_json:
        say_json(facts)
        return
    say(f"Season {season.label}, issued {season.issued}")
    for site in season.worlds:
        say(f"  {site.name:24} {site.id[:12]}")
    terms = facts["terms"] | {"stake": yuan(facts["terms"]["stake"])}
    say("Terms: " + ", ".join(f"{term.replace('_', ' ')} {value}" for term, value in terms.items()))
    if season.kind.note:
        say(f"Note: {season.kind.note}.")


def play(
    name: str | None,
    agent: str,
    parallel: Parallel,
    out: Path | None,
    model: ProviderOptions,
    output: Output,
    key: SigningKey | None,
    against: Path | None,
    smallest: float | None,
    *,
    doctor: bool,
    limits: BudgetLimits,
) -> None:
    """With `against`, until it is clear how the agent compares with that run."""
    find_own_modules(agent)
    season, agent = season_named(name), canonical_name(agent)
    recorded = model_terms(
        agent, VOICE, own=agent_options(model), supplier={}, limits=time_limits(model), prices=model.prices
    )
    if season.practice:
        say(f"ecbench: note: season {season.label}", err=True)
    terms = season_terms(season, agent, recorded)
    plan = None if against is None else _plan(terms, season, against, smallest or SMALLEST)
    new = NewRun(terms, open_world(season), season.worlds, doctor=doctor, stopping=plan, limits=limits)
    play_new(new, season.kind.years, out, parallel, output, key=key)


def _plan(terms: Terms, season: Season, against: Path, smallest: float) -> StoppingPlan:
    rival = open_run(against)
    if rival.seats > 1:
        raise RunError(f"{against} is an arena; --against takes a run of the season")
    refuse_mismatch(terms, rival)
    (entry,) = read_entries([rival])
    plan = plan_against(entry, season.worlds, smallest)
    sizes = ", ".join(map(str, analyses_of(len(plan.scores))))
    say(f"ecbench: note: interim analyses after {sizes} fresh worlds, in a fixed random order", err=True)
    return plan


def announce(
    name: str,
    secret: Path,
    round_number: int,
    opens: str | None,
    rules: str,
    kind: KindName,
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    """Make a secret and write the announcement; where the second fails, the secret is deleted."""
    if name in {season.name for season in seasons()}:
        raise RunError(f"season {name} exists already; give another name")
    content, path = secrets.token_bytes(SECRET_BYTES), out or Path(f"{name}.announcement.json")
    announcement = season_file.announce(name, content, round_number, int(time.time()), opens, rules, KINDS[kind])
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
    years = f"{counted(shape.years, 'year')} of {shape.days} days"
    say(f"Kind: {shape.name}, {shape.worlds} fresh worlds and default, {years} on each. Rules: {announcement.rules}.")
    say(f"Announcement: {path}. Publish it before {announcement.round_time}.")
    say(f"Secret: {secret}. Show it to nobody before, and do not lose it.")
    say(f"After {announcement.round_time}: ecbench suite open {path} --secret {secret} --beacon HEX")
    say(f"HEX is the randomness at {announcement.beacon.path} of any drand relay.")


def open_announced(announcement: Path, secret: Path, beacon: str, out: Path | None, *, as_json: bool) -> None:
    """Write the season file. Raises RunError where the secret or the beacon value is not the announced one's."""
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
    say(f"Publish it; everybody can check it: ecbench suite check {path} --announcement {announcement}")


def check(path: Path, announcement: Path | None, beacon: str | None, *, as_json: bool) -> None:
    """Print what a season file proves and what is left to compare; fails where anything differs."""
    if str(path) in {season.name for season in seasons()} and not path.exists():
        raise RunError(f"season {path} is for practice: its seeds follow from its name; give a season file")
    season = season_file.read_season_unchecked(path)
    wrong = list(season_file.differences(season))
    if announcement is not None and season_file.read_announcement(announcement) != season.announcement:
        wrong.append(f"announcement: {announcement} is not the one that the season file has")
    if beacon is not None and parse_beacon_value(beacon).randomness != season.beacon.randomness.lower():
        wrong.append("beacon: the value given is not the one that the season file has")
    wrong += [] if wrong else season_file.world_differences(season)
    proven, by_hand = _proof(season, announcement, beacon) if not wrong else ([], [])
    if as_json:
        facts = {"holds": not wrong, "differences": wrong, "proven": proven, "to_compare": by_hand}
        say_json({"season": season.name, "kind": season.announcement.season_kind.name, **facts})
    else:
        kind = season.announcement.season_kind
        say(f"Season {season.name}, {kind.name}, opens {season.announcement.opens}")
        for heading, lines in (("DIFFERENT", wrong), ("Proven", proven), ("To compare by hand", by_hand)):
            for line in [f"\n{heading}:", *(f"- {line}" for line in lines)] if lines else []:
                say(line)
    if wrong:
        raise typer.Exit(FAILED)


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
    """Raises RunError where the file exists already. Only its owner can read it."""
    try:
        make_folder(path.parent)
        write_new_file(path, f"{content.hex()}\n".encode(), 0o600)
    except FileExistsError as error:
        raise RunError(f"{path} exists already, and a secret is never written over; give another file") from error
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error


def _read_secret(path: Path) -> str:
    try:
        return read_file(path, SECRET_FILE_LIMIT).decode("ascii", "replace")
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error


def _facts(season: Season) -> dict[str, Any]:
    terms = season_terms(season, "", {})
    return {
        "name": season.name,
        "issued": season.issued.isoformat(),
        "practice": season.practice,
        "kind": season.kind.name,
        "worlds": to_builtins(season.worlds),
        "terms": {"years_on_each_world": season.kind.years} | {name: getattr(terms, name) for name in TERMS},
    }
