"""The command line: `commands` has one module for each command."""

from collections.abc import Sequence
from importlib import import_module

from ecbench.cli.signals import leaving_on_signals


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; bad input is one clear message on stderr and exit code 2."""
    with leaving_on_signals(until_exit=arguments is None):
        # Imported here, so that a signal that arrives while the program loads is handled too.
        import_module("ecbench.cli.program").run_command(arguments)
