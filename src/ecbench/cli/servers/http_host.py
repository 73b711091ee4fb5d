"""Years over HTTP: the server behind `ecbench host`."""

from pathlib import Path

from ecbench.adapters.http.app import host_app
from ecbench.adapters.http.sessions import HOST_YEAR, Years
from ecbench.adapters.session_keys import Keys
from ecbench.cli.external_options import ExternalTerms
from ecbench.cli.plain_text import say
from ecbench.cli.servers.external_run import external_run
from ecbench.runs.play.gc_policy import collect_briefly
from ecbench.runs.signatures.keys import SigningKey
from ecbench.serving.server import listen, ready_line, serve

DEFAULT_TURNS = 4_000


def serve_years(
    bind: str,
    port: int,
    token: str | None,
    out: Path | None,
    terms: ExternalTerms,
    max_sessions: int,
    rate: int,
    key: SigningKey | None,
) -> None:
    listening = listen(bind, port, [token] if token else [])
    hosted = external_run("http", out, terms, key, default_turns=DEFAULT_TURNS)
    run = hosted.begin()
    with Keys(run.folder) as keys:
        if token:
            keys.accept(token, HOST_YEAR)
        line = ready_line(listening, None if token else keys.issue(HOST_YEAR))
        years = Years(run, hosted.world, keys, most=max_sessions, requests_a_second=rate)
        again = f"ecbench host --out {run.folder}" + " --sign KEYFILE" * (key is not None)
        say(f"Recording into {run.folder}; Ctrl-C stops it, {again} continues it", err=True)
        collect_briefly()
        try:
            serve(host_app(years), listening, lambda: say(line), years.settled)
        finally:
            years.close()
