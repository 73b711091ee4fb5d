"""ecbench verify: what a run folder proves, and what it cannot."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ecbench.cli.exit_codes import FAILED
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.run_episodes import RunArgument, WorldPlaceOption

if TYPE_CHECKING:
    from ecbench.suite.verify import Proof


def verify(
    run: RunArgument,
    suite: Annotated[
        str | None,
        typer.Option("--suite", metavar="SEASON", help="Fail unless the run is of this season. [default: detected]"),
    ] = None,
    world: WorldPlaceOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Recompute a run and say what its folder proves.

    Every reply and every file is recomputed from the calls and compared, on worlds generated again from their seeds.
    Nothing is written and no agent's code is run. A folder cannot prove that a model wrote the calls.

    Exit codes: 0 all as recorded, 1 something differs, is unfinished or is not of the season, 2 bad input.
    """
    from ecbench.runs.folder import open_run
    from ecbench.suite.seasons import season_named, season_of
    from ecbench.suite.verify import verify as proven

    opened = open_run(run).with_world_at(world)
    proof = proven(opened, season_of(opened) if suite is None else season_named(suite))
    if as_json:
        say_json(_facts(proof))
    else:
        _print(proof)
    if not proof.holds:
        raise typer.Exit(FAILED)


def _facts(proof: "Proof") -> dict[str, Any]:
    return {
        "folder": str(proof.run.folder),
        "agent": proof.run.terms.agent,
        "holds": proof.holds,
        "season": proof.season.name if proof.season else None,
        "proven": list(proof.proven()),
        "not_proven": list(proof.unproven()),
        "differences": proof.differences,
        "departures": list(proof.departures),
        "episodes": [asdict(year) for year in proof.years],
    }


def _print(proof: "Proof") -> None:
    years = "1 year" if len(proof.years) == 1 else f"{len(proof.years):,} years"
    say(f"{proof.run.folder}: {years} of {proof.run.terms.agent}")
    for heading, lines in (
        ("DIFFERENT", proof.differences),
        (f"NOT AS SEASON {proof.season.name} ASKS" if proof.season else "", proof.departures),
        ("Proven", list(proof.proven())),
        ("Not proven, and nothing in a folder can prove it", list(proof.unproven())),
    ):
        if lines:
            say(f"\n{heading}:")
            for line in lines:
                say(f"- {line}")
