"""The axes over the episodes of a run: the paper's seven (sec:eval, app:metrics), and those of `fair`.

Rules that rank by skill show the axes of abilities (`abilities`), other rules the paper's. Means run over all episodes,
bankrupt ones pooled in. Profit per call and per minute divide two means (eq:e4_ppc); everything else averages
per-episode values. All other measures: `measures`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass

from ecbench.metrics.estimators import Figure, Measure
from ecbench.metrics.labels import BANDS
from ecbench.metrics.measures import AXIS_ROWS, MEASURES
from ecbench.rules import Rules

Axis = Measure
"""A measure that tables show beside others, with a title and a reading of its own (`data/axes.csv`)."""


def _axes(of: str) -> tuple[Axis, ...]:
    return tuple(MEASURES[name] for name, row in AXIS_ROWS.items() if row["set"] == of)


AXES, ABILITIES = _axes("paper"), _axes("abilities")
ASSETS, BAD_SPEND = MEASURES["final_assets"], MEASURES["bad_spend_percent"]
SKILL = MEASURES["skill"]
"""How far a year came towards the bound: the primary score where `ranked_by_skill` says so, and a reading elsewhere."""
ALL_AXES = (*AXES, SKILL, *ABILITIES)
CONDUCT_AXES = _axes("conduct")
"""Secondary axes of episodes whose rules count conduct."""


def axes_beside(primary: Axis) -> tuple[Axis, ...]:
    """Those that tables show behind final assets and skill: abilities where skill ranks, else the paper's six."""
    return ABILITIES if primary is SKILL else AXES[1:]


def legend(axes: Sequence[Axis]) -> str:
    """What the axes say, and which direction is better."""
    lists = [
        ", ".join(f"{axis.title} ({axis.reading})" for axis in axes if axis.higher_is_better == higher)
        for higher in (True, False)
    ]
    return f"Higher is better for {lists[0]}. Lower is better for {lists[1]}."


def primary_axis(rules: Rules) -> Axis:
    """The axis that ranks years under some rules."""
    return SKILL if rules.ranked_by_skill else ASSETS


@dataclass(frozen=True, slots=True)
class AxisFigures:
    """The columns of the paper's leaderboard and those of `fair`, over the years of a run."""

    episodes: int
    final_assets: float
    final_assets_std: float | None  # of the sample; None for a single year
    multiplier: float | None
    cse_plus: float | None
    bad_spend_percent: float | None
    drawdown_over_peak: float | None
    profit_per_call: float | None
    controllable_return_points: float | None
    anchor_ratio: float | None
    tool_calls: float
    turns: float
    bankrupt_runs: int
    activity: dict[str, float] | None = None  # the eight bands; None where no call was made
    skill: float | None = None  # None where no bound is known
    range_captured: float | None = None
    lost_to_cheats_percent: float | None = None
    service_loss_percent: float | None = None
    most_committed: float | None = None
    profit_per_minute: float | None = None
    learning_gain: float | None = None


def axes_of(figures: Mapping[str, Figure]) -> AxisFigures:
    """Of all measures over at least one episode."""
    values = {name: figure.value for name, figure in figures.items()}
    activity = {band: share / 100 for band in BANDS if (share := values[f"{band}_percent"]) is not None}
    assets, spread, episodes = astuple(figures["final_assets"])  # which every year has
    return AxisFigures(
        episodes=episodes,
        final_assets=assets,
        final_assets_std=spread,
        multiplier=values["multiplier"],
        tool_calls=values["tool_calls"] or 0.0,
        turns=values["turns"] or 0.0,
        bankrupt_runs=int(values["bankrupt_runs"] or 0),
        activity=activity or None,
        **{axis.name: values[axis.name] for axis in ALL_AXES if axis is not ASSETS},
    )
