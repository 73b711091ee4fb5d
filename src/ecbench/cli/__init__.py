"""The command line: one module per command. Heavy imports wait until a command needs them."""

import sys
from collections.abc import Sequence
from io import TextIOWrapper

from ecbench.cli.exit_codes import BAD_INPUT
from ecbench.cli.signals import leaving_on_signals


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; bad input is one clear message on stderr and exit code 2."""
    with leaving_on_signals(to_the_last=arguments is None):
        # Here, since a signal that comes while they load is one to the command already.
        from ecbench.cli.commands import all_commands
        from ecbench.cli.plain_text import say
        from ecbench.runs.workers.gc_policy import collect_seldom

        collect_seldom()
        _spare_the_terminal()
        try:
            all_commands()(args=list(arguments) if arguments is not None else None)
        except Exception as error:
            message = _bad_input(error)
            if message is None:
                raise
            say(f"ecbench: {message}", err=True)
            sys.exit(BAD_INPUT)


def _spare_the_terminal() -> None:
    """A terminal or file that cannot hold a sign gets a question mark in its place."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _bad_input(error: Exception) -> str | None:
    """What to tell a person whose input caused the error; None if the program itself did."""
    from ecbench.harness.package_versions import UnsupportedVersion
    from ecbench.runs.errors import RunError
    from ecbench.world.problems import WorldError
    from ecbench.world.save import SaveError

    if isinstance(error, RunError | WorldError | SaveError | UnsupportedVersion):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename or 'input or output'}: {error.strerror or error}"
    return None
