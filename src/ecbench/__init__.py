"""E-Commerce Bench: the public interface, whose names resolve on first use so that `ecbench --help` stays quick."""

from importlib import import_module

TYPE_CHECKING = False  # as type checkers know it; `python -m ecbench` would look for `typing` in the current folder
if TYPE_CHECKING:
    from typing import Any

    from ecbench import harness
    from ecbench.arena import Arena
    from ecbench.episode import Episode
    from ecbench.players.merchants.protocol import call
    from ecbench.rules import Rules
    from ecbench.runs.evaluate import evaluate
    from ecbench.runs.results.frames import load_run
    from ecbench.suppliers.named_kernel import open_kernel
    from ecbench.tools import tool_schemas
    from ecbench.world.load import load_world

__version__ = "0.2.0"
__all__ = [
    "Arena",
    "Episode",
    "Rules",
    "__version__",
    "call",
    "evaluate",
    "harness",
    "load_run",
    "load_world",
    "open_kernel",
    "tool_schemas",
]

_HOMES = {
    "Arena": "ecbench.arena",
    "Episode": "ecbench.episode",
    "Rules": "ecbench.rules",
    "call": "ecbench.players.merchants.protocol",
    "evaluate": "ecbench.runs.evaluate",
    "load_run": "ecbench.runs.results.frames",
    "load_world": "ecbench.world.load",
    "open_kernel": "ecbench.suppliers.named_kernel",
    "tool_schemas": "ecbench.tools",
}


def __getattr__(name: str) -> "Any":
    if name == "harness":
        return import_module("ecbench.harness")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ecbench' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return __all__
