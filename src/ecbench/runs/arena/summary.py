"""`summary.json` of an arena: its rounds, who stands where, and who beat whom, in one file.

It is written when a command has played on; like that of a run it is read by nothing here. Each seat has one of its own.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ecbench.metrics.ratings import EntryResult, head_to_head, standings
from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.play import RoundResult
from ecbench.runs.results.summary_file import write_summary_json


def entries_of(run: ArenaRun, result: RoundResult) -> list[EntryResult]:
    """The results of a finished round in the order of entries."""
    found = []
    for seat, year in enumerate(result.seats):
        assert year.end is not None
        entry = run.terms.entry_at(result.number, seat)
        found.append(EntryResult(entry, year.end.final_assets, year.end.ending))
    return sorted(found, key=lambda result: result.entry)


def write_arena_summary(run: ArenaRun, results: Sequence[RoundResult]) -> None:
    """Where no year of a round has an end yet, it stays as it was."""
    if any(year.end is not None for result in results for year in result.seats):
        write_summary_json(run.folder, arena_json(run, results))


def arena_json(run: ArenaRun, results: Sequence[RoundResult]) -> dict[str, Any]:
    rounds = [entries_of(run, result) for result in results if result.over]
    return {
        "folder": str(run.folder),
        **run.terms.to_json(),
        "results": [_round_json(run, result) for result in results],
        "standings": [asdict(standing) for standing in standings(run.terms.labels, run.terms.agents, rounds)],
        "head_to_head": {"entries": run.terms.labels, "share_richer": head_to_head(rounds)},
    }


def _round_json(run: ArenaRun, result: RoundResult) -> dict[str, Any]:
    labels = run.terms.labels
    seats = [
        {
            "seat": seat,
            "entry": labels[run.terms.entry_at(result.number, seat)],
            "ending": year.end.ending if year.end else None,
            "final_assets": year.end.final_assets if year.end else None,
            "day": year.end.day if year.end else None,
            "reason": (year.end.reason if year.end else "") or year.problem,
        }
        for seat, year in enumerate(result.seats)
    ]
    return {
        "round": result.number,
        "world": run.terms.world_of(result.number),
        "over": result.over,
        "problem": result.problem,
        "seats": seats,
    }
