"""ecbench http: episodes over HTTP, for agents of other programs."""

from __future__ import annotations

from shlex import quote
from typing import Annotated

from ecbench.cli.declare import option
from ecbench.cli.options import (
    DEFAULT_PORT,
    LOOPBACK,
    BindOption,
    ExternalAgentOption,
    ExternalOutOption,
    GameOptions,
    PortOption,
    RateOption,
    SignOption,
    SupplierOptions,
    TokenOption,
)
from ecbench.cli.terminal import say
from ecbench.extras import require_extra
from ecbench.ranges import SESSIONS


def http(
    *,
    port: PortOption = DEFAULT_PORT,
    bind: BindOption = LOOPBACK,
    token: TokenOption = None,
    out: ExternalOutOption = None,
    sign: SignOption = None,
    max_sessions: Annotated[
        int, option("--max-sessions", within=SESSIONS, help="How many episodes may be open at once.")
    ] = 256,
    rate: RateOption = 100,
    agent: ExternalAgentOption = None,
    game: GameOptions,
    supplier: SupplierOptions,
) -> None:
    """Let agents in other programs play over HTTP.

    Prints one line of JSON with its address and the token of the first episode; POST /v1/sessions opens more. A turn
    is recorded before it is answered: after a stop or a crash the same command with --out continues from there.

    Exit codes: 2 bad input, 130 stopped by a signal.
    """
    require_extra("serve")
    from ecbench.adapters.http.app import host_app
    from ecbench.adapters.http.sessions import HOST_YEAR, Years
    from ecbench.adapters.serving.server import listen, ready_line, serve
    from ecbench.adapters.session_keys import Keys
    from ecbench.cli.external_run import external_run
    from ecbench.cli.new_run import signing_key
    from ecbench.cli.run_file import read_settings
    from ecbench.runs.play.gc_policy import collect_briefly

    key = signing_key(sign)
    listening = listen(bind, port, [token] if token else [])
    given, _ = read_settings(game, supplier=supplier, agent=agent)
    hosted = external_run("http", out, given, key)
    run = hosted.begin()
    with Keys(run.folder) as keys:
        if token:
            keys.accept(token, HOST_YEAR)
        line = ready_line(listening, None if token else keys.issue(HOST_YEAR))
        years = Years(run, hosted.world, keys, most=max_sessions, requests_a_second=rate)
        again = f"ecbench http --out {quote(str(run.folder))}" + " --sign KEYFILE" * (key is not None)
        say(f"Recording into {run.folder}; Ctrl-C stops it, {again} continues it", err=True)
        collect_briefly()
        try:
            serve(host_app(years), listening, lambda: say(line))
        finally:
            years.close()
