"""The program: its commands in groups, each imported when it is given, and errors of the user's input as one line."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from io import TextIOWrapper

import click

from ecbench.cli.declare import command
from ecbench.cli.former_names import FORMER_NAMES
from ecbench.cli.terminal import BAD_INPUT, FAILED, INTERRUPTED, say, say_json
from ecbench.errors import BadInput
from ecbench.extras import version_line
from ecbench.redaction import has_secret_name, protect
from ecbench.runs.play.gc_policy import collect_seldom

COMMANDS = {
    "Play": {
        "run": "Play an episode, record it, and compare it with the paper's models.",
        "resume": "Continue a run that was stopped or killed.",
        "fork": "Continue a recorded episode from any day with another agent.",
        "arena": "Let several agents trade in one market, and rank them.",
        "board": "Watch, scrub, take over and play episodes in the browser.",
    },
    "Understand": {
        "show": "Show where the money of an episode went.",
        "report": "Write a page on runs, or print the paper's tables of them.",
        "compare": "Compare runs, and test whether one does better than another.",
        "review": "Say what each week of an episode was worth, and which ones lost.",
    },
    "Connect": {
        "http": "Let agents in other programs play over HTTP.",
        "mcp": "Let an agent in another program play one episode over MCP.",
        "doctor": "Say whether a model can play, and what an episode costs.",
    },
    "Publish": {
        "verify": "Recompute a run and say what its folder proves.",
        "export": "Write all episodes of a run for other programs.",
        "season": "Play and organise seasons, and publish their leaderboards.",
    },
    "World": {
        "world": "List, make, check, show, import, bound and explain worlds.",
        "list": "List agents, models and rules.",
    },
}
"""The first line of each command's help, by group. `commands/NAME.py` declares the command as NAME, or list_."""

NAMES = [name for names in COMMANDS.values() for name in names]


class Program(click.Group):
    """Lists its commands from a table, and imports the one that is given."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return NAMES

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in NAMES and not cmd_name.startswith("-"):
            raise click.NoSuchCommand(cmd_name, possibilities=NAMES, ctx=ctx)
        return command_called(cmd_name) if cmd_name in NAMES else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, lines in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:7}", line) for name, line in lines.items()])


@cache
def command_called(name: str) -> click.Command:
    """Import a command, and build it from its annotations."""
    module = import_module(f"ecbench.cli.commands.{name}")
    declared = vars(module)["list_" if name == "list" else name]
    return declared if isinstance(declared, click.Command) else command(declared)


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        say(version_line())
        ctx.exit()


program = Program(
    "ecbench",
    help="Can an AI agent run a business for a year? E-Commerce Bench: worlds, runs and reports.",
    epilog="Exit codes: 0 done; 1 an agent or a model failed, or what was checked does not hold; 2 bad input; 3 the "
    "budget is used up; 130 stopped by a signal.",
    no_args_is_help=True,
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_version,
            help="Print the version and stop.",
        )
    ],
)


def run_command(arguments: Sequence[str] | None) -> None:
    """Run the command and exit; bad input is one message on stderr and exit code 2."""
    collect_seldom()
    protect(*_keys_of_environment())
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # an encoding that lacks a character shows a question mark
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        with program.make_context("ecbench", given) as context:
            program.invoke(context)
        if sys.stdout is not None:  # as it is where standard output was closed
            sys.stdout.flush()
    except click.exceptions.Exit as ended:
        sys.exit(ended.exit_code)
    except click.exceptions.NoArgsIsHelpError as bare:
        say(bare.format_message(), err=True)
        sys.exit(BAD_INPUT)
    except click.UsageError as error:
        message = _present_name(error) or error.format_message()
        name = error.ctx.command_path if error.ctx else "ecbench"
        stop = "" if message.endswith((".", "?", ")")) else "."
        _refuse(message, f"{stop} See {name} --help", given=given)
    except BadInput as error:
        _refuse(str(error), given=given, **{"problems": found} if (found := getattr(error, "problems", ())) else {})
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python would fail once more when it flushes
        sys.exit(FAILED)
    except OSError as error:
        _refuse(f"{error.filename or 'input or output'}: {error.strerror or error}", given=given)
    sys.exit(0)


def _present_name(error: click.UsageError) -> str:
    """What a former name of a command or an option is now; empty for any other mistake."""
    former = str(getattr(error, "command_name", "") or getattr(error, "option_name", ""))
    return f"{former} is now `{FORMER_NAMES[former]}`" if former in FORMER_NAMES else ""


def _keys_of_environment() -> list[str]:
    """The values of variables whose names are those of secrets; one that names a file of keys holds none itself."""
    named = [value for name, value in os.environ.items() if has_secret_name(name) or name.upper().endswith("_KEY")]
    return [value for value in named if not os.path.exists(value)]  # noqa: PTH110 - a key may be too long for a path


def _refuse(message: str, advice: str = "", *, given: Sequence[str], **facts: object) -> None:
    if "--json" in given:
        with suppress(OSError):  # standard output may be what failed
            say_json({"error": message, **facts})
    say(f"ecbench: {message}{advice}", err=True)
    sys.exit(BAD_INPUT)
