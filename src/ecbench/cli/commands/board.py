"""ecbench board: the board in a browser."""

import os
import secrets
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from ecbench.cli.options import LOOPBACK, Port, Token
from ecbench.cli.terminal import say
from ecbench.errors import RunError
from ecbench.extras import require_extra
from ecbench.runs.play.gc_policy import collect_often

USUAL_FOLDER = Path("runs")  # is made where it is missing
PROVIDERS = ("anthropic", "google", "grok", "mistral", "openai", "openrouter")
"""A page may start models of those whose key is in the environment, such as OPENAI_API_KEY."""


def board(
    folder: Path = USUAL_FOLDER,
    *,
    port: Port = 8766,
    bind: str = LOOPBACK,
    token: Token | None = None,
    reveal: bool = False,
    browser: bool = True,
) -> None:
    """Watch, scrub, take over and play episodes in the browser.

    Shows all runs of a folder; those being played grow as you watch. Everything stays on this machine. Ctrl-C stops the
    server, and episodes that it was playing can be resumed.

    Options:
        folder [RUNS_FOLDER]: The folder of the runs.
        token T: What a browser must send to be let in.
        reveal: Show hidden truth of every run at any time. Nobody can play on such a board.
        browser --browser/--no-browser: Open the page in a browser.
    """
    require_extra("serve")
    import webbrowser

    from ecbench.adapters.serving.server import base_url, host_names, listen, open_address, serve
    from ecbench.pages.board.run_index import Library
    from ecbench.pages.board.server.actions import Desk
    from ecbench.pages.board.server.app import Settings, board_app

    if folder != USUAL_FOLDER and not folder.is_dir():
        raise RunError(f"{folder} is not a folder; give the folder of the runs, or create it first")
    listening = listen(bind, port, [token] if token else [])
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise RunError(f"{folder} cannot be used as a folder of runs: {error.strerror}") from error
    address = open_address(listening)
    providers = frozenset(name for name in PROVIDERS if os.environ.get(f"{name.upper()}_API_KEY"))
    desk = Desk(Library(folder), providers, lambda: f"{datetime.now():%Y%m%d-%H%M%S}", reveal=reveal)
    app = board_app(desk, Settings(host_names(address), token, secrets.token_urlsafe(24)))

    def ready() -> None:
        page = f"{address}/?token={quote(token, safe='')}" if token else address
        others = "" if address == base_url(listening) else "\nIt is at this machine's other addresses, too."
        say(f"The board of {folder}: {page}{others}\nCtrl-C ends it.")
        if browser:
            webbrowser.open(page)

    collect_often()
    try:
        serve(app, listening, ready)
    finally:
        desk.close()
