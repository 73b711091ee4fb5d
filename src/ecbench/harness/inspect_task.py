"""The benchmark as a task of Inspect AI.

inspect eval ecbench/year --model PROVIDER/MODEL --epochs 5
"""

import math
from dataclasses import asdict
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from ecbench.harness.brief import FIRST_USER_MESSAGE
from ecbench.harness.inspect_agent import REPORT, merchant
from ecbench.metrics.axes import axes
from ecbench.metrics.leaderboard import AXES
from ecbench.rules import DEFAULT_RULES
from ecbench.world.load import load_world

AXIS_NAMES = tuple(axis.name for axis in AXES)


@task
def year(
    days: int | None = None,
    world: str = "default",
    stake: float = DEFAULT_RULES.stake,
    max_turns: int = 4_000,
    brief: str | None = None,
) -> Task:
    """One simulated year of an online business; each epoch is an episode.

    A model in the role `supplier` words the suppliers' letters; without one they speak from templates.

    Args:
        days: Length of the year, by default the world's.
        world: The name of a shipped world, or a folder.
        stake: Opening money in yuan.
        max_turns: Model answers after which the year ends; Inspect's own limits end it too.
        brief: A file with another job description.
    """
    loaded = load_world(world)
    days = loaded.days if days is None else days
    wording = None if brief is None else Path(brief).read_text(encoding="utf-8")
    return Task(
        dataset=[Sample(id=loaded.name, input=FIRST_USER_MESSAGE, metadata={"world_id": loaded.id, "days": days})],
        solver=merchant(world, days, float(stake), max_turns, wording),
        scorer=books(),
        config=GenerateConfig(cache_prompt=True),
        version=1,
    )


@metric(scores="unreduced")
def over_episodes() -> Metric:
    """The seven axes over all episodes, each with the paper's estimator; nan where no episode has a sample for one."""

    def measure(scores: list[SampleScore]) -> Value:
        reports = [score.score.metadata["report"] for score in scores if score.score.metadata]
        if not reports:
            return dict.fromkeys(AXIS_NAMES, math.nan)
        found = asdict(axes(reports))
        return {name: math.nan if found[name] is None else found[name] for name in AXIS_NAMES}

    return measure


@scorer(metrics=[over_episodes()])
def books() -> Scorer:
    """The primary score and the six axes of one year."""

    async def score(state: TaskState, target: Target) -> Score:
        del target  # a year has no right answer to be held against
        report = state.store.get(REPORT)
        if report is None:
            return Score.unscored(explanation="no year was played")
        found = asdict(axes([report]))
        run = report["run"]
        return Score(
            value={name: found[name] for name in AXIS_NAMES},
            answer=f"¥{found['final_assets']:,.0f}",
            explanation=(
                f"{run['ending'].replace('_', ' ')} after {run['turns']:,} turns and {run['tool_calls']:,} calls "
                f"with ¥{found['final_assets']:,.0f}"
            ),
            metadata={"report": report},
        )

    return score
