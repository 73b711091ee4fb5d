"""Run one command: parse the arguments, and print an error of the user's input as one line."""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from ecbench.bad_input import BadInput
from ecbench.cli.commands import program
from ecbench.cli.exit_codes import BAD_INPUT
from ecbench.cli.plain_text import say
from ecbench.redaction import has_secret_name, protect
from ecbench.runs.play.gc_policy import collect_seldom


def run_command(arguments: Sequence[str] | None) -> None:
    """Run the command and exit; bad input is one message on stderr and exit code 2."""
    collect_seldom()
    protect(*_keys_of_environment())
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # an encoding that lacks a character shows a question mark
    try:
        program(args=None if arguments is None else list(arguments))
    except BadInput as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(f"{error.filename or 'input or output'}: {error.strerror or error}")


def _keys_of_environment() -> list[str]:
    """The values of variables whose names are those of secrets; one that names a file of keys holds none itself."""
    named = [value for name, value in os.environ.items() if has_secret_name(name) or name.upper().endswith("_KEY")]
    return [value for value in named if not os.path.exists(value)]  # noqa: PTH110 - a key may be too long for a path


def _refuse(message: str) -> None:
    say(f"ecbench: {message}", err=True)
    sys.exit(BAD_INPUT)
