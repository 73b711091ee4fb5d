"""Isolation of one task from the next in a worker that is reused: what a task changed of its process is undone."""

import gc
import os
import random
import sys
import sysconfig
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ecbench.runs.play.gc_policy import collect_seldom

_PACKAGES = ("site-packages", "dist-packages")
_OURS = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), str(Path(__file__).parents[2]))


def state_of_process() -> Callable[[], bool]:
    """Note the state of this process; the returned function restores it, and says whether that was possible.

    Modules that lie outside the installed packages are forgotten, so that the next task runs their code afresh. A
    thread that is left behind cannot be undone.
    """
    modules, path, environment = set(sys.modules), list(sys.path), dict(os.environ)
    folder, recursion = _folder(), sys.getrecursionlimit()
    threads = set(threading.enumerate())

    def restore() -> bool:
        for name in set(sys.modules) - modules:
            if not _is_installed(name):
                del sys.modules[name]
        sys.path[:] = path
        for name in set(os.environ) - set(environment):
            del os.environ[name]
        os.environ.update({name: value for name, value in environment.items() if os.environ.get(name) != value})
        sys.setrecursionlimit(recursion)
        random.seed()
        gc.enable()
        collect_seldom()
        if folder and _folder() != folder:
            with suppress(OSError):
                os.chdir(folder)
        return set(threading.enumerate()) <= threads

    return restore


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - a path object would be made for every task
    except OSError:
        return ""


def _is_installed(name: str) -> bool:
    """Whether a module is compiled or comes from an installed package: a second import would not start it afresh."""
    file = str(getattr(sys.modules[name], "__file__", None))
    return not file.endswith(".py") or file.startswith(_OURS) or any(folder in file for folder in _PACKAGES)
