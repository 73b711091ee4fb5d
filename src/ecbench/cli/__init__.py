"""The command line: one module per command. Heavy imports wait until a command needs them."""

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Annotated

import typer

from ecbench import __version__
from ecbench.cli import agents, fork, replay, resume, run, world
from ecbench.cli.exit_codes import BAD_INPUT
from ecbench.cli.plain_text import say
from ecbench.cli.signals import leaving_on_signals

app = typer.Typer(
    help="Can an AI agent run a business for a year? E-Commerce Bench: worlds, runs and reports.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(run.run)
app.command()(resume.resume)
app.command()(replay.replay)
app.command()(fork.fork)
app.command()(agents.agents)
app.add_typer(world.app, name="world")


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"ecbench {__version__}")
        raise typer.Exit


@app.callback()
def ecbench(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; bad input is one clear message on stderr and exit code 2."""
    with leaving_on_signals(to_the_last=arguments is None):
        _spare_the_terminal()
        try:
            app(args=list(arguments) if arguments is not None else None)
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
    from ecbench.runs.problems import RunError
    from ecbench.world.problems import WorldError
    from ecbench.world.save import SaveError

    if isinstance(error, RunError | WorldError | SaveError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename or 'input or output'}: {error.strerror or error}"
    return None
