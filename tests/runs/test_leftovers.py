"""A command that fails or is killed leaves nothing that refuses the next try."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ecbench.board.run_index import Library
from ecbench.board.server.actions import Desk
from ecbench.errors import RunError
from ecbench.runs.record.atomic_folder import refuse_used, write_folder
from ecbench.runs.signatures.keys import read_signing_key, write_new_key
from ecbench.serving.asgi import RequestRefused

FILES = {"index.html": b"a page", "entries/a.html": b"another", "results.json": b"{}"}
KILLED = """
import os, signal, sys
from pathlib import Path
from ecbench.runs.record.atomic_folder import write_folder
moved = []

def die(after):
    moved.append(None)
    if len(moved) == after:
        os.kill(os.getpid(), signal.SIGKILL)

def files():
    for name in ("index.html", "entries/a.html", "results.json"):
        yield name, b"half"
        if sys.argv[2] == "writing":
            die(2)

if sys.argv[2] == "moving":
    sys.addaudithook(lambda event, _: die(5) if event == "os.rename" else None)  # three files, then the second part
write_folder(Path(sys.argv[1]), files())
"""


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file can grow beyond this size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [0, 10])
def test_a_key_that_no_disk_had_room_for_can_be_made_again(tmp_path: Path, size: int) -> None:
    with full_disk(size), pytest.raises(RunError, match="cannot write"):
        write_new_key(tmp_path / "key")
    assert list(tmp_path.iterdir()) == []
    assert write_new_key(tmp_path / "key").public == read_signing_key(tmp_path / "key").public


@pytest.mark.parametrize("when", ["writing", "moving"])
def test_the_next_export_removes_what_a_killed_one_left(tmp_path: Path, when: str) -> None:
    out = tmp_path / "out"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = subprocess.run([sys.executable, "-c", KILLED, str(out), when], env=environment, check=False)
    assert ran.returncode < 0 and any(out.iterdir())
    refuse_used(out)
    write_folder(out, FILES.items())
    found = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert found == FILES


def test_what_somebody_else_put_there_is_not_removed(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / ".partial").mkdir()
    (tmp_path / ".partial.lock").write_text("../other\nindex.html")
    (tmp_path.parent / "other").write_text("other")
    with pytest.raises(RunError, match="is not empty"):
        refuse_used(tmp_path)
    assert (tmp_path / "mine.txt").exists() and (tmp_path.parent / "other").exists()


def test_a_second_writer_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def files() -> Iterator[tuple[str, bytes]]:
        for name, content in FILES.items():
            for attempt in (lambda: refuse_used(out), lambda: write_folder(out, FILES.items())):
                with pytest.raises(RunError, match="being written by another process"):
                    attempt()
            yield name, content

    assert len(write_folder(out, files())) == 3
    assert sorted(path.name for path in out.iterdir()) == ["entries", "index.html", "results.json"]


def test_a_bad_world_on_the_board_begins_no_run(tmp_path: Path) -> None:
    desk = Desk(Library(tmp_path), frozenset(), lambda: "20260101-000000")
    before = list(tmp_path.iterdir())
    for asked in ({"agent": "idle", "world": "nowhere"}, {"world": str(tmp_path)}):
        with pytest.raises(RequestRefused):
            desk.start(asked)
        with pytest.raises(RequestRefused):
            desk.sit_down({"world": asked["world"]})
    assert list(tmp_path.iterdir()) == before
    desk.close()
