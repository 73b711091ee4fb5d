"""Run one command: parse the arguments, and print an error of the user's input as one line."""

import sys
from collections.abc import Sequence
from io import TextIOWrapper

from ecbench.bad_input import BadInput
from ecbench.cli.commands import program
from ecbench.cli.exit_codes import BAD_INPUT
from ecbench.cli.plain_text import say
from ecbench.runs.play.gc_policy import collect_seldom


def run_command(arguments: Sequence[str] | None) -> None:
    """Run the command and exit; bad input is one message on stderr and exit code 2."""
    collect_seldom()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # an encoding that lacks a character shows a question mark
    try:
        program(args=None if arguments is None else list(arguments))
    except BadInput as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(f"{error.filename or 'input or output'}: {error.strerror or error}")


def _refuse(message: str) -> None:
    say(f"ecbench: {message}", err=True)
    sys.exit(BAD_INPUT)
