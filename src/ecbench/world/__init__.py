"""The data layer: everything an episode runs on, read from plain files and never changed."""

from ecbench.world.load import load_world, shipped_worlds
from ecbench.world.model import World
from ecbench.world.problems import Problem, WorldError

__all__ = ["Problem", "World", "WorldError", "load_world", "shipped_worlds"]
