"""The executors of the worker pool by their names. What they play is imported by the one that is chosen."""

from importlib import import_module
from typing import TYPE_CHECKING

from ecbench.errors import RunError
from ecbench.extras import import_with_extra
from ecbench.ranges import near_miss
from ecbench.runs.workers.pool import Executor, Inline
from ecbench.runs.workers.processes import Processes

if TYPE_CHECKING:
    from ecbench.runs.terms import Terms

EXECUTORS = ("inline", "concurrent", "processes", "ray")


def choose_executor(name: str | None, terms: "Terms", jobs: int = 1, episodes: int = 1) -> Executor:
    """The named executor, or the one that fits: a model mostly waits for its provider, a merchant never waits.

    Raises RunError if there is none of that name, or if it does not play such an agent.
    """
    agent = terms.seats[0]
    if name is None:
        if agent.asks_model and not terms.shared:
            return get_executor("concurrent")
        return get_executor("processes" if jobs > 1 and episodes > 1 else "inline")
    if name == "concurrent" and not agent.asks_model:
        raise RunError(
            f"the concurrent executor plays models, and {agent.agent} is a merchant, which never waits; use --executor "
            "processes"
        )
    if name == "ray" and (terms.model_voice or any(seat.asks_model for seat in terms.seats)):
        raise RunError("the ray executor plays merchants; a model waits for its provider, so leave out --executor")
    return get_executor(name)


def get_executor(name: str) -> Executor:
    """Raises RunError if there is none of that name."""
    executor: Executor
    match name:
        case "inline":
            executor = Inline()
        case "concurrent":
            executor = import_module("ecbench.runs.play.play_here").Concurrent()
        case "processes":
            executor = Processes()
        case "ray":
            executor = import_with_extra("ecbench.runs.workers.ray", "ray").RayCluster()
        case _:
            others = f"there are {', '.join(EXECUTORS)}"
            raise RunError(f"there is no executor {name!r:.60}; {near_miss(name, EXECUTORS, others)}")
    return executor
