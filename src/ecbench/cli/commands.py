"""The commands, one module each, and what they are together."""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

import typer
from typer.main import get_command

from ecbench import __version__
from ecbench.cli import (
    agents,
    arena,
    bound,
    compare,
    export,
    fork,
    host,
    mcp,
    replay,
    report,
    resume,
    review,
    rules,
    run,
    serve,
    show,
    suite,
    verify,
    world,
)
from ecbench.cli.plain_text import say

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
app.command()(show.show)
app.command()(review.review)
app.command()(export.export)
app.command()(fork.fork)
app.command()(compare.compare)
app.command()(verify.verify)
app.command()(report.report)
app.command()(arena.arena)
app.command()(serve.serve)
app.command()(host.host)
app.command()(mcp.mcp)
app.command()(agents.agents)
app.command()(rules.rules)
app.command()(bound.bound)
app.add_typer(world.app, name="world")
app.add_typer(suite.app, name="suite")


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


@cache
def all_commands() -> Callable[..., Any]:
    """Built out of every annotation, which takes longer than a short command: once for all that a process runs."""
    return get_command(app)
