"""ecbench serve: the board in a browser."""

import os
import secrets
import webbrowser
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli.plain_text import say
from ecbench.ranges import PORT

KEYS = {
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GOOGLE_API_KEY",
    "grok": "GROK_API_KEY",
    "mistral": "MISTRAL_API_KEY",
    "openai": "OPENAI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
}
"""Where the keys of providers are, whose models a page may then start."""


def serve(
    folder: Annotated[Path, typer.Argument(metavar="RUNS_FOLDER", help="The folder that holds the runs.")] = Path(
        "runs"
    ),
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", min=PORT.least, max=PORT.most, help="Port to listen on; 0 picks a free one."
        ),
    ] = 8766,
    bind: Annotated[
        str,
        typer.Option("--bind", metavar="ADDRESS", help="Address to listen on; beyond this machine it needs --token."),
    ] = ("127.0.0.1"),
    token: Annotated[
        str | None,
        typer.Option("--token", metavar="T", envvar="ECBENCH_TOKEN", help="What a browser must send to be let in."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Watch, scrub, take over and play years in the browser.

    Shows all runs of a folder; those being played grow as you watch. Everything stays on this machine. Ctrl-C stops the
    server, and years that it was playing can be resumed.
    """
    from ecbench.cli.extras import needing

    with needing("serve", "anyio", "jinja2", "starlette", "uvicorn"):
        from ecbench.adapters.http.server import base_url, host_names, listen, serve
        from ecbench.board.run_index import Library
        from ecbench.board.server.actions import Desk
        from ecbench.board.server.app import Settings, board_app

    folder.mkdir(parents=True, exist_ok=True)
    listening = listen(bind, port, trusted=bool(token))
    address = base_url(listening)
    providers = frozenset(name for name, key in KEYS.items() if os.environ.get(key))
    desk = Desk(Library(folder), providers, lambda: f"{datetime.now():%Y%m%d-%H%M%S}")
    app = board_app(desk, Settings(host_names(address), token, secrets.token_urlsafe(24)))

    def ready() -> None:
        way_in = f"{address}/?token={token}" if token else address
        say(f"The board of {folder}: {way_in}\nCtrl-C ends it.")
        if browser:
            webbrowser.open(way_in)

    try:
        serve(app, listening, ready)
    finally:
        desk.close()
