"""Recorded episodes of the published release, replayed call by call: same replies, same money, same report."""

import gzip
import importlib.util
import json
from collections.abc import Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import ecbench

PARITY = Path(__file__).parents[3] / "shared" / "parity"
TRACES = sorted((PARITY / "traces").glob("*.json.gz"))
SHOWN = 12

pytestmark = pytest.mark.skipif(
    not (PARITY / "check.py").exists(),
    reason="THE PUBLISHED RECORDINGS ARE ABSENT: episodes were not compared with the release",
)


@cache
def checker() -> Any:
    """The comparison that ships with the recordings."""
    spec = importlib.util.spec_from_file_location("parity_check", PARITY / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def sample_world() -> Any:
    return ecbench.load_world(str(PARITY / "world"))


def recorded(path: Path) -> Any:
    with gzip.open(path) as file:
        return json.load(file)


def first_differences(rows: Iterable[tuple[str, object, object]]) -> list[str]:
    return [f"{where}: want {str(want)[:120]} got {str(got)[:120]}" for where, want, got in islice(rows, SHOWN)]


@pytest.mark.parametrize("path", TRACES or [PARITY], ids=lambda path: path.name.split(".")[0])
def test_a_published_episode_is_repeated_to_the_cent(path: Path) -> None:
    assert first_differences(checker().trace_rows(ecbench, sample_world(), recorded(path))) == []


def test_every_published_transcript_is_edited_alike() -> None:
    cases = recorded(PARITY / "editor.json.gz")
    assert len(cases) == 120
    assert first_differences(checker().editor_rows(ecbench, cases)) == []
