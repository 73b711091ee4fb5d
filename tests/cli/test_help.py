"""What help shows, how little it loads, and what a wrong command or option is told."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import Cli

from ecbench import __version__
from ecbench.cli.program import COMMANDS, NAMES, command_called
from ecbench.cli.terminal import BAD_INPUT
from ecbench.market import settlement

LINES = {name: line for lines in COMMANDS.values() for name, line in lines.items()}
GROUPS = {
    "world": ("list", "new", "check", "show", "import", "bound", "explain"),
    "season": ("list", "show", "play", "announce", "open", "check", "site", "keys"),
    "list": ("agents", "models", "rules"),
}
EVERY_COMMAND = [(), *((name,) for name in NAMES), *((name, each) for name in GROUPS for each in GROUPS[name])]
STAKES = ("0", "-5", "nan", "inf", "1e13")
HEAVY = {"numpy", "starlette", "pydantic_ai", "jinja2", "vl_convert", "ray", "ecbench.market"}
HELP_OF_ALL = """
import sys
from ecbench.cli import main
for command in {commands!r}:
    try:
        main([*command, "--help"])
    except SystemExit as ended:
        assert not ended.code
print(sorted({heavy!r} & set(sys.modules)))
"""


def help_of(cli: Cli, *command: str) -> str:
    shown = cli(*command, "--help")
    assert shown.code == 0
    return shown.out


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_help_fits_eighty_columns_and_cuts_no_sentence(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = help_of(cli, *command).splitlines()
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line.endswith("...") and "Usage" not in line]


@pytest.mark.parametrize(
    ("commands", "unneeded"),
    [([()], HEAVY | {"rich.table"} | {f"ecbench.cli.commands.{name}" for name in NAMES}), (EVERY_COMMAND, HEAVY)],
    ids=["of the program", "of every command"],
)
def test_help_loads_neither_the_simulator_nor_a_heavy_library(
    commands: list[tuple[str, ...]], unneeded: set[str]
) -> None:
    program = HELP_OF_ALL.format(commands=commands, heavy=unneeded)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", LINES)
def test_the_program_lists_each_command_with_the_first_line_of_its_help(name: str) -> None:
    assert (command_called(name).help or "").partition("\n")[0] == LINES[name]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rum",), "No such command 'rum'. (Did you mean one of: 'resume', 'run'?)"),
        (("world", "lst"), "No such command 'lst'. Did you mean 'list'?"),
        (("run", "--agnt", "x"), "No such option '--agnt'. (Did you mean one of: '--agent', '--sign'?)"),
        (("run", "--days", "36526"), "--days"),
        *((("run", "--stake", stake), "is not a number from 1 to 1,000,000,000,000") for stake in STAKES),
    ],
)
def test_bad_input_is_named_in_the_error(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    refused = cli(*arguments)
    assert refused.code == BAD_INPUT
    assert message in refused.err


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "ecbench", "--version"], capture_output=True, text=True, check=True)
    kind = "pure Python" if settlement.__file__.endswith(".py") else "compiled"
    assert done.stdout == f"ecbench {__version__} ({kind}, Python {platform.python_version()})\n"


def test_money_reaches_a_terminal_that_has_no_yuan_sign(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ecbench", "run", "--agent", "idle", "--days", "2", "--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, env={"PYTHONIOENCODING": "ascii"}, check=True)
    assert b"bank ?100,000" in done.stdout
