"""ecbench mcp: a year over the Model Context Protocol, for agents of other programs."""

from typing import TYPE_CHECKING, Annotated

import typer

from ecbench.cli.external_agents import (
    BindOption,
    OutOption,
    Prepared,
    RateOption,
    TokenOption,
    Wishes,
    prepared,
    with_wishes,
)
from ecbench.cli.plain_text import say
from ecbench.ranges import PORT

if TYPE_CHECKING:
    from socket import socket

USUAL_CALLS = 40_000  # each is a turn of its own here

HttpOption = Annotated[
    int | None,
    typer.Option(
        "--http",
        metavar="PORT",
        min=PORT.least,
        max=PORT.most,
        help="Serve streamable HTTP on this port; 0 picks a free one. [default: standard input and output]",
    ),
]


@with_wishes
def mcp(
    http: HttpOption = None,
    bind: BindOption = "127.0.0.1",
    token: TokenOption = None,
    out: OutOption = None,
    rate: RateOption = 100,
    *,
    wishes: Wishes,
) -> None:
    """Let an agent in another program play one year over MCP.

    The year begins with the first call. Every call is recorded before it is answered: after a stop or a crash a new
    process with the same --out continues from there. With --http it prints one line of JSON: its address and token.

    Exit codes: 0 the client closed the connection, 2 bad input, 130 stopped by a signal.
    """
    from ecbench.cli.extras import needing

    with needing("mcp", "anyio", "mcp", "mcp_types", "starlette", "uvicorn"):
        from ecbench.adapters.http.server import listen
        from ecbench.adapters.mcp import server  # noqa: F401 - the package that it needs may be missing

    listening = None if http is None else listen(bind, http, trusted=bool(token))
    visit = prepared("mcp", out, wishes, usual_turns=USUAL_CALLS)
    _serve(visit, listening, token, rate)


def _serve(visit: Prepared, listening: "socket | None", token: str | None, rate: int) -> None:
    from ecbench.adapters.bearer_tokens import new_token
    from ecbench.adapters.http.server import ready_line
    from ecbench.adapters.mcp.server import mcp_server
    from ecbench.adapters.mcp.session import SharedYear
    from ecbench.adapters.mcp.transport import PATH, serve_http, serve_stdio

    year = SharedYear(visit.terms, visit.world, visit.begin)
    server = mcp_server(year)
    try:
        if listening is None:
            serve_stdio(server)
        else:
            known = token or new_token()
            line = ready_line(listening, None if token else known, PATH)
            serve_http(server, listening, known, rate, lambda: say(line))
    finally:
        year.leave()
