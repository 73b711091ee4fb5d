"""The append-only log and the logs on it: failed writes, syncs, partial lines, and ends that belong to an episode."""

import os
from io import BytesIO
from pathlib import Path

import pytest
from tests.adapters.hosting import WAIT, begin
from tests.runs.conftest import files_no_larger_than

from ecbench.errors import RunError
from ecbench.runs.play.external_sessions import YearSession
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.reader import read_end
from ecbench.world.model import World


def test_a_failed_write_leaves_nothing_of_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with AppendOnlyLog(path) as log:
        log.append(b"one\n")
        with files_no_larger_than(7), pytest.raises(RunError, match="cannot write"):
            log.append(b"a second line\n")
        assert path.read_bytes() == b"one\n"
        log.append(b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"


def test_lines_behind_what_is_kept_go_with_the_first_new_line(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\nhalf a li")
    with AppendOnlyLog(path) as log:
        log.size = 4
        assert path.read_bytes() == b"one\nhalf a li"
        log.append(b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"


def test_an_append_is_synced_before_it_returns_unless_it_is_asked_not_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = list[int]()
    monkeypatch.setattr(os, "fsync", lambda file: sizes.append(os.fstat(file).st_size))
    with AppendOnlyLog(tmp_path / "log") as log:
        sizes.clear()  # of the folder
        log.append(b"one\n")
        assert sizes == [4]
        log.append(b"two\n", sync=False)
        assert sizes == [4]


def test_the_end_of_a_record_is_that_of_its_own_episode_and_terms(
    tmp_path: Path, small_world: Path, world: World
) -> None:
    run = begin(tmp_path / "run", world, small_world, days=1)
    YearSession(run, 0, world).take([WAIT])
    content = run.events_path(0).read_bytes()
    end = read_end(BytesIO(content), run.terms, 0)
    assert end is not None and end.ends[0].ending == "year_end"
    assert read_end(BytesIO(content), run.terms, 1) is None
    other = begin(tmp_path / "other", world, small_world, days=2).terms
    assert read_end(BytesIO(content), other, 0) is None
    assert read_end(BytesIO(content[:-1]), run.terms, 0) is None
    assert read_end(BytesIO(content.replace(b'"day":1', b'"day":0', 1)), run.terms, 0) is None
