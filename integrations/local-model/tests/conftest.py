"""Servers of the real model, one for each window, each ended by its own process."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

START_SECONDS = 120
BRIEF = "Run online stores in China for {days} days from {start} with ¥{stake}. Earn as much as you can."


@contextmanager
def served(window: int) -> Iterator[str]:
    command = [sys.executable, "-m", "ecbench_local_model.server", str(window)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdin and process.stdout
        try:
            yield f"{process.stdout.readline().strip()}/v1"
        finally:
            process.terminate()
            process.wait(START_SECONDS)


@pytest.fixture(scope="session")
def large() -> Iterator[str]:
    """The address of a server whose window holds 8,192 tokens."""
    with served(8_192) as url:
        yield url


@pytest.fixture(scope="session")
def small() -> Iterator[str]:
    """One whose window holds 2,048, which is less than the brief and the tools."""
    with served(2_048) as url:
        yield url


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(os.environ, "LOCAL_API_KEY", "none")
    Path("brief.txt").write_text(BRIEF, encoding="utf-8")
