"""The executors of the worker pool by their names; the user gives another one as `module:Class`."""

from ecbench.errors import RunError
from ecbench.extras import import_with_extra
from ecbench.players.user_errors import failing_as
from ecbench.runs.play.agents import is_model
from ecbench.runs.terms import Terms
from ecbench.runs.workers.pool import Executor

__all__ = ["EXECUTORS", "choose_executor", "get_executor"]

EXECUTORS = {
    "inline": "ecbench.runs.workers.inline:Inline",
    "concurrent": "ecbench.runs.workers.concurrent:Concurrent",
    "processes": "ecbench.runs.workers.processes:Processes",
    "ray": "ecbench.runs.workers.ray:RayCluster",
}


def choose_executor(name: str | None, terms: Terms, jobs: int = 1, episodes: int = 1) -> Executor:
    """The named executor, or the one that fits: a model mostly waits for its provider, a merchant never waits."""
    if name is not None:
        return get_executor(name)
    if is_model(terms.seats[0].agent) and not terms.shared:
        return get_executor("concurrent")
    return get_executor("processes" if jobs > 1 and episodes > 1 else "inline")


def get_executor(name: str) -> Executor:
    """By its name or place; raises RunError where it cannot be loaded."""
    place = EXECUTORS.get(name, name)
    module, colon, attribute = place.partition(":")
    if not (module and colon and attribute):
        raise RunError(f"there is no executor {name!r}; there are {', '.join(EXECUTORS)}, or module:Class of your own")
    with failing_as(RunError, f"executor {name} cannot be loaded"):
        try:
            made = vars(import_with_extra(module, "ray"))
        except ImportError as error:
            raise RunError(f"executor {name} cannot be loaded: {error}") from error
        if not isinstance(made.get(attribute), type):
            raise RunError(f"executor {name} cannot be loaded: {module} has no class {attribute!r}")
        executor = made[attribute]()
        if not isinstance(executor, Executor):
            raise RunError(f"executor {name} cannot be loaded: an executor needs a method run(self, queue)")
        return executor
