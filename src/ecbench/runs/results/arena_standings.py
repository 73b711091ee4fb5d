"""The result of a run with several seats: its episodes, who stands where, and who beat whom."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from msgspec import to_builtins

from ecbench.metrics.ratings import EntryResult, Standing, head_to_head, standings
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result
from ecbench.runs.play.external_seats import GAVE_UP

SharedRound = list[EntryResult]


def finished_rounds(run: Run, results: Sequence[Result]) -> list[SharedRound]:
    """The results of each finished episode, by number, in the order of entries."""
    return [_by_entry(run, result) for result in _by_number(results) if result.over]


def _by_number(results: Sequence[Result]) -> list[Result]:
    """Episodes end in any order; what is written about them does not depend on it."""
    return sorted(results, key=lambda result: result.episode)


def _by_entry(run: Run, result: Result) -> SharedRound:
    ends = [result.ends[own.seat(result.episode)] for own in run.entries()]
    return [EntryResult(entry, end.assets, end.ending) for entry, end in enumerate(ends)]


def run_standings(run: Run, results: Sequence[Result]) -> list[Standing]:
    agents = [seat.agent for seat in run.terms.seats]
    return standings(run.terms.labels, agents, finished_rounds(run, results))


def shared_json(run: Run, results: Sequence[Result]) -> dict[str, Any]:
    """The result as `--json` has it."""
    rounds = finished_rounds(run, results)
    return {
        "folder": str(run.folder),
        "episodes": run.episodes,
        "worlds": [site.source for site in run.worlds],
        **{name: value for name, value in to_builtins(run.terms).items() if name != "world"},
        "results": [_episode_json(run, result) for result in _by_number(results)],
        "standings": [asdict(standing) for standing in run_standings(run, results)],
        "head_to_head": {"entries": run.terms.labels, "share_richer": head_to_head(rounds)},
    }


def _episode_json(run: Run, result: Result) -> dict[str, Any]:
    labels = run.seat_labels(result.episode)
    seats = [
        {
            "seat": seat,
            "entry": labels[seat],
            "ending": end.ending,
            "final_assets": end.assets,
            "day": end.day,
            "reason": end.reason,
        }
        for seat, end in enumerate(result.ends)
    ]
    return {
        "episode": result.episode,
        "world": run.world_of(result.episode).source,
        "over": result.over,
        "problem": result.problem,
        "seats": seats,
    }


def seat_failures(run: Run, result: Result) -> list[str]:
    """Why seats of an episode did not come to the end of their year, a line each."""
    labels = run.seat_labels(result.episode)
    return [
        f"seat {seat} ({labels[seat]}), day {end.day}: {end.reason}"
        for seat, end in enumerate(result.ends)
        if end.reason and end.ending != GAVE_UP
    ]
