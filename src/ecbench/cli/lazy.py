"""Imports that wait until a command needs them."""

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType

from ecbench.extras import import_with_extra


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
