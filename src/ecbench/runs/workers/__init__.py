"""The executors of the worker pool. What they play is imported by the one that is chosen."""

from importlib import import_module
from typing import TYPE_CHECKING

from ecbench.errors import RunError
from ecbench.extras import import_with_extra
from ecbench.runs.workers.pool import Executor, Inline
from ecbench.runs.workers.processes import Processes

if TYPE_CHECKING:
    from ecbench.runs.terms import Terms


def choose_executor(name: str | None, terms: "Terms", jobs: int = 1, episodes: int = 1) -> Executor:
    """The executor that fits: a model mostly waits for its provider, a merchant never waits. `name` selects another.

    Raises RunError if there is none of that name, or if it does not play such an agent.
    """
    executor: Executor = Inline()
    if name == "ray":
        if terms.asks_model:
            raise RunError("the ray executor plays merchants; a model waits for its provider, so leave out --executor")
        executor = import_with_extra("ecbench.runs.workers.ray", "ray").RayCluster()
    elif name not in (None, "processes"):
        raise RunError(f"there is no executor {name!r:.60}; there are processes and ray")
    elif name is None and terms.seats[0].asks_model and not terms.shared:
        executor = import_module("ecbench.runs.play.play_here").Concurrent()
    elif name or (jobs > 1 and episodes > 1):
        executor = Processes()
    return executor
