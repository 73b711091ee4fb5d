"""What Inspect AI finds by name: the tasks, solvers, scorer and metric of the package."""

from ecbench.adapters.inspect.agent import merchant
from ecbench.adapters.inspect.scoring import books, over_episodes
from ecbench.adapters.inspect.task import year
from ecbench.adapters.inspect.tools import react_with_tools, scripted_merchant

__all__ = ["books", "merchant", "over_episodes", "react_with_tools", "scripted_merchant", "year"]
