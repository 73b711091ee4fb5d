"""What a person reads who asks for help, and on what terminal."""

import subprocess
import sys
from pathlib import Path

import pytest

from ecbench import __version__
from ecbench.cli import main
from ecbench.cli.exit_codes import BAD_INPUT, FAILED, INTERRUPTED
from ecbench.cli.run import DEFAULT_AGENT
from ecbench.players.merchants.registry import DEFAULT_MERCHANT
from ecbench.runs.workers import EXECUTORS

PLAYING = ("run", "resume", "replay", "fork", "compare", "report", "verify", "arena", "serve", "host", "mcp")
COMMANDS = ("", *PLAYING, "show", "export", "agents", "rules", "bound", "review", "world", "suite")
WORLD_COMMANDS = ("list", "show", "check", "new", "import")
SUITE_COMMANDS = ("list", "show", "play")


def help_of(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert not ended.value.code
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        *((c,) if c else () for c in COMMANDS),
        *(("world", c) for c in WORLD_COMMANDS),
        *(("suite", c) for c in SUITE_COMMANDS),
    ],
)
def test_help_fits_eighty_columns_and_cuts_no_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = help_of(capsys, *command)
    assert max(map(len, told.splitlines())) <= 80
    assert not [line for line in told.splitlines() if line.endswith("...") and "Usage" not in line]


def test_help_names_the_defaults_that_are_no_fixed_value(capsys: pytest.CaptureFixture[str]) -> None:
    told = " ".join(help_of(capsys, "run").split())
    assert "[default: runs/TIME_AGENT]" in told
    assert "[default: the world's]" in told
    assert "[default: what the provider reports]" in told


def test_help_names_every_executor(capsys: pytest.CaptureFixture[str]) -> None:
    told = " ".join(help_of(capsys, "run").split())
    assert [name for name in EXECUTORS if name not in told.split("Where to play:")[1].split("[default")[0]] == []


@pytest.mark.parametrize("command", ["run", "resume", "fork"])
def test_help_tells_the_exit_codes_of_what_plays(capsys: pytest.CaptureFixture[str], command: str) -> None:
    told = " ".join(help_of(capsys, command).split())
    assert f"{FAILED} an agent or a model failed, {BAD_INPUT} bad input, {INTERRUPTED} stopped by a signal" in told


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "ecbench", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"ecbench {__version__}\n"


def test_money_reaches_a_terminal_that_has_no_yuan_sign(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ecbench", "run", "--agent", "idle", "--days", "2", "--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, env={"PYTHONIOENCODING": "ascii"}, check=True)
    assert b"bank ?100,000" in done.stdout


@pytest.mark.parametrize("stake", ["0", "-5", "nan", "inf", "1e13"])
def test_a_stake_is_an_amount_of_money(capsys: pytest.CaptureFixture[str], stake: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "--stake", stake])
    assert ended.value.code == 2
    assert "is not a number from 1 to 1,000,000,000,000" in capsys.readouterr().err


def test_a_run_is_at_most_as_long_as_a_world_may_be(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "--days", "36526"])
    assert ended.value.code == 2
    assert "--days" in capsys.readouterr().err


def test_run_plays_the_merchant_that_agents_lists_as_the_default() -> None:
    assert DEFAULT_AGENT == DEFAULT_MERCHANT
