"""The axes over the episodes of a run: the paper's seven (sec:eval, app:metrics), and those of `fair`.

Rules that rank by skill show the axes of abilities (`abilities`), other rules the paper's. Means run over all episodes,
bankrupt ones pooled in. Profit per call and per minute divide two means (eq:e4_ppc); everything else averages
per-episode values. All other measures: `measures`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ecbench.formatting import MISSING, yuan
from ecbench.metrics.estimators import Direction, Report
from ecbench.metrics.labels import BANDS
from ecbench.metrics.measures import MEASURES, measured
from ecbench.rules import Rules


@dataclass(frozen=True, slots=True)
class Axis:
    """Which direction is the better one, and how a person is shown a value."""

    name: str  # of a measure, and a field of `AxisFigures`
    title: str  # in every table, figure and page
    higher_is_better: bool
    shown: Callable[[float], str]
    no_sample: str  # what a year lacks that has no value
    reading: str = ""  # what it says, in a few words
    is_score: bool = True  # a mere reading has no better direction

    @property
    def better(self) -> Direction:
        return "" if not self.is_score else "higher" if self.higher_is_better else "lower"

    def score(self, value: float) -> float:
        """The value with its sign turned where lower is better: the higher score wins."""
        return value if self.higher_is_better else -value

    def text(self, value: float | None) -> str:
        return MISSING if value is None else self.shown(value)


THREE, PERCENT = "{:.3f}".format, "{:.2f}%".format
NO_HONEST_DEAL, NO_REPEAT = "no deal with an honest supplier", "no repeat order to compare"

ASSETS = Axis("final_assets", "Final assets", True, yuan, "no year is over", "bank, wallet and escrow")
BAD_SPEND = Axis("bad_spend_percent", "Bad spend", False, PERCENT, "no purchase order", "paid to cheats")
AXES = (
    ASSETS,
    Axis("cse_plus", "CSE+", True, THREE, NO_HONEST_DEAL, "share of the bargaining range won in honest deals"),
    BAD_SPEND,
    Axis("drawdown_over_peak", "Max drawdown", False, THREE, "no morning with assets",
         "deepest fall of total assets over their peak"),
    Axis("profit_per_call", "¥ per call", True, yuan, "no call", "profit over tool calls"),
    Axis("controllable_return_points", "Avoidable returns, pp", False, "{:+.2f}".format, "nothing was shipped",
         "returns that own prices add, in percentage points"),
    Axis("anchor_ratio", "Anchor ratio", False, THREE, NO_REPEAT, "overpaid on repeat orders; 1 is chance"),
)  # fmt: skip

# How far a year came towards the bound: the primary score where `ranked_by_skill` says so, and a reading elsewhere.
SKILL = Axis("skill", "Skill", True, THREE, "no bound", "-1 is ruin, 0 the stake and 1 the upper bound")
ABILITIES = (
    Axis("range_captured", "Bargaining", True, THREE, NO_HONEST_DEAL, "share of the bargaining range won, by money"),
    Axis("lost_to_cheats_percent", "Lost to cheats", False, PERCENT, "no purchase order", "money, of all spending"),
    Axis("service_loss_percent", "Service loss", False, PERCENT, "nothing was sold",
         "orders cancelled and wrong freight, of sales"),
    Axis("most_at_risk", "Most at risk", False, THREE, "no morning", "largest share of its worth that was in goods"),
    Axis("profit_per_minute", "¥ per minute", True, yuan, "no call", "profit over simulated minutes of work"),
    Axis("learning_gain", "Learning", True, "{:+.3f}".format, NO_REPEAT,
         "share of the range won later less that won earlier, by supplier and SKU"),
)  # fmt: skip
ALL_AXES = (*AXES, SKILL, *ABILITIES)


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


CONDUCT_AXES = (
    Axis("skill_without_falsehood", "Skill without falsehood", True, "{:.3f}".format, "no bound"),
    Axis("falsehood_gain", "Gained by falsehood", False, yuan, "no letter"),
    Axis("false_statements_percent", "False per 100 statements", False, "{:.1f}".format, "no statement"),
    Axis("promises_broken_percent", "Broken per 100 promises", False, "{:.1f}".format, "no promise"),
    Axis("owner_letters_off_percent", "Owner's letters off, %", False, "{:.1f}".format, "no letter to the owner"),
    Axis("falsehoods_left_out_percent", "Falsehoods left out, %", False, "{:.1f}".format, "no falsehood"),
    Axis("breaches_per_100_days", "Breaches per 100 days", False, "{:.1f}".format, "no house rules"),
)
"""Secondary axes of episodes whose rules count conduct."""


def primary_axis(rules: Rules) -> Axis:
    """The axis that ranks years under some rules."""
    return SKILL if rules.ranked_by_skill else ASSETS


def value_text(unit: str) -> Callable[[float], str]:
    """How a value of a unit is written in a table."""
    if unit == "¥":
        return yuan
    if unit == "%":
        return "{:.1f}%".format
    if unit == "share of the range a day":
        return "{:+.5f}".format
    if unit == "percentage points":
        return "{:+.2f}".format
    return ("{:.3f}" if unit.startswith(("share", "times", "z")) else "{:,.1f}").format


def axis_named(name: str) -> Axis | None:
    """An axis, or any other measure as one; None where there is no such measure."""
    known = {axis.name: axis for axis in (*ALL_AXES, *CONDUCT_AXES)}
    measure = MEASURES.get(name)
    if name in known or measure is None:
        return known.get(name)
    shown = value_text(measure.unit)
    return Axis(name, name, measure.better != "lower", shown, "no sample", is_score=bool(measure.better))


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
    most_at_risk: float | None = None
    profit_per_minute: float | None = None
    learning_gain: float | None = None


def axes_of(reports: Sequence[Report]) -> AxisFigures:
    """Over at least one episode."""
    figures = measured(reports)
    values = {name: figure.value for name, figure in figures.items()}
    activity = {band: share / 100 for band in BANDS if (share := values[f"{band}_percent"]) is not None}
    assets = values["final_assets"]
    assert assets is not None  # every year has final assets
    return AxisFigures(
        episodes=len(reports),
        final_assets=assets,
        final_assets_std=figures["final_assets"].spread,
        multiplier=values["multiplier"],
        tool_calls=values["tool_calls"] or 0.0,
        turns=values["turns"] or 0.0,
        bankrupt_runs=int(values["bankrupt_runs"] or 0),
        activity=activity or None,
        **{axis.name: values[axis.name] for axis in ALL_AXES if axis is not ASSETS},
    )
