"""ecbench mcp: an episode over the Model Context Protocol, for agents of other programs."""

from __future__ import annotations

from typing import Annotated

from ecbench.cli.declare import option
from ecbench.cli.options import (
    LOOPBACK,
    BindOption,
    ExternalAgentOption,
    ExternalOutOption,
    GameOptions,
    RateOption,
    SignOption,
    SupplierOptions,
    TokenOption,
)
from ecbench.cli.terminal import say
from ecbench.extras import require_extra
from ecbench.ranges import PORT


def mcp(
    *,
    http: Annotated[
        int | None,
        option(
            "--http",
            metavar="PORT",
            within=PORT,
            help="Serve streamable HTTP on this port; 0 picks a free one. [default: standard input and output]",
        ),
    ] = None,
    bind: BindOption = LOOPBACK,
    token: TokenOption = None,
    out: ExternalOutOption = None,
    sign: SignOption = None,
    rate: RateOption = 100,
    agent: ExternalAgentOption = None,
    game: GameOptions,
    supplier: SupplierOptions,
) -> None:
    """Let an agent in another program play one episode over MCP.

    The episode begins with the first call. Every call is recorded before it is answered: after a stop or a crash a new
    process with the same --out continues from there. With --http it prints one line of JSON: its address and token.

    Exit codes: 0 the client closed the connection, 2 bad input, 130 stopped by a signal.
    """
    require_extra("mcp")
    from ecbench.adapters.bearer_tokens import new_token
    from ecbench.adapters.mcp.mcp_year import McpYear, opens_year
    from ecbench.adapters.mcp.server import mcp_server
    from ecbench.adapters.mcp.transport import PATH, serve_http, serve_stdio
    from ecbench.adapters.serving.server import listen, ready_line
    from ecbench.cli.external_run import external_run
    from ecbench.cli.new_run import signing_key
    from ecbench.cli.run_file import read_settings

    key = signing_key(sign)
    listening = None if http is None else listen(bind, http, [token] if token else [])
    given, _ = read_settings(game, supplier=supplier, agent=agent)
    hosted = external_run("mcp", out, given, key)
    year = McpYear(hosted.terms, hosted.world, opens_year(hosted.begin, hosted.world))
    server = mcp_server(year)
    try:
        if listening is None:
            serve_stdio(server)
        else:
            known = token or new_token()
            line = ready_line(listening, None if token else known, PATH)
            serve_http(server, listening, known, rate, lambda: say(line))
    finally:
        year.close()
