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
    values = asdict(figures)
    return {axis.name: rank(axis, values[axis.name]) for axis in AXES}
