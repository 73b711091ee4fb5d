"""Every command in an environment without any extra: it works, or names the extra in one line and writes nothing."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from release.commands import WITH_EXTRA, WITHOUT_EXTRAS

from ecbench.cli.program import NAMES
from ecbench.cli.terminal import BAD_INPUT
from ecbench.extras import EXTRAS, import_with_extra
from ecbench.world.load import load_world

# Exits by itself, so that one process serves all commands.
IN_ONE_PROCESS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
for package in {packages!r}:
    sys.modules[package] = None
from ecbench.cli import main
outcomes = []
for command in {commands!r}:
    out, err, code = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(command)
        except SystemExit as stopped:
            code = stopped.code or 0
        except BaseException as error:
            code = repr(error)
    outcomes.append((code, err.getvalue()))
print(json.dumps(outcomes))
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int | str, str]]:
    """The exit code and the error output of each command, all run in one folder."""
    folder, sku = tmp_path_factory.mktemp("bare"), load_world("default").products[0].sku
    commands = [*WITHOUT_EXTRAS, *(command for group in WITH_EXTRA.values() for command in group)]
    packages = sorted(frozenset().union(*(extra.packages for extra in EXTRAS.values())))
    program = IN_ONE_PROCESS.format(packages=packages, commands=[each.format(sku=sku).split() for each in commands])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=folder)
    assert [path.name for path in folder.glob("new*")] == [], "a command that was refused has written something"
    return {command: (code, err) for command, (code, err) in zip(commands, json.loads(done.stdout), strict=True)}


def test_every_command_is_tried() -> None:
    tried = {command.split()[0] for command in (*WITHOUT_EXTRAS, *(c for group in WITH_EXTRA.values() for c in group))}
    assert tried == set(NAMES)


@pytest.mark.parametrize("command", WITHOUT_EXTRAS)
def test_a_command_of_the_base_needs_no_extra(outcomes: dict[str, tuple[int | str, str]], command: str) -> None:
    code, message = outcomes[command]
    assert code == 0 and "pip install" not in message


@pytest.mark.parametrize(("extra", "command"), [(extra, each) for extra, group in WITH_EXTRA.items() for each in group])
def test_a_missing_extra_is_named_in_one_line(
    outcomes: dict[str, tuple[int | str, str]], extra: str, command: str
) -> None:
    code, message = outcomes[command]
    assert code == BAD_INPUT and f"pip install 'ecbench[{extra}]'" in message and message.count("\n") == 1


def test_an_import_error_of_another_package_is_none_of_an_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needs_another.py").write_text("import no_such_package")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        import_with_extra("needs_another", "serve")


def test_the_extras_are_those_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"dev", "docs"}  # for work on the package itself
