"""A command that fails leaves nothing that refuses the next try."""

import os
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest
from tests.runs.conftest import files_no_larger_than

from ecbench.errors import RunError
from ecbench.runs.record.atomic_write import refuse_used, write_folder
from ecbench.runs.signatures.keys import read_signing_key, write_new_key

FILES = {"index.html": b"a page", "entries/a.html": b"another", "results.json": b"{}"}


@pytest.mark.parametrize("size", [0, 10])
def test_a_key_that_no_disk_had_room_for_can_be_made_again(tmp_path: Path, size: int) -> None:
    with files_no_larger_than(size), pytest.raises(RunError, match="cannot write"):
        write_new_key(tmp_path / "key")
    assert list(tmp_path.iterdir()) == []
    assert write_new_key(tmp_path / "key").public == read_signing_key(tmp_path / "key").public


def test_a_second_writer_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def files() -> Iterator[tuple[str, bytes]]:
        for name, content in FILES.items():
            for attempt in (lambda: refuse_used(out), lambda: write_folder(out, FILES.items())):
                with pytest.raises(RunError, match="being written by another process"):
                    attempt()
            yield name, content

    assert len(write_folder(out, files())) == 3
    with pytest.raises(RunError, match="is not empty"):
        write_folder(out, [("other", b"")])
    found = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert found == FILES


def test_a_folder_whose_writer_was_killed_is_refused_with_what_to_delete(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def files() -> Iterator[tuple[str, bytes]]:
        yield from FILES.items()
        os._exit(9)

    child = os.fork()
    if child == 0:
        write_folder(out, files())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    with pytest.raises(RunError, match="or one was killed; give another folder, or delete this one"):
        write_folder(out, FILES.items())
    rmtree(out)
    write_folder(out, FILES.items())
