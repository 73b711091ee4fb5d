"""Years for training: reset, step, reward. Knows no framework; the packages under `integrations/` adapt it to some.

year = YearEnvironment(Setting(days=30, reward="growth"))
opening = year.reset(world_seed=1_000_007)
step = year.step([{"name": "wait_for_next_day", "arguments": {}}])
step.observation, step.reward, step.terminated, step.truncated

Seeds are split by use, so that no policy is scored on a world that it was trained on. Those below a million are for
scores that are published.
"""

from ecbench.players.action_parser import Action, read_action
from ecbench.rl.environment import BOOKS, REWARDS, Opening, Setting, Step, YearEnvironment

TRAINING = range(1_000_000, 2_000_000)
HELD_OUT = range(2_000_000, 2_001_000)

__all__ = [
    "BOOKS",
    "HELD_OUT",
    "REWARDS",
    "TRAINING",
    "Action",
    "Opening",
    "Setting",
    "Step",
    "YearEnvironment",
    "read_action",
]
