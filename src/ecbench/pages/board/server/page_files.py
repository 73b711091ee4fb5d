"""The files of the pages: one style, and one script for each page, which a browser loads once."""

import json
import tomllib
from hashlib import blake2b
from pathlib import Path

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ecbench.pages.components.bundle import CHART_LIBRARY, STATIC, asset, bundle
from ecbench.pages.report.colours import style_rules
from ecbench.pages.report.templates_env import board_part

HERE = Path(__file__).parent / "static"
STYLES = (STATIC / "components.css", HERE / "board.css", HERE / "shop" / "shop.css")
PAGES = {"home": "Board", "year": "Year"}  # titles until a script has set its own
ASKED_AGAIN = {"Cache-Control": "no-cache"}


def asset_routes() -> list[Route]:
    """Read once: a server shows the pages that it was started with."""
    script, style = "text/javascript", style_rules() + "".join(path.read_text(encoding="utf-8") for path in STYLES)
    return [
        _route("/static/home.js", (_tables() + bundle(HERE / "home.js")).encode(), script),
        _route("/static/year.js", (_tables() + asset(CHART_LIBRARY) + bundle(HERE / "shop/app.js")).encode(), script),
        _route("/static/board.css", style.encode(), "text/css"),
        _route("/static/icon.svg", (HERE / "icon.svg").read_bytes(), "image/svg+xml"),
    ]


def _tables() -> str:
    """What `tables.toml` declares, for `table.js`."""
    declared = tomllib.loads((HERE.parents[1] / "tables.toml").read_text(encoding="utf-8"))
    return f"globalThis.TABLES = {json.dumps(declared)};\n"


def page(name: str, token: str, content: str) -> HTMLResponse:
    """A page with what stands in it before its script runs."""
    return HTMLResponse(board_part("page", token=token, title=PAGES[name], name=name, content=Markup(content)))


def _route(path: str, content: bytes, media_type: str) -> Route:
    tag = f'W/"{blake2b(content, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, **ASKED_AGAIN}

    async def show(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=media_type)

    return Route(path, show)
