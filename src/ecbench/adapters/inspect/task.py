"""The benchmark as a task of Inspect AI.

inspect eval ecbench/year --model PROVIDER/MODEL --epochs 5
inspect eval ecbench/year --model PROVIDER/MODEL --solver ecbench/react
"""

from dataclasses import asdict
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState
from inspect_ai.viewer import TaskSamplesColumn, TaskSamplesSort, TaskSamplesView, ViewerConfig

from ecbench.adapters.inspect.agent import merchant
from ecbench.adapters.inspect.sample_year import YearTerms, close_sample_year
from ecbench.adapters.inspect.tools import open_year, react_with_tools
from ecbench.harness.brief import FIRST_USER_MESSAGE
from ecbench.harness.inspect_internals import register_as
from ecbench.metrics.axes import AXES, axes_of
from ecbench.metrics.estimators import Report
from ecbench.metrics.measures import MEASURES
from ecbench.rules import DEFAULT_RULES, DEFAULT_SET, rule_set
from ecbench.world.load import load_world

__all__ = ["books", "merchant", "over_episodes", "react_with_tools", "year"]  # what Inspect finds here by name

SCORER = "ecbench/books"
REPORT = "ecbench_report"  # the report of the year, in the sample's metadata: changes of a store are logged twice
AXIS_NAMES = tuple(axis.name for axis in AXES)


@task
def year(
    days: int | None = None,
    world: str = "default",
    stake: float = DEFAULT_RULES.stake,
    max_turns: int = 4_000,
    brief: str | None = None,
    rules: str = DEFAULT_SET,
) -> Task:
    """One simulated year of an online business; each epoch is an episode.

    A model in the role `supplier` words the suppliers' letters; without one they speak from templates.

    Args:
        days: Length of the year, by default the world's.
        world: The name of a shipped world, or a folder.
        stake: Money to start with, in yuan.
        max_turns: Model answers after which the year ends; Inspect's own limits end it too.
        brief: A file with another job description.
        rules: The name of a rule set; `ecbench rules --sets` lists them.
    """
    loaded = load_world(world)
    wording = None if brief is None else Path(brief).read_text(encoding="utf-8")
    rule_set(rules)  # refused here, before any sample begins
    terms = YearTerms(world, loaded.days if days is None else days, float(stake), max_turns, wording, rules)
    facts = {"world_id": loaded.id, "days": terms.days, "stake": terms.stake, "rules": rules}
    return Task(
        dataset=MemoryDataset(
            [Sample(id=loaded.name, input=FIRST_USER_MESSAGE, metadata=facts)], name=f"ecbench-{loaded.name}"
        ),
        setup=open_year(terms),
        solver=merchant(terms),
        scorer=books(),
        config=GenerateConfig(cache_prompt=True),
        viewer=_viewer(),
        version=2,
    )


def _viewer() -> ViewerConfig:
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

    An axis for which no episode has a sample is left out, and so is the standard error of a single episode. Profit per
    call divides two means; its standard error is the jackknife's.
    """

    def measure(scores: list[SampleScore]) -> Value:
        years = [score.score for score in scores if isinstance(score.score.value, dict)]
        found: dict[str, str | int | float | bool | None] = {}
        for name in AXIS_NAMES:
            if name == "profit_per_call":
                found |= _per_call(years)
            else:
                found |= _mean(name, [value[name] for value in map(_values, years) if value[name] is not None])
        return found

    return measure


def _values(score: Score) -> dict[str, Any]:
    assert isinstance(score.value, dict)
    return dict(score.value)


def _mean(name: str, values: list[float]) -> dict[str, float]:
    if not values:
        return {}
    mean = {name: fmean(values)}
    return mean if len(values) < 2 else mean | {f"{name}_stderr": stdev(values) / len(values) ** 0.5}


def _per_call(years: list[Score]) -> dict[str, float]:
    measure, reports = MEASURES["profit_per_call"], [_report_part(score) for score in years]
    whole, count = measure.of_run(reports).value, len(reports)
    if whole is None:
        return {}
    parts = [measure.of_run(reports[:out] + reports[out + 1 :]).value for out in range(count)]
    without = [part for part in parts if part is not None]
    if len(without) < 2:
        return {"profit_per_call": whole}
    spread = (count - 1) / count * sum((part - fmean(without)) ** 2 for part in without)
    return {"profit_per_call": whole, "profit_per_call_stderr": spread**0.5}


def _report_part(score: Score) -> Report:
    """What profit per call reads of a year's report."""
    played = score.metadata or {}
    money = {"final_balance": _values(score)["final_assets"], "initial_balance": played["stake"]}
    return {"profitability": money, "run": {"tool_calls": played["tool_calls"]}}


@scorer(metrics=[over_episodes()], name=SCORER)
def books() -> Scorer:
    """The primary score and the six axes of one year; its whole report stands in the sample's metadata."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # a year has no right answer to be held against
        played = close_sample_year(state.uuid)
        if played is not None:
            state.metadata[REPORT] = played
        report = state.metadata.get(REPORT)
        if report is None:
            return Score.unscored(explanation="no year was played")
        found, run = asdict(axes_of([report])), report["run"]
        return Score(
            value={name: found[name] for name in AXIS_NAMES},
            answer=f"¥{found['final_assets']:,.0f}",
            explanation=(
                f"{run['ending'].replace('_', ' ')} after {run['turns']:,} turns and {run['tool_calls']:,} calls "
                f"with ¥{found['final_assets']:,.0f}"
            ),
            metadata={
                "tool_calls": run["tool_calls"],
                "stake": report["profitability"]["initial_balance"],
                "voice": run["voice"],
            },
        )

    return score


register_as(books, SCORER)  # the name in a log, by which `inspect score` finds it
