"""A received folder may contain files with the names of modules: no command runs them."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import rmtree

import pytest
from tests.cli.command import WAITS, write_merchant
from tests.runs.conftest import RAY_SETTINGS

from ecbench.pages.board.server.subprocesses import ECBENCH as STARTED_BY_THE_BOARD

ECBENCH = str(Path(sys.executable).with_name("ecbench"))
# Our own dependencies, modules of Python's library, and packages that are used where they are installed.
PLANTED = (
    *("rich", "numpy", "orjson", "msgspec", "click", "psutil", "pydantic_ai", "uvloop", "cloudpickle"),
    *("json", "typing", "dataclasses", "signal", "csv", "random", "sitecustomize", "usercustomize"),
)
MARK = "from pathlib import Path\nPath(__file__).with_name('ran').touch()\n"


def ended(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | RAY_SETTINGS
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def received(tmp_path: Path, small_world: Path) -> Path:
    """The folder of a run of two years that have not begun, and of modules that leave a mark when they are run."""
    folder = tmp_path / "received"
    options = ("--agent", "idle", "--days", "2", "-n", "2", "--world", str(small_world), "--out", str(folder))
    assert ended(tmp_path, ECBENCH, "run", *options).returncode == 0
    rmtree(folder / "episodes")
    for name in PLANTED:
        (folder / f"{name}.py").write_text(MARK, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        pytest.param((ECBENCH, "resume", "."), id="the command"),
        pytest.param((sys.executable, "-m", "ecbench", "resume", "."), id="python -m"),
        pytest.param((*STARTED_BY_THE_BOARD, "resume", "."), id="the board"),
        pytest.param((ECBENCH, "resume", ".", "-j", "2", "--executor", "processes"), id="worker processes"),
        pytest.param((ECBENCH, "resume", ".", "--executor", "ray"), id="Ray"),
        pytest.param((ECBENCH, "run", "--agent", "mine:Mine", "--days", "2", "-n", "2", "-j", "2"), id="module:Class"),
    ],
)
def test_no_file_of_the_current_folder_stands_in_for_a_module(received: Path, command: tuple[str, ...]) -> None:
    """A merchant of the folder's own plays, since it is named."""
    if "ray" in command:
        pytest.importorskip("ray", reason="the extra `ray` is not installed")
    if "-m" not in command or "-P" in command:  # without -P, Python itself looks there first
        (received / "ecbench").mkdir()
        (received / "ecbench" / "__init__.py").write_text(MARK, encoding="utf-8")
    write_merchant(received / "mine.py", WAITS)
    done = ended(received, *command)
    assert list(received.rglob("ran")) == []
    assert done.returncode == 0, done.stderr
