"""The board in a browser: the server behind `ecbench serve`."""

import os
import secrets
import webbrowser
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from anyio import to_thread

from ecbench.board.run_index import Library
from ecbench.board.server.actions import Desk
from ecbench.board.server.app import Settings, board_app
from ecbench.cli.plain_text import say
from ecbench.errors import RunError
from ecbench.serving.server import base_url, host_names, listen, open_address, serve

USUAL_FOLDER = Path("runs")  # is made where it is missing
PROVIDER_KEYS = {
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GOOGLE_API_KEY",
    "grok": "GROK_API_KEY",
    "mistral": "MISTRAL_API_KEY",
    "openai": "OPENAI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
}
"""The environment variables with providers' keys. A page may start models of the providers that have one."""


def serve_board(folder: Path, port: int, bind: str, token: str | None, *, browser: bool, reveal: bool) -> None:
    if folder != USUAL_FOLDER and not folder.is_dir():
        raise RunError(f"{folder} is not a folder; give the folder that holds the runs, or make it first")
    listening = listen(bind, port, [token] if token else [])
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise RunError(f"{folder} cannot be used as a folder of runs: {error.strerror}") from error
    address = open_address(listening)
    providers = frozenset(name for name, key in PROVIDER_KEYS.items() if os.environ.get(key))
    desk = Desk(Library(folder), providers, lambda: f"{datetime.now():%Y%m%d-%H%M%S}", reveal=reveal)
    app = board_app(desk, Settings(host_names(address), token, secrets.token_urlsafe(24)))

    def ready() -> None:
        page = f"{address}/?token={quote(token, safe='')}" if token else address
        others = "" if address == base_url(listening) else "\nIt is at this machine's other addresses, too."
        say(f"The board of {folder}: {page}{others}\nCtrl-C ends it.")
        if browser:
            webbrowser.open(page)

    serve(app, listening, ready, lambda: to_thread.run_sync(desk.close))
