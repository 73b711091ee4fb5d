"""E-Commerce Bench for OpenEnv."""

from ecbench_openenv.client import YearClient
from ecbench_openenv.models import YearAction, YearObservation, YearState

__all__ = ["YearAction", "YearClient", "YearObservation", "YearState"]
