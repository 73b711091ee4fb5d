"""ecbench verify: what a run folder proves, and what it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ecbench.cli.declare import option
from ecbench.cli.options import JsonOption, RunArgument, TrustOption, WorldPlaceOption
from ecbench.cli.terminal import FAILED, leave, say, say_json

if TYPE_CHECKING:
    from ecbench.runs.folder import Run
    from ecbench.runs.signatures.signature import SignerCheck
    from ecbench.runs.verify.year_check import YearCheck
    from ecbench.season.verify import Proof


def verify(
    run: RunArgument,
    season: Annotated[
        str | None,
        option(
            "--season",
            metavar="SEASON",
            help="Fail unless the run is of this season, a name or a file. [default: detected]",
        ),
    ] = None,
    trust: TrustOption = None,
    against: Annotated[
        Path | None,
        option("--against", metavar="RUN", help="The run that the planned looks of this one compare with."),
    ] = None,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute a run and say what its folder or ZIP file proves.

    Every reply, every ending and every byte of the records is recomputed from the calls, on worlds generated again from
    their seeds. Merchants of this package are re-run; no other agent's code is run. Other files of the folder are
    listed and not used. Nothing is written. A folder cannot prove that a model wrote the calls; the signatures of a
    signed run are checked, and --trust says whose word counts. Of a run that stopped when it was clear every look is
    recomputed.

    Exit codes: 0 all as recorded, 1 something differs, is unfinished, or is not of the season or the
    signer, 2 bad input.
    """
    from ecbench.cli.play import print_short_season
    from ecbench.runs.folder import open_run
    from ecbench.runs.run_archive import run_folder
    from ecbench.runs.signatures.keys import read_public_key
    from ecbench.season.seasons import season_named, season_of
    from ecbench.season.verify import verify

    trusted = [read_public_key(given) for given in trust or ()]
    rival = open_run(against) if against else None
    with run_folder(run) as folder:
        opened = open_run(folder)
        wanted = season_of(opened) if season is None else season_named(season)
        proof = verify(opened, wanted, world, trusted, rival)
        if as_json:
            say_json(_facts(proof, run))
        else:
            _print(proof, run)
        print_short_season([opened])
    if not proof.holds:
        leave(FAILED)


def _facts(proof: Proof, path: Path) -> dict[str, Any]:
    return {
        "folder": str(path),
        "agent": proof.run.player.agent,
        "holds": proof.holds,
        "season": proof.season.name if proof.season else None,
        "practice_season": proof.season.practice if proof.season else None,
        "proven": list(proof.proven()),
        "vouched": list(proof.vouched()),
        "not_proven": list(proof.unproven()),
        "differences": proof.differences,
        "unfinished": proof.unfinished,
        "departures": list(proof.departures),
        "remarks": proof.remarks,
        "stopped_early": proof.stopped_early,
        "signatures": _signatures(proof.check.signer),
        "episodes": [_year(proof.run, year) for year in proof.years],
    }


def _signatures(signer: SignerCheck) -> dict[str, Any] | None:
    from msgspec.structs import asdict

    if signer.key is None:
        return None
    first, last = signer.times
    return {
        "key": signer.key,
        "trusted": signer.key in signer.trusted,
        "years": signer.years,
        "turns": signer.turns,
        "first": first,
        "last": last,
        "participants": {name: asdict(each) for name, each in signer.participants.items()},
    }


def _year(run: Run, year: YearCheck) -> dict[str, Any]:
    end = year.ends[run.seat(year.episode)] if year.ends else None
    return {
        "episode": year.episode,
        "world": year.world,
        "turns": year.turns,
        "calls": year.calls,
        "ending": end.ending if end else None,
        "final_assets": end.assets if end else None,
        "difference": year.difference,
    }


def _print(proof: Proof, path: Path) -> None:
    years = "1 episode" if proof.run.episodes == 1 else f"{proof.run.episodes:,} episodes"
    say(f"{path}: {years} of {proof.agents}")
    for heading, lines in (
        ("DIFFERENT", proof.differences),
        ("NOT OVER", proof.unfinished),
        (f"NOT AS SEASON {proof.season.label} ASKS" if proof.season else "", proof.departures),
        ("Remarked", proof.remarks),
        ("Proven", list(proof.proven())),
        (f"{proof.check.signer.key} vouches for", list(proof.vouched())),
        ("Not proven, and nothing in a folder can prove it", list(proof.unproven())),
    ):
        if lines:
            say(f"\n{heading}:")
            for line in lines:
                say(f"- {line}")
