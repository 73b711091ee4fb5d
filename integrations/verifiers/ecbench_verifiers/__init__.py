"""E-Commerce Bench for verifiers, which finds the taskset, its default harness and its environment in `__all__`."""

from ecbench_verifiers.harness import LocalYearEnv, YearHarness
from ecbench_verifiers.taskset import YearTaskset

__all__ = ["LocalYearEnv", "YearHarness", "YearTaskset"]
