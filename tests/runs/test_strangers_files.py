"""A file from a stranger costs little memory and time, writes nowhere else, and is refused in one line."""

import json
import os
import stat
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from random import Random

import pytest
from tests.cli.command import Command

from ecbench.errors import RunError
from ecbench.runs import run_archive
from ecbench.runs.folder import open_run
from ecbench.runs.run_archive import packed_run, run_folder

MOST_MEMORY = 500  # MB
MOST_SECONDS = 60
GIB = 1 << 30
PROGRAM = """
import json, sys
from pathlib import Path
from ecbench.errors import BadInput
from ecbench.runs.folder import open_run
from ecbench.runs.run_archive import run_folder
from ecbench.season.verify import verify
said = {}
for path in map(Path, sys.argv[1:]):
    try:
        with run_folder(path) as folder:
            said[path.name] = " ".join(verify(open_run(folder), None).differences)
    except BadInput as problem:
        said[path.name] = str(problem)
# Of this program alone: `ru_maxrss` also counts the process that started it.
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(json.dumps([said, int(peak.split()[1]) // 1024]))
"""


def checked(*paths: Path) -> dict[str, str]:
    """What the check of each file or folder says, in a process of which memory and time are measured."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, paths)],
        capture_output=True,
        text=True,
        timeout=MOST_SECONDS * 3,  # the machine may be busy
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    said, memory = json.loads(ran.stdout)
    assert memory < MOST_MEMORY
    assert not [line for line in said.values() if "\n" in line]
    return dict(said)


@pytest.fixture
def honest(small_world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    options = ("--agent", "idle", "--world", str(small_world), "--days", "4", "--out", str(tmp_path / "run"), "-q")
    assert Command(capsys, "run", *options).code == 0
    return tmp_path / "run"


Write = Callable[[Path, Path], None]


def bomb(byte: bytes, size: int) -> Write:
    """A ZIP whose record is one byte, many times over."""

    def write(honest: Path, path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(honest / "run.json", "run/run.json")
            events = open_run(honest).events_path(0).relative_to(honest)
            with archive.open(f"run/{events.as_posix()}", "w") as record:
                for _ in range(size >> 20):
                    record.write(byte * (1 << 20))

    return write


def wide_directory(_honest: Path, path: Path) -> None:
    """A directory of 150,000 files, of which the last record states three."""
    entry = struct.pack("<4s6H3I5H2I", b"PK\1\2", *[0] * 6, 0, 0, 0, 8, *[0] * 4, 0, 0) + b"run/file"
    directory = entry * 150_000
    path.write_bytes(directory + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 3, 3, len(directory), 0, 0))


def other_method(_honest: Path, path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("run/run.json", "{}")


HOSTILE: dict[str, tuple[Write, str]] = {
    "zeros": (bomb(b"\0", 300 << 20), "when it is unpacked"),
    "line-breaks": (bomb(b"\n", 100 << 20), "events.jsonl, line 1"),
    "directory": (wide_directory, "3 files; an archive has at most 10,000"),
    "method": (other_method, "is packed by another method than deflate"),
}


def test_no_archive_takes_much_memory_or_time(honest: Path, tmp_path: Path) -> None:
    for name, (write, _) in HOSTILE.items():
        write(honest, tmp_path / f"{name}.zip")
        assert (tmp_path / f"{name}.zip").stat().st_size < 10_000_000
    said = checked(*(tmp_path / f"{name}.zip" for name in HOSTILE))
    assert {name: why for name, (_, why) in HOSTILE.items() if why not in said[f"{name}.zip"]} == {}


def test_a_sparse_record_of_two_gibibytes_is_refused_before_it_is_read(honest: Path) -> None:
    record = open_run(honest).events_path(0)
    whole = record.read_bytes()
    first = whole.partition(b"\n")[0] + b"\n"
    os.truncate(record, 2 * GIB)  # as after a power cut
    checked(honest)
    for content in (b"", first, first + b'{"event":"turn",'):
        record.write_bytes(content)
        with record.open("r+b") as file:
            file.truncate(2 * GIB)
            file.seek(2 * GIB - 1)
            file.write(b"\n")
        assert "edited or damaged" in checked(honest)["run"]
    os.truncate(record, 2 * GIB + 1)
    assert "more than the 2,147,483,648 that are read" in checked(honest)["run"]


def test_a_damaged_archive_is_refused_in_one_line(honest: Path, tmp_path: Path) -> None:
    content, draws = packed_run(open_run(honest)), Random(7)
    paths = [tmp_path / f"torn-{number}.zip" for number in range(3)]
    for path, torn in zip(paths, (b"", b"PK\x03\x04 torn", b"not an archive"), strict=True):
        path.write_bytes(torn)
    said = checked(*paths)
    assert [path.name for path in paths if "this is not an archive of a run" not in said[path.name]] == []
    for number in range(200):
        damaged = bytearray(content)
        for _ in range(draws.randint(1, 4)):
            damaged[draws.randrange(len(damaged))] = draws.randrange(256)
        del damaged[len(damaged) - draws.choice([0, 0, 1, 30, len(damaged) // 2]) :]
        paths.append(tmp_path / f"{number}.zip")
        paths[-1].write_bytes(damaged)
    checked(*paths)


def link(archive: zipfile.ZipFile) -> None:
    entry = zipfile.ZipInfo("run/run.json")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(entry, "/etc/passwd")


@pytest.mark.parametrize(
    "fill",
    [
        *(lambda archive, name=name: archive.writestr(name, "{}") for name in ("../run.json", "/etc/run.json")),
        *(lambda archive, name=name: archive.writestr(name, "{}") for name in ("run\\..\\run.json", "run.json")),
        link,
        lambda archive: [archive.writestr(f"{name}/run.json", "{}") for name in "ab"],
        lambda archive: None,
    ],
)
def test_an_archive_that_would_write_elsewhere_is_refused_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fill: Callable[[zipfile.ZipFile], object]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    with zipfile.ZipFile(tmp_path / "sent.zip", "w") as archive:
        fill(archive)
    with pytest.raises(RunError, match=r"not a file of a run's folder|contains one folder, not"):
        run_folder(tmp_path / "sent.zip").__enter__()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scratch", "sent.zip"]
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.parametrize(
    ("files", "size", "why"), [(3, 333, ""), (4, 1, "4 files; an archive has at most 3"), (3, 334, "or 1,000 in all")]
)
def test_an_archive_has_at_most_so_many_files_and_bytes_in_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: int, size: int, why: str
) -> None:
    monkeypatch.setattr(run_archive, "MOST_FILES", 3)
    monkeypatch.setattr(run_archive, "MOST_BYTES", 1_000)
    with zipfile.ZipFile(tmp_path / "sent.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(files):
            archive.writestr(f"run/{number}", "x" * size)
    with pytest.raises(RunError, match=why) if why else nullcontext(), run_folder(tmp_path / "sent.zip"):
        pass
