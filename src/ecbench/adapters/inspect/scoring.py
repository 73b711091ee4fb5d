"""The score of a year in Inspect AI: the seven axes, and their estimates over episodes."""

from logging import getLogger
from math import sqrt
from statistics import fmean, stdev
from typing import cast

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from ecbench.adapters.inspect.sample_year import close_sample_year
from ecbench.metrics.measures import AXES, axis_values, measured

SCORER = "books"
REPORT = "ecbench_report"  # in the sample's metadata; Inspect logs its store twice
NEVER_CALLED = "no tool was called, so this is no result; is tool calling on, and does the solver pass the calls on?"
AXIS_NAMES = tuple(axis.name for axis in AXES)


_log = getLogger(__name__)


@metric(scores="unreduced")
def over_episodes() -> Metric:
    """The seven axes over all episodes by the paper's estimators, and the standard errors of those that are means.

    An axis without a sample in any episode is left out, and so is the standard error of a single episode.
    """

    def measure(scores: list[SampleScore]) -> Value:
        years = [(score.score.value, score.score.metadata or {}) for score in scores]
        played = [(value, more) for value, more in years if isinstance(value, dict)]
        found: dict[str, str | int | float | bool | None] = {}
        for axis in AXES:
            values = [cast("float | None", value[axis.name]) for value, _ in played]
            known = [value for value in values if value is not None]
            if not known:
                continue
            if axis.over is not None:  # profit per call, which divides two means
                profit = sum(cast("float", value["final_assets"]) - more["stake"] for value, more in played)
                found[axis.name] = profit / sum(more["tool_calls"] for _, more in played)
                continue
            counted = [value or 0.0 for value in values] if axis.sample is not None else known
            found[axis.name] = fmean(counted)
            if len(counted) > 1:
                found[f"{axis.name}_stderr"] = stdev(counted) / sqrt(len(counted))
        return found

    return measure


@scorer(metrics=[over_episodes()])
def books() -> Scorer:
    """The primary score and the six axes of one year; its whole report stands in the sample's metadata."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # a year has no right answer
        played = close_sample_year(state.uuid)
        if played is not None:
            state.metadata[REPORT] = played
        report = state.metadata.get(REPORT)
        if report is None:
            return Score.unscored(explanation="no year was played")
        found, run = axis_values(measured([report])), report["run"]
        idle = "" if run["tool_calls"] else NEVER_CALLED
        if idle:
            _log.warning("ecbench: %s", idle)
        return Score(
            value={name: found[name] for name in AXIS_NAMES},
            answer=f"¥{found['final_assets']:,.0f}",
            explanation=(
                f"{run['ending'].replace('_', ' ')} after {run['turns']:,} turns and {run['tool_calls']:,} calls "
                f"with ¥{found['final_assets']:,.0f}{idle and f': {idle}'}"
            ),
            metadata={
                **({"never_acted": True} if idle else {}),
                "tool_calls": run["tool_calls"],
                "stake": report["profitability"]["initial_balance"],
                "voice": run["voice"],
            },
        )

    return score
