"""ecbench mcp: a year over the Model Context Protocol, for agents of other programs."""

from typing import Annotated

from ecbench.cli import handlers, servers
from ecbench.cli.external_options import ExternalOutOption, ExternalTerms
from ecbench.cli.options import LOOPBACK, BindOption, RateOption, SignOption, TokenOption, number_option
from ecbench.ranges import PORT


def mcp(
    *,
    http: Annotated[
        int | None,
        number_option(
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
    terms: ExternalTerms,
) -> None:
    """Let an agent in another program play one year over MCP.

    The year begins with the first call. Every call is recorded before it is answered: after a stop or a crash a new
    process with the same --out continues from there. With --http it prints one line of JSON: its address and token.

    Exit codes: 0 the client closed the connection, 2 bad input, 130 stopped by a signal.
    """
    servers.mcp_host.serve_year(bind, http, token, out, terms, rate, handlers.keys.signing_key(sign))
