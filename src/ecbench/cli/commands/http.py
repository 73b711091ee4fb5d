"""ecbench http: episodes over HTTP, for agents of other programs."""

from shlex import quote
from typing import Annotated

from ecbench.cli.options import DEFAULT_PORT, HostOptions, Port
from ecbench.cli.terminal import say
from ecbench.extras import require_extra
from ecbench.ranges import SESSIONS
from ecbench.runs.play.gc_policy import collect_briefly


def http(*, port: Port = DEFAULT_PORT, host: HostOptions, max_sessions: Annotated[int, SESSIONS] = 256) -> None:
    """Let agents in other programs play over HTTP.

    Prints one line of JSON with its address and the token of the first episode; POST /v1/sessions opens more. A turn
    is recorded before it is answered: after a stop or a crash the same command with --out continues from there.

    Options:
        max_sessions: How many episodes may be open at once.
    """
    require_extra("serve")
    from ecbench.adapters.hosted_run import HOST_YEAR, HostedRun
    from ecbench.adapters.http.app import host_app
    from ecbench.adapters.serving.server import listen, ready_line, serve
    from ecbench.adapters.session_keys import Keys
    from ecbench.cli.new_run import external_run

    token = host.token
    listening = listen(host.bind, port, [token] if token else [])
    _, _, begin = external_run("http", host)
    run = begin()
    with Keys(run.folder) as keys:
        years = HostedRun(run, keys, host.rate, most=max_sessions)
        if token:
            years.accept(token, HOST_YEAR)
        line = ready_line(listening, None if token else years.issue(HOST_YEAR))
        again = f"ecbench http --out {quote(str(run.folder))}" + " --sign KEYFILE" * (host.sign is not None)
        say(f"Recording into {run.folder}; Ctrl-C stops it, {again} continues it", err=True)
        collect_briefly()
        try:
            serve(host_app(years.over("http"), years.add), listening, lambda: say(line))
        finally:
            years.close()
