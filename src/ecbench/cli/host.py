"""ecbench host: years over HTTP, for agents of other programs."""

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
from ecbench.ranges import PORT, SESSIONS

if TYPE_CHECKING:
    from socket import socket

USUAL_PORT = 8765
USUAL_TURNS = 4_000

PortOption = Annotated[
    int,
    typer.Option("--port", metavar="N", min=PORT.least, max=PORT.most, help="Port to listen on; 0 picks a free one."),
]
SessionsOption = Annotated[
    int,
    typer.Option(
        "--max-sessions", metavar="N", min=SESSIONS.least, max=SESSIONS.most, help="How many years may be open at once."
    ),
]


@with_wishes
def host(
    port: PortOption = USUAL_PORT,
    bind: BindOption = "127.0.0.1",
    token: TokenOption = None,
    out: OutOption = None,
    max_sessions: SessionsOption = 256,
    rate: RateOption = 100,
    *,
    wishes: Wishes,
) -> None:
    """Let agents in other programs play over HTTP.

    Prints one line of JSON with its address and the token of the first year; POST /v1/sessions opens more years. Every
    turn is recorded before it is answered: after a stop or a crash the same command with --out continues from there.

    Exit codes: 2 bad input, 130 stopped by a signal.
    """
    from ecbench.cli.extras import needing

    with needing("serve", "anyio", "starlette", "uvicorn"):
        from ecbench.adapters.http.server import listen

    listening = listen(bind, port, trusted=bool(token))
    visit = prepared("http", out, wishes, usual_turns=USUAL_TURNS)
    _serve(visit, listening, token, max_sessions, rate)


def _serve(visit: Prepared, listening: "socket", token: str | None, max_sessions: int, rate: int) -> None:
    from ecbench.adapters.http.app import host_app
    from ecbench.adapters.http.server import ready_line, serve
    from ecbench.adapters.http.sessions import HOST_YEAR, Years
    from ecbench.adapters.session_keys import Keys
    from ecbench.runs.workers.gc_policy import collect_briefly

    run = visit.begin()
    with Keys(run.folder) as keys:
        if token:
            keys.accept(token, HOST_YEAR)
        line = ready_line(listening, None if token else keys.issue(HOST_YEAR))
        years = Years(run, visit.world, keys, most=max_sessions, requests_a_second=rate)
        say(f"Recording into {run.folder}; Ctrl-C stops it, ecbench host --out {run.folder} continues it", err=True)
        collect_briefly()
        try:
            serve(host_app(years), listening, lambda: say(line), years.settled)
        finally:
            years.leave()
