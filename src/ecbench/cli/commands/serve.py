"""ecbench serve: the board in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli import servers
from ecbench.cli.options import LOOPBACK, BindOption, PortOption


def serve(
    folder: Annotated[Path, typer.Argument(metavar="RUNS_FOLDER", help="The folder that holds the runs.")] = Path(
        "runs"
    ),
    port: PortOption = 8766,
    bind: BindOption = LOOPBACK,
    token: Annotated[
        str | None,
        typer.Option("--token", metavar="T", envvar="ECBENCH_TOKEN", help="What a browser must send to be let in."),
    ] = None,
    reveal: Annotated[
        bool,
        typer.Option("--reveal", help="Show hidden truth of every run at any time. Nobody can play on such a board."),
    ] = False,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Watch, scrub, take over and play years in the browser.

    Shows all runs of a folder; those being played grow as you watch. Everything stays on this machine. Ctrl-C stops the
    server, and years that it was playing can be resumed.
    """
    servers.board.serve_board(folder, port, bind, token, browser=browser, reveal=reveal)
