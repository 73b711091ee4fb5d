"""The command line: `commands` has one module for each command."""

from collections.abc import Sequence
from importlib import import_module

from ecbench.cli.signals import leave_on_signals


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; bad input is one clear message on stderr and exit code 2.

    With `arguments` it is run within another program, which handles signals itself.
    """
    if arguments is None:
        leave_on_signals()
    import_module("ecbench.cli.program").run_command(arguments)  # here: a signal may arrive while the program loads
