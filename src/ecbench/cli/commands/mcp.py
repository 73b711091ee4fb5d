"""ecbench mcp: an episode over the Model Context Protocol, for agents of other programs."""

from ecbench.cli.options import HostOptions, Port
from ecbench.cli.terminal import say
from ecbench.extras import require_extra


def mcp(*, http: Port | None = None, host: HostOptions) -> None:
    """Let an agent in another program play one episode over MCP.

    The episode begins with the first call. Every call is recorded before it is answered: after a stop or a crash a new
    process with the same --out continues from there. With --http it prints one line of JSON: its address and token.

    Exit codes: 0 the client closed the connection, 2 bad input, 130 stopped by a signal.

    Options:
        http PORT: Serve streamable HTTP on this port; 0 picks a free one. [default: standard input and output]
    """
    require_extra("mcp")
    from ecbench.adapters.bearer_tokens import new_token
    from ecbench.adapters.mcp.mcp_year import McpYear, opens_year
    from ecbench.adapters.mcp.server import mcp_server
    from ecbench.adapters.mcp.transport import PATH, serve_http, serve_stdio
    from ecbench.adapters.serving.server import listen, ready_line
    from ecbench.cli.external_run import external_run

    token = host.token
    listening = None if http is None else listen(host.bind, http, [token] if token else [])
    hosted = external_run("mcp", host)
    year = McpYear(hosted.terms, hosted.world, opens_year(hosted.begin, hosted.world))
    server = mcp_server(year)
    try:
        if listening is None:
            serve_stdio(server)
        else:
            known = token or new_token()
            line = ready_line(listening, None if token else known, PATH)
            serve_http(server, listening, known, host.rate, lambda: say(line))
    finally:
        year.close()
