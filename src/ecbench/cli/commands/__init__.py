"""The commands: one module each, which declares the options and is imported when its command is given."""

from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from ecbench.cli.options import command_group, with_option_groups
from ecbench.cli.plain_text import say
from ecbench.compiled import version_line
from ecbench.errors import RunError

COMMANDS = {
    "run": "Play a year, record it, and compare it with the paper's models.",
    "resume": "Continue a run that was stopped or killed.",
    "show": "Show where the money of a year went.",
    "review": "Say what each week of a year was worth, and which ones lost.",
    "export": "Write all episodes of a run for other programs.",
    "fork": "Continue a recorded year from any day with another agent.",
    "compare": "Compare runs, and test whether one does better than another.",
    "keys": "Make a key that signs runs, or show its public part.",
    "verify": "Recompute a run and say what its folder or ZIP file proves.",
    "tables": "Print the paper's tables of results for runs of yours.",
    "report": "Write a page on one run or several.",
    "arena": "Let several agents trade in one market, and rank them.",
    "serve": "Watch, scrub, take over and play years in the browser.",
    "host": "Let agents in other programs play over HTTP.",
    "mcp": "Let an agent in another program play one year over MCP.",
    "agents": "List the merchants that play without a model.",
    "doctor": "Say whether a model can play, and what a year takes.",
    "models": "List the presets of `ecbench run --preset`, and prices of models.",
    "rules": "List the rules that --set can change.",
    "bound": "Compute the upper bound on the final assets of a year.",
    "world": "List, show, explain, check, make and import marketplaces.",
    "site": "Write a season's leaderboard as static pages.",
    "suite": "List, show, play, announce, open and check seasons.",
}
"""The first line of each command's help, by name. `commands/NAME.py` declares it as a function or a Typer, `NAME`."""

RENAMED = {
    "explain": "`ecbench world explain`",
    "replay": "`ecbench verify`; `ecbench show RUN --by day` lists the days of an episode",
}
"""Former names of commands, and what they are called now."""


class LazyGroup(TyperGroup):
    """A group that lists its commands from a table, and imports the one that is given."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, line in COMMANDS.items():
            self.add_command(TyperCommand(name, help=line, rich_markup_mode=None))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if args and args[0] in RENAMED:
            raise RunError(f"`ecbench {args[0]}` is now {RENAMED[args[0]]}")
        name, _, rest = super().resolve_command(ctx, args)
        return name, None if name is None else command_called(name), rest


@cache
def command_called(name: str) -> Any:
    """Import a command and build it out of its annotations, once for all calls in a process."""
    declared = vars(import_module(f"{__name__}.{name}"))[name]
    if isinstance(declared, typer.Typer):
        return get_command(declared)
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command()(with_option_groups(declared))
    return get_command(single)


def _show_version(wanted: bool) -> None:
    if wanted:
        say(version_line())
        raise typer.Exit


app = command_group(
    "Can an AI agent run a business for a year? E-Commerce Bench: worlds, runs and reports.", cls=LazyGroup
)


@app.callback()
def ecbench(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


program = get_command(app)
