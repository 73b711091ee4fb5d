"""ecbench host: years over HTTP, for agents of other programs."""

from typing import Annotated

from ecbench.cli import handlers, servers
from ecbench.cli.external_options import ExternalOutOption, ExternalTerms
from ecbench.cli.options import (
    DEFAULT_PORT,
    LOOPBACK,
    BindOption,
    PortOption,
    RateOption,
    SignOption,
    TokenOption,
    number_option,
)
from ecbench.ranges import SESSIONS


def host(
    *,
    port: PortOption = DEFAULT_PORT,
    bind: BindOption = LOOPBACK,
    token: TokenOption = None,
    out: ExternalOutOption = None,
    sign: SignOption = None,
    max_sessions: Annotated[
        int, number_option("--max-sessions", within=SESSIONS, help="How many years may be open at once.")
    ] = 256,
    rate: RateOption = 100,
    terms: ExternalTerms,
) -> None:
    """Let agents in other programs play over HTTP.

    Prints one line of JSON with its address and the token of the first year; POST /v1/sessions opens more years. Every
    turn is recorded before it is answered: after a stop or a crash the same command with --out continues from there.

    Exit codes: 2 bad input, 130 stopped by a signal.
    """
    servers.http_host.serve_years(bind, port, token, out, terms, max_sessions, rate, handlers.keys.signing_key(sign))
