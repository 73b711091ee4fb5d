"""E-Commerce Bench for verifiers: `vf-eval ecbench-verifiers`."""

from ecbench_verifiers.taskset import YearTaskset

__all__ = ["YearTaskset"]
