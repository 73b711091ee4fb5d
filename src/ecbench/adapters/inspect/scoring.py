"""The score of a year in Inspect AI: the seven axes, their estimates over episodes, and the table that shows them."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from logging import getLogger
from statistics import fmean
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState
from inspect_ai.viewer import TaskSamplesColumn, TaskSamplesSort, TaskSamplesView, ViewerConfig

from ecbench.adapters.inspect.sample_year import close_sample_year
from ecbench.metrics.axes import AXES, axes_of
from ecbench.metrics.estimators import Report
from ecbench.metrics.measures import MEASURES, measured

SCORER = "books"
REPORT = "ecbench_report"  # in the sample's metadata; Inspect logs its store twice
NEVER_CALLED = "no tool was called, so this is no result; is tool calling on, and does the solver pass the calls on?"
AXIS_NAMES = tuple(axis.name for axis in AXES)


_log = getLogger(__name__)


def axes_viewer() -> ViewerConfig:
    """The samples of a log as a table of the seven axes, richest year first; green is better."""
    columns = [TaskSamplesColumn(id=name) for name in ("sampleId", "epoch")]
    return ViewerConfig(
        task_samples_view=TaskSamplesView(
            name="Axes",
            columns=[*columns, *(TaskSamplesColumn.score(SCORER, name) for name in AXIS_NAMES)],
            sort=[TaskSamplesSort.score(SCORER, "final_assets", dir="desc")],
            multiline=False,
            score_labels={axis.name: axis.title for axis in AXES},
            score_color_scales={axis.name: "good-high" if axis.higher_is_better else "good-low" for axis in AXES},
            color_scales_enabled=True,
        )
    )


@metric(scores="unreduced")
def over_episodes() -> Metric:
    """The seven axes over all episodes, each with the paper's estimator and its standard error.

    An axis without a sample in any episode is left out, and so is the standard error of a single episode. Standard
    errors are the jackknife's: of a mean that is the usual one, and profit per call divides two means.
    """

    def measure(scores: list[SampleScore]) -> Value:
        years = [score.score for score in scores if isinstance(score.score.value, dict)]
        found: dict[str, str | int | float | bool | None] = {}
        for name in AXIS_NAMES:
            if name == "profit_per_call":
                found |= _with_error(name, _per_call, years)
            else:
                known = [year for year in years if _values(year)[name] is not None]
                with_zeros = known and MEASURES[name].sample is not None
                found |= _with_error(name, partial(_mean, name), years if with_zeros else known)
        return found

    return measure


def _values(score: Score) -> dict[str, Any]:
    assert isinstance(score.value, dict)
    return dict(score.value)


def _mean(name: str, years: Sequence[Score]) -> float | None:
    return fmean(_values(year)[name] or 0.0 for year in years) if years else None


def _per_call(years: Sequence[Score]) -> float | None:
    return MEASURES["profit_per_call"].of_run([_report_part(score) for score in years]).value


def _with_error(
    name: str, estimate: Callable[[Sequence[Score]], float | None], years: Sequence[Score]
) -> dict[str, float]:
    """The estimate over all years, and its jackknife standard error from two years on."""
    value = estimate(years)
    if value is None:
        return {}
    parts = [estimate([*years[:out], *years[out + 1 :]]) for out in range(len(years))]
    without = [part for part in parts if part is not None]
    if len(without) < 2:
        return {name: value}
    spread = (len(years) - 1) / len(years) * sum((part - fmean(without)) ** 2 for part in without)
    return {name: value, f"{name}_stderr": spread**0.5}


def _report_part(score: Score) -> Report:
    """What profit per call reads of a year's report."""
    played = score.metadata or {}
    money = {"final_balance": _values(score)["final_assets"], "initial_balance": played["stake"]}
    return {"profitability": money, "run": {"tool_calls": played["tool_calls"]}}


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
        found, run = asdict(axes_of(measured([report]))), report["run"]
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
