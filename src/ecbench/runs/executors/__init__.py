"""Where episodes are played. An executor is named, or given as `module:Class` by whoever wrote another one."""

from importlib import import_module
from typing import cast

from ecbench.runs.executors.protocol import Executor, Work
from ecbench.runs.problems import RunError

__all__ = ["EXECUTORS", "Executor", "Work", "get_executor"]

EXECUTORS = {
    "inline": ("ecbench.runs.executors.inline:Inline", "one episode after another in this process"),
    "concurrent": (
        "ecbench.runs.executors.concurrent:Concurrent",
        "models only: --jobs at a time in this process, each while the others wait",
    ),
    "processes": ("ecbench.runs.executors.processes:Processes", "a process each on this machine, --jobs at a time"),
    "ray": ("ecbench.runs.executors.ray:RayCluster", "workers of a Ray cluster, --jobs at a time"),
}


def get_executor(name: str) -> Executor:
    place = EXECUTORS[name][0] if name in EXECUTORS else name
    module, colon, attribute = place.partition(":")
    if not colon:
        raise RunError(f"there is no executor {name!r}; there are {', '.join(EXECUTORS)}, or module:Class of your own")
    try:
        return cast(Executor, vars(import_module(module))[attribute]())
    except ImportError as error:
        advice = "; install it with: pip install 'ecbench[ray]'" if error.name == "ray" else ""
        raise RunError(f"executor {name} cannot be loaded: {error}{advice}") from error
    except KeyError as error:
        raise RunError(f"executor {name} cannot be loaded: {module} has no {attribute}") from error
