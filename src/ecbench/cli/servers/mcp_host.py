"""A year over the Model Context Protocol: the server behind `ecbench mcp`."""

from pathlib import Path

from ecbench.adapters.bearer_tokens import new_token
from ecbench.adapters.mcp.mcp_year import McpYear, opens_year
from ecbench.adapters.mcp.server import mcp_server
from ecbench.adapters.mcp.transport import PATH, serve_http, serve_stdio
from ecbench.cli.external_options import ExternalTerms
from ecbench.cli.plain_text import say
from ecbench.cli.servers.external_run import external_run
from ecbench.runs.signatures.keys import SigningKey
from ecbench.serving.server import listen, ready_line

DEFAULT_CALLS = 40_000  # each is a turn of its own here


def serve_year(
    bind: str,
    port: int | None,
    token: str | None,
    out: Path | None,
    terms: ExternalTerms,
    rate: int,
    key: SigningKey | None,
) -> None:
    """Serve HTTP on the port, or standard input and output where there is none."""
    listening = None if port is None else listen(bind, port, [token] if token else [])
    hosted = external_run("mcp", out, terms, key, default_turns=DEFAULT_CALLS)
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
