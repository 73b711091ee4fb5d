"""The seven axes, and a place on each of them among the paper's eighteen models."""

from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from ecbench.metrics.axes import Axes
from ecbench.metrics.published import published_models


@dataclass(frozen=True, slots=True)
class Axis:
    """One of the seven, and which direction is the better one."""

    name: str  # a field of `Axes` and of the leaderboard's rows
    title: str
    higher_is_better: bool


AXES = (
    Axis("final_assets", "Final assets", True),
    Axis("cse_plus", "CSE+", True),
    Axis("bad_spend_percent", "BadSpend%", False),
    Axis("drawdown_over_peak", "Drawdown/peak", False),
    Axis("profit_per_call", "¥ per call", True),
    Axis("controllable_return_points", "Controllable return", False),
    Axis("anchor_ratio", "AnchorRatio", False),
)


@cache
def leaderboard() -> tuple[dict[str, Any], ...]:
    """One row per model, best final assets first."""
    return tuple(
        {"model": model.name, "tier": model.tier, "episodes": model.episodes}
        | {name: printed.value for name, printed in model.figures.items()}
        | {"final_assets_std": model.figures["final_assets"].spread}
        for model in published_models()
    )


def rank(axis: Axis, value: float | None) -> int | None:
    """The place among the eighteen, as one more; a tie shares the better place."""
    if value is None:
        return None
    sign = 1 if axis.higher_is_better else -1
    return 1 + sum(bool(sign * row[axis.name] > sign * value) for row in leaderboard())


def ranks(figures: Axes) -> dict[str, int | None]:
    """The place on every axis. A business that failed leads none of them.

    Who goes bankrupt early has hardly been cheated or sent goods back, and that is no merit: where every year ended so,
    only assets have a place, and where one did, no place is the first.
    """
    values = asdict(figures)
    places = {axis.name: rank(axis, values[axis.name]) for axis in AXES}
    if figures.bankrupt_runs == figures.episodes:
        places = {name: place if name == "final_assets" else None for name, place in places.items()}
    if figures.bankrupt_runs:
        places = {name: None if place is None else max(2, place) for name, place in places.items()}
    return places
