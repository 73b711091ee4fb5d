"""ecbench season: play and organise seasons."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecbench.cli.commands.season_organise import announce, check, kind_text, open_announced, site
from ecbench.cli.declare import CommandResult, command, group
from ecbench.cli.options import ModelOptions, Parallel, Playing
from ecbench.cli.program import COMMANDS
from ecbench.cli.terminal import say
from ecbench.errors import RunError
from ecbench.formatting import yuan
from ecbench.players.merchants.registry import DEFAULT_MERCHANT

if TYPE_CHECKING:
    from ecbench.runs.manifest import StoppingPlan
    from ecbench.runs.terms import Terms
    from ecbench.season.seasons import Season

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


def keys(keyfile: Path) -> CommandResult:
    """Make a key that signs runs.

    It is an Ed25519 key. Give KEYFILE to --sign, and publish the line of KEYFILE.pub, which `ecbench verify --trust`
    takes. Everybody who reads KEYFILE can sign in its owner's name, so keep it out of run folders.

    Options:
        keyfile KEYFILE: A file that does not exist yet.
    """
    from ecbench.cli.new_run import refuse_in_run
    from ecbench.runs.signatures.keys import public_file, write_new_key

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
