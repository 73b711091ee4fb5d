"""E-Commerce Bench for Gymnasium: `gymnasium.make("ecbench_gymnasium:ecbench/Year-v0")`, or import this first.

`ecbench/Year-v0` is played with texts, `ecbench/Numbers-v0` with arrays, alone or as a vector of years.
`NumericArena` is an environment of PettingZoo with several seats.
"""

import gymnasium

from ecbench_gymnasium.env import YearEnv
from ecbench_gymnasium.numbers import NumericArena, NumericEnv, NumericVectorEnv

__all__ = ["NumericArena", "NumericEnv", "NumericVectorEnv", "YearEnv"]

gymnasium.register(id="ecbench/Year-v0", entry_point="ecbench_gymnasium.env:YearEnv")
gymnasium.register(
    id="ecbench/Numbers-v0",
    entry_point="ecbench_gymnasium.numbers:NumericEnv",
    vector_entry_point="ecbench_gymnasium.numbers:NumericVectorEnv",
)
