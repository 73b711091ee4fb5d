"""E-Commerce Bench for Gymnasium: `gymnasium.make("ecbench_gymnasium:ecbench/Year-v0")`, or import this first."""

import gymnasium

from ecbench_gymnasium.env import YearEnv

__all__ = ["YearEnv"]

gymnasium.register(id="ecbench/Year-v0", entry_point="ecbench_gymnasium.env:YearEnv")
