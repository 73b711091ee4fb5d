"""The commands at each provider: a run that cannot start leaves nothing behind, one that breaks off can go on."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from tests.harness.protocols.playing import WAIT
from tests.harness.servers.conversation import KEY, Fault, Talk, Trouble, Turn
from tests.harness.servers.wire import Dialect, serve

from ecbench.cli import main

DAYS = "4"
Command = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """A client takes seconds to import, and the check before a run has few."""
    for provider in ("anthropic", "google", "openai"):
        import_module(f"pydantic_ai.models.{provider}")


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Exit code and errors of a command in an empty folder."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def run(*arguments: str) -> tuple[int, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([*arguments, "--quiet"])
        told = capsys.readouterr().err
        assert "Traceback" not in told
        return int(ended.value.code or 0), " ".join(told.split())

    return run


def run_options(dialect: Dialect, url: str, world: Path) -> tuple[str, ...]:
    where = ("--world", str(world), "--days", DAYS, "--out", "out")
    return ("run", "--agent", dialect.agent, "-M", f"base_url={url}", *where)


def test_a_refused_key_stops_a_run_before_it_begins(
    command: Command, dialect: Dialect, small_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(dialect.key_variable, "wrong")
    with serve(dialect, lambda _: WAIT) as server:
        code, told = command(*run_options(dialect, server.url, small_world))
    assert code == 2
    assert f"{dialect.agent}: the key was refused" in told and f"set {dialect.key_variable}" in told
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("trouble", ["overflow", "bad_request"])
def test_a_year_that_its_provider_broke_off_goes_on_where_it_stopped(
    command: Command, dialect: Dialect, small_world: Path, monkeypatch: pytest.MonkeyPatch, trouble: Trouble
) -> None:
    monkeypatch.setenv(dialect.key_variable, KEY)
    out_of_order = True

    def script(talk: Talk) -> Turn | Fault:
        return Fault(trouble) if talk.turns == 2 and out_of_order else WAIT

    with serve(dialect, script) as server:
        code, told = command(*run_options(dialect, server.url, small_world))
        assert code == 1 and "ecbench resume out" in told
        out_of_order = False
        code, told = command("resume", "out")
        assert code == 0 and told.splitlines() == [told] and f"with your key, to {server.url}" in told
    assert server.refusals == []
    asked = [request for request, talk in zip(server.requests, server.talks, strict=True) if talk.system]
    assert len(asked) == int(DAYS) + 1
    assert asked[2] == asked[3]
