"""Years for training: reset, step, reward. Knows no framework; the packages under `integrations/` adapt it to some.

year = YearEnvironment(Setting(days=30, reward="growth"))
opening = year.reset(world_seed=1_000_007)
step = year.step([{"name": "wait_for_next_day", "arguments": {}}])
step.observation, step.reward, step.terminated, step.truncated
"""

from ecbench.players.action_parser import Action, read_action
from ecbench.rl.curriculum import HELD_OUT, STAGES, TRAINING, Curriculum, Lesson
from ecbench.rl.environment import BOOKS, REWARDS, Opening, Setting, Step, YearEnvironment

__all__ = [
    "BOOKS",
    "HELD_OUT",
    "REWARDS",
    "STAGES",
    "TRAINING",
    "Action",
    "Curriculum",
    "Lesson",
    "Opening",
    "Setting",
    "Step",
    "YearEnvironment",
    "read_action",
]
