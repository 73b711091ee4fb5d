"""Imports that wait until a command needs them."""

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType

from ecbench.errors import RunError

SERVING = frozenset({"anyio", "httptools", "jinja2", "starlette", "uvicorn"})
PACKAGES = {"serve": SERVING, "mcp": SERVING | {"mcp", "mcp_types"}}
"""The packages that an extra brings, of those that are imported."""


def import_with_extra(module: str, extra: str) -> ModuleType:
    """Import a module; raises RunError with the extra to install where one of its packages is missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in PACKAGES[extra]:
            raise
        raise RunError(f"{error.name} is not installed: pip install 'ecbench[{extra}]'") from error


def import_on_use(package: str, extras: Mapping[str, str] | None = None) -> Callable[[str], ModuleType]:
    """Return the `__getattr__` of a package that imports its modules when they are first used.

    `extras` names the extra that a module needs, by module.
    """

    def module_called(name: str) -> ModuleType:
        if name.startswith("__"):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        extra = (extras or {}).get(name)
        return import_with_extra(f"{package}.{name}", extra) if extra else import_module(f"{package}.{name}")

    return module_called
