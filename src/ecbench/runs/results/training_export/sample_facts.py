"""What every sample states, whatever its format: the canary, where it came from, and the credit of its turns."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ecbench.runs.folder import Run
from ecbench.runs.results.training_export.context_windows import ContextWindow, ExportedYear

CANARY = "ecbench-canary-7c1f0a52-9d3e-4b86-a1c4-5e2f8b0d6937"
"""In every sample: filter a training set for it to keep ecbench's worlds out. It is a valid name of a message."""

TurnCredits = Mapping[int, Mapping[str, Any]]
"""By the number of a turn at its seat: what the turn cost, and what the engine says before and after it."""
FindCredits = Callable[[Run, int], TurnCredits]


def no_credits(_run: Run, _episode: int) -> TurnCredits:
    """The default: credit is computed only on request."""
    return {}


def year_facts(year: ExportedYear) -> dict[str, Any]:
    """Where a year came from and how it ended; None while it has not."""
    terms, end = year.terms, year.end
    return {
        "canary": CANARY,
        "agent": year.run.label,
        "world": terms.world.name,
        "world_id": terms.world.id,
        "rules": terms.rule_set,
        "days": terms.days,
        "stake": terms.stake,
        "episode": year.episode,
        "ending": end.ending if end else None,
        "final_assets": end.assets if end else None,
    }


def sample_facts(year: ExportedYear, window: ContextWindow) -> dict[str, Any]:
    return year_facts(year) | {"window": window.number, "turns": window.new_turns}


def credits_of(turns: Sequence[int], credits: TurnCredits) -> list[dict[str, Any]]:
    """For each of the turns, in their order."""
    return [{"turn": turn, **credits[turn]} for turn in turns]
