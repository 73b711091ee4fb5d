"""A file from a stranger costs little memory and time, writes nowhere else, and is refused in one line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import Command

from ecbench.runs.folder import open_run

MOST_MEMORY = 500  # MB
MOST_SECONDS = 60
GIB = 1 << 30
PROGRAM = """
import json, sys
from pathlib import Path
from ecbench.errors import BadInput
from ecbench.runs.folder import open_run
from ecbench.season.verify import verify
said = {}
for path in map(Path, sys.argv[1:]):
    try:
        said[path.name] = " ".join(verify(open_run(path), None).differences)
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
