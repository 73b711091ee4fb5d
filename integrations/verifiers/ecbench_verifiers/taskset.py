"""Years as tasks: each on a fresh world, paid for what it ends with."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import verifiers.v1 as vf

from ecbench.rl import REWARDS, TRAINING, Setting, YearEnvironment
from ecbench.rules import DEFAULT_SET
from ecbench_verifiers.state import YearData, YearState
from ecbench_verifiers.toolset import YearToolset

if TYPE_CHECKING:
    YearTrace = vf.Trace[YearData, YearState]
else:
    YearTrace = vf.Trace  # verifiers looks for this very class among the annotations of a hook

FIRST_MESSAGE = "Your online business is yours to run from this morning on."


class YearTaskConfig(vf.TaskConfig):
    tools: vf.ToolsetConfig = vf.ToolsetConfig()
    reward: str = "growth"
    """Which of the rewards of `ecbench.rl` a year pays: growth, multiple or change."""


class YearTask(vf.Task[YearData, YearState, YearTaskConfig]):
    @classmethod
    def toolsets(cls, config: YearTaskConfig) -> list[vf.Toolset[Any, Any]]:
        return [YearToolset(config.tools)]

    @vf.stop
    async def year_is_over(self, trace: YearTrace) -> bool:
        return bool(trace.state.ending)

    @vf.reward(weight=1.0)
    async def earned(self, trace: YearTrace) -> float:
        """A year that its agent left is settled as it stood after the last call."""
        final = trace.state.assets if trace.state.turns else self.data.stake
        return REWARDS[self.config.reward](final, self.data.stake)

    @vf.metric
    async def final_assets(self, trace: YearTrace) -> float:
        return trace.state.assets if trace.state.turns else self.data.stake

    @vf.metric
    async def days_played(self, trace: YearTrace) -> float:
        return float(trace.state.day)


class YearConfig(vf.TasksetConfig):
    years: int = 64
    """How many tasks there are, each on a world of its own."""
    first_seed: int = TRAINING[0]
    """The seed of the first world; the others follow it."""
    days: int = 30
    stake: float = 100_000.0
    rules: str = DEFAULT_SET
    max_turns: int = 40_000
    """Calls after which a year ends: here each call is a turn."""
    task: YearTaskConfig = YearTaskConfig()


class YearTaskset(vf.Taskset[YearTask, YearConfig]):  # type: ignore[type-var]  # its bound names the plain state
    def load(self) -> Iterator[YearTask]:
        config = self.config
        year = YearEnvironment(Setting(days=config.days, stake=config.stake, rules=config.rules))
        for seed in range(config.first_seed, config.first_seed + config.years):
            data = YearData(
                name=f"seed-{seed}, {config.days} days",
                system_prompt=year.reset(world_seed=seed).brief,
                prompt=FIRST_MESSAGE,
                world_seed=seed,
                days=config.days,
                stake=config.stake,
                rules=config.rules,
                max_turns=config.max_turns,
            )
            yield YearTask(data, config.task)
