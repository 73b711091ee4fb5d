"""E-Commerce Bench for OpenEnv."""

from ecbench_env.client import EcbenchEnv
from ecbench_env.models import YearAction, YearObservation, YearState

__all__ = ["EcbenchEnv", "YearAction", "YearObservation", "YearState"]
