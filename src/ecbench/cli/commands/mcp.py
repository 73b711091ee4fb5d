"""ecbench mcp: an episode over the Model Context Protocol, for agents of other programs."""

from ecbench.cli.options import HostOptions, Port
from ecbench.cli.terminal import say
from ecbench.extras import require_extra


def mcp(*, http: Port | None = None, host: HostOptions) -> None:
    """Let an agent in another program play one episode over MCP.

    The episode begins with the first call. Every call is recorded before it is answered: after a stop or a crash a new
    process with the same --out continues from there. With --http it prints one line of JSON: its address and token.

    Options:
        http PORT: Serve streamable HTTP on this port; 0 picks a free one. [default: standard input and output]
    """
    require_extra("mcp")
    from ecbench.adapters.hosted_year import HostedYear, opens_year
    from ecbench.adapters.mcp.server import PATH, http_app, mcp_server, only, serve_stdio
    from ecbench.adapters.rate_limit import Rate
    from ecbench.adapters.serving.server import listen, ready_line, serve
    from ecbench.adapters.session_keys import new_token
    from ecbench.cli.new_run import external_run

    token = host.token
    listening = None if http is None else listen(host.bind, http, [token] if token else [])
    terms, world, begin = external_run("mcp", host)
    year = HostedYear(terms, world, opens_year(begin, world), Rate(host.rate))
    try:
        if listening is None:
            serve_stdio(mcp_server(lambda _: year))
        else:
            known = token or new_token()
            line = ready_line(listening, None if token else known, PATH)
            app = http_app(only(year, known), listening.getsockname()[0])
            serve(app, listening, lambda: say(line), lifespan=True)
    finally:
        year.close()
