"""Recompute a run, and print what its folder proves."""

from pathlib import Path
from typing import Any

import typer

from ecbench.cli.exit_codes import FAILED
from ecbench.cli.plain_text import say, say_json
from ecbench.runs.folder import Run, open_run
from ecbench.runs.verify.year_check import YearCheck
from ecbench.suite.seasons import season_named, season_of
from ecbench.suite.verify import Proof, verify


def verify_folder(folder: Path, season: str | None, world: str | None, *, as_json: bool) -> None:
    run = open_run(folder)
    proof = verify(run, season_of(run) if season is None else season_named(season), world)
    if as_json:
        say_json(_facts(proof))
    else:
        _print(proof)
    if not proof.holds:
        raise typer.Exit(FAILED)


def _facts(proof: Proof) -> dict[str, Any]:
    return {
        "folder": str(proof.run.folder),
        "agent": proof.run.terms.agent,
        "holds": proof.holds,
        "season": proof.season.name if proof.season else None,
        "proven": list(proof.proven()),
        "not_proven": list(proof.unproven()),
        "differences": proof.differences,
        "unfinished": proof.unfinished,
        "departures": list(proof.departures),
        "remarks": proof.remarks,
        "episodes": [_year(proof.run, year) for year in proof.years],
    }


def _year(run: Run, year: YearCheck) -> dict[str, Any]:
    end = year.ends[run.seat(year.episode)] if year.ends else None
    return {
        "episode": year.episode,
        "world": year.world,
        "turns": year.turns,
        "calls": year.calls,
        "ending": end.ending if end else None,
        "final_assets": end.final_assets if end else None,
        "missing": list(year.missing),
        "difference": year.difference,
    }


def _print(proof: Proof) -> None:
    years = "1 year" if proof.run.episodes == 1 else f"{proof.run.episodes:,} years"
    say(f"{proof.run.folder}: {years} of {proof.agents}")
    for heading, lines in (
        ("DIFFERENT", proof.differences),
        ("NOT OVER", proof.unfinished),
        (f"NOT AS SEASON {proof.season.name} ASKS" if proof.season else "", proof.departures),
        ("Remarked", proof.remarks),
        ("Proven", list(proof.proven())),
        ("Not proven, and nothing in a folder can prove it", list(proof.unproven())),
    ):
        if lines:
            say(f"\n{heading}:")
            for line in lines:
                say(f"- {line}")
