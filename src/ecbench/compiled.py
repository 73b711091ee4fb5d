"""Whether the simulator runs compiled: in the wheel of `make wheel` it does, from the source files it does not."""

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec

from ecbench import __version__


def is_compiled() -> bool:
    """Whether Python finds the module of the morning's settlement as a compiled one."""
    spec = find_spec("ecbench.market.settlement")
    return spec is not None and str(spec.origin).endswith(tuple(EXTENSION_SUFFIXES))


def version_line() -> str:
    """The line of `ecbench --version`."""
    kind = "compiled" if is_compiled() else "pure Python"
    return f"ecbench {__version__} ({kind}, Python {'.'.join(map(str, sys.version_info[:3]))})"
