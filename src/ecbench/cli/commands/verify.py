"""ecbench verify: what a run folder proves, and what it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecbench.cli.declare import CommandResult
from ecbench.cli.terminal import FAILED, listed
from ecbench.formatting import counted
from ecbench.runs.signatures.keys import read_public_key

if TYPE_CHECKING:
    from ecbench.season.verify import Proof


def verify(
    run: Path,
    *,
    season: str | None = None,
    trust: list[str] | None = None,
    world: str | None = None,
) -> CommandResult:
    """Recompute a run and say what its folder proves.

    Every reply, every ending and every byte of the records is recomputed from the calls, on worlds generated again from
    their seeds. Merchants of this package are re-run; no other agent's code is run. Other files of the folder are
    listed and not used. Nothing is written. A folder cannot prove that a model wrote the calls; the signatures of a
    signed run are checked, and with --trust, one of the given keys must have signed the run. All interim analyses of a
    run that stopped early are recomputed.

    Options:
        season SEASON: Fail unless the run is of this season, a name or a file. [default: detected]
    """
    from ecbench.cli.play import print_short_season
    from ecbench.runs.folder import open_run
    from ecbench.season.seasons import season_named, season_of
    from ecbench.season.verify import verify

    trusted = [read_public_key(given) for given in trust or ()]
    opened = open_run(run)
    wanted = season_of(opened) if season is None else season_named(season)
    proof = verify(opened, wanted, world, trusted)
    print_short_season([opened])
    return CommandResult(_facts(proof, run), list(_lines(proof, run)), 0 if proof.holds else FAILED)


def _facts(proof: Proof, path: Path) -> dict[str, Any]:
    return {
        "folder": path,
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
        "signatures": _signatures(proof),
        "episodes": list(_episodes(proof)),
    }


def _signatures(proof: Proof) -> dict[str, Any] | None:
    from msgspec.structs import asdict

    signer = proof.check.signer
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


def _episodes(proof: Proof) -> Iterator[dict[str, Any]]:
    for year in proof.years:
        end = year.ends[proof.run.seat(year.episode)] if year.ends else None
        known = {name: getattr(year, name) for name in ("episode", "world", "turns", "calls")}
        ending = {"ending": end.ending if end else None, "final_assets": end.assets if end else None}
        yield {**known, **ending, "difference": year.difference}


def _lines(proof: Proof, path: Path) -> Iterator[str]:
    yield f"{path}: {counted(proof.run.episodes, 'episode', ',')} of {proof.agents}"
    yield from listed(
        ("DIFFERENT", proof.differences),
        ("NOT OVER", proof.unfinished),
        (f"NOT AS SEASON {proof.season.label} ASKS" if proof.season else "", list(proof.departures)),
        ("Remarked", proof.remarks),
        ("Proven", list(proof.proven())),
        (f"{proof.check.signer.key} vouches for", list(proof.vouched())),
        ("Not proven, and nothing in a folder can prove it", list(proof.unproven())),
    )
