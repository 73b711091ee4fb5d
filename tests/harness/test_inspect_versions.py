"""The tested range of Inspect AI: declared twice, kept once, and refused in one line outside it."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ecbench
from ecbench.harness import package_versions
from ecbench.harness.package_versions import NEWEST, OLDEST, UnsupportedVersion, require_supported_inspect

SOURCE = Path(ecbench.__file__).parent
PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def test_the_extra_has_the_bounds_that_are_checked() -> None:
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert f"inspect-ai>={OLDEST},<={NEWEST}" in extras["models"]


@pytest.mark.parametrize(
    ("installed", "supported"),
    [(OLDEST, True), (NEWEST, True), ("0.3.9", False), ("0.3.9999", False), ("0.4", False), ("1.0.0rc1", False)],
)
def test_only_tested_versions_are_supported(monkeypatch: pytest.MonkeyPatch, installed: str, supported: bool) -> None:
    monkeypatch.setattr(package_versions, "version", lambda _: installed)
    if supported:
        require_supported_inspect()
    else:
        with pytest.raises(UnsupportedVersion, match=f"^inspect-ai {installed} is installed, .*{OLDEST} to {NEWEST}"):
            require_supported_inspect()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("-m", "ecbench", "run", "--agent", "openai/gpt-5.1", "--days", "1", "--out", "out"), 2),
        (("-c", "import ecbench.adapters.inspect.task"), 1),
    ],
)
def test_another_version_stops_a_command_with_one_line(tmp_path: Path, command: tuple[str, ...], code: int) -> None:
    metadata = tmp_path / "packages/inspect_ai-0.4.0.dist-info/METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text("Metadata-Version: 2.1\nName: inspect_ai\nVersion: 0.4.0\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(metadata.parents[1]), "OPENAI_API_KEY": "none"}
    done = subprocess.run(
        [sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    line = done.stderr.splitlines()[-1]
    assert "inspect-ai 0.4.0 is installed, and models need" in line
    assert code == 1 or done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_private_parts_of_inspect_are_used_in_one_module_alone() -> None:
    private = re.compile(r"inspect_ai[\w.]*\._\w|from inspect_ai[\w.]* import .*\b_\w|transcript\(\)\._|_http_options")
    users = [path for path in SOURCE.rglob("*.py") if private.search(path.read_text(encoding="utf-8"))]
    assert users == [SOURCE / "harness/inspect_internals.py"]
