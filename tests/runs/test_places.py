"""Runs on full disks, in folders that may not be written, behind links, and with something else in a file's place."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.runs.conftest import TRADER, Diary, NewRun, Play, files_no_larger_than, files_of

from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.atomic_write import LARGEST
from ecbench.runs.results.derived_files import DERIVED, METRICS

Capture = pytest.CaptureFixture[str]
Done = subprocess.CompletedProcess[str]
PROGRAM = "import sys; from ecbench.cli import main; main(sys.argv[1:])"
ECBENCH = (sys.executable, "-c", PROGRAM)
# Of this program alone: `ru_maxrss` also counts the process that started it.
PEAK = "next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM'))"
MEASURED = (
    sys.executable,
    "-c",
    f"import atexit, sys; atexit.register(lambda: print({PEAK}, file=sys.stderr)); {PROGRAM}",
)
MOST_KIBIBYTES = 500_000
DAYS = 30


@pytest.fixture
def over(new_run: NewRun, play: Play) -> Run:
    run = new_run(days=DAYS)
    play(run)
    return run


# Where nothing may be written


def obey_permissions() -> None:
    """Root writes whatever its permissions say, unless it gives that up (CAP_DAC_OVERRIDE) before a program starts."""
    if os.geteuid() == 0:
        drop_capability, override = 24, 1
        assert ctypes.CDLL(None).prctl(drop_capability, override, 0, 0, 0) == 0


def read_only(folder: Path, *arguments: str) -> Done:
    """A command given while neither the folder nor anything in it may be written."""
    paths = [folder, *folder.rglob("*")]
    modes = {path: path.stat().st_mode for path in paths}
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        return subprocess.run(
            [*ECBENCH, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            preexec_fn=obey_permissions,
        )
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def test_a_year_that_is_over_shows_its_table_where_nothing_may_be_written(over: Run) -> None:
    folder = str(over.folder)
    before = files_of(over)
    shown = read_only(over.folder, "resume", folder)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "my_merchant.py:My" in shown.stdout and "Run folder: " in shown.stdout
    assert read_only(over.folder, "verify", folder).returncode == 0
    assert files_of(over) == before


@pytest.mark.parametrize("over", [False, True], ids=["in play", "with files of another end"])
def test_a_year_with_work_left_is_refused_where_nothing_may_be_written(new_run: NewRun, play: Play, over: bool) -> None:
    run = new_run(days=DAYS)
    play(run, diary=Diary(stop_on_day=9))
    old = files_of(run)
    if over:
        play(run)
        for name in DERIVED:
            (run.episode_folder(0) / name).write_bytes(old[name])
    before = files_of(run)
    refused = read_only(run.folder, "resume", str(run.folder))
    assert refused.returncode == 2
    assert f"cannot write {run.events_path(0)}: Permission denied" in refused.stderr
    assert "100," not in refused.stdout
    assert read_only(run.folder, "verify", str(run.folder)).returncode == int(not over)  # a year in play is not proven
    assert files_of(run) == before


# Behind links


def test_a_run_is_found_behind_links(capsys: Capture, over: Run, tmp_path: Path) -> None:
    latest = tmp_path / "latest"
    latest.symlink_to(over.folder)
    elsewhere = tmp_path / "elsewhere.jsonl"
    over.events_path(0).rename(elsewhere)
    over.events_path(0).symlink_to(elsewhere)
    for command in (("resume",), ("show",), ("fork", "--day", "3", "--agent", "idle")):
        name, *options = command
        out = ("--out", str(tmp_path / "taken")) if name == "fork" else ()
        assert Command(capsys, name, str(latest), *options, *out).code == 0
    assert over.events_path(0).is_symlink()
    refused = Command(capsys, "verify", str(latest))
    assert refused.code == 1 and "episodes/0/events.jsonl is a symbolic link" in refused.out


def test_a_link_that_leads_nowhere_is_not_a_year_that_has_not_begun(capsys: Capture, over: Run, tmp_path: Path) -> None:
    events = over.events_path(0)
    events.rename(tmp_path / "kept.jsonl")
    events.symlink_to(tmp_path / "on an unmounted disk")
    for command in ("resume", "show"):
        refused = Command(capsys, command, str(over.folder))
        assert refused.code == 2 and "it is a link that leads nowhere" in refused.err
    assert not (tmp_path / "on an unmounted disk").exists()


def test_a_run_is_not_begun_behind_a_link_that_leads_nowhere(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "runs").symlink_to(tmp_path / "on an unmounted disk")
    refused = Command(capsys, "run", "--agent", "idle", "--days", "1", "--out", str(tmp_path / "runs"), "-q")
    assert refused.code == 2 and "is a link that leads nowhere; give --out a folder" in refused.err


def test_temporary_file_is_not_written_through_a_link(capsys: Capture, over: Run, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    (over.episode_folder(0) / f".{METRICS}.partial").symlink_to(mine)
    (over.episode_folder(0) / METRICS).unlink()
    assert Command(capsys, "resume", str(over.folder)).code == 0
    assert (over.episode_folder(0) / METRICS).is_file()
    assert mine.read_text() == "mine"


def test_a_record_that_is_deleted_while_it_is_played_is_missed_at_once(new_run: NewRun, play: Play) -> None:
    run = new_run(days=DAYS)

    class Careless(Diary):
        def __call__(self, *news: object) -> None:
            run.events_path(0).unlink(missing_ok=True)

    assert play(run, diary=Careless()).problem.startswith(
        f"{run.events_path(0)} was deleted while its episode was played"
    )


# While another process plays


def test_a_run_that_another_process_plays_can_be_looked_at_and_not_touched(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, over: Run
) -> None:
    monkeypatch.setattr("ecbench.runs.record.append_only_log.PAUSE_SECONDS", 0.001)
    events = over.events_path(0)
    whole = events.read_bytes()
    for name in DERIVED:
        (over.episode_folder(0) / name).unlink()
    events.write_bytes(whole[: len(whole) // 2])
    with AppendOnlyLog(events):
        before = files_of(over)
        refused = Command(capsys, "resume", str(over.folder))
        assert refused.code == 2 and "is being written by another process" in refused.err
        events.write_bytes(whole.replace(b'"turn":3,', b'"turn":4,', 1))
        assert Command(capsys, "resume", str(over.folder), "--salvage").code == 2
        events.write_bytes(before["events.jsonl"])
        assert Command(capsys, "show", str(over.folder)).code == 0
        assert "DIFFERENT" not in Command(capsys, "verify", str(over.folder)).out
        assert files_of(over) == before
    assert Command(capsys, "resume", str(over.folder)).code == 0


# Something else in the place of a file

Replace = Callable[[Path], None]
OTHERS: dict[str, Replace] = {
    "a named pipe": os.mkfifo,
    "a folder": lambda path: path.mkdir(),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "too large": lambda path: os.truncate(_touched(path), LARGEST + 1),
}


def _touched(path: Path) -> Path:
    path.touch()
    return path


@pytest.mark.parametrize("other", OTHERS)
def test_special_file_is_refused_by_name_without_blocking(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, over: Run, other: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for path in (over.folder / "run.json", over.events_path(0)):
        aside = path.rename(path.with_suffix(".aside"))
        OTHERS[other](path)
        for command in (("resume",), ("show",), ("fork", "--day", "1", "--agent", "idle")):
            refused = Command(capsys, command[0], str(over.folder), *command[1:])
            assert refused.code == 2
            assert refused.err.startswith("ecbench: ") and refused.err.count("\n") == 1
            assert ("more than" if other == "too large" else "not a file") in refused.err and str(path) in refused.err
        verified = Command(capsys, "verify", str(over.folder))
        assert verified.code in (1, 2) and str(path) in verified.out + verified.err
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink()
        aside.rename(path)
    assert not Path("runs").exists()


def test_a_sparse_record_of_two_gibibytes_is_refused_before_it_is_read(over: Run) -> None:
    """As after a power cut, which leaves zeros."""
    record = over.events_path(0)
    first = record.read_bytes().partition(b"\n")[0] + b"\n"
    for content in (b"", first, first + b'{"event":"turn",'):
        record.write_bytes(content)
        os.truncate(record, LARGEST - 1)
        with record.open("ab") as file:
            file.write(b"\n")
        verified = subprocess.run([*MEASURED, "verify", str(over.folder)], capture_output=True, text=True, check=False)
        assert verified.returncode == 1 and "edited or damaged" in verified.stdout
        assert int(verified.stderr) < MOST_KIBIBYTES


# A full disk


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_full_disk_keeps_every_turn_and_the_run_continues_where_there_is_room(
    capsys: Capture, tmp_path: Path, small_world: Path, over: Run, share: float
) -> None:
    """It is full in the middle of the first turn, in the middle of the record, or behind its end."""
    roomy, out = files_of(over), tmp_path / "out"
    room = 2_000 + int(share * (len(roomy["events.jsonl"]) - 2_000))
    run = ("run", "--agent", TRADER, "--world", str(small_world), "--days", str(DAYS), "--quiet", "--out", str(out))
    with files_no_larger_than(room):
        full = Command(capsys, *run)
    assert full.code == 2 and "File too large" in full.err
    assert ("all turns before this one are kept" if share < 1 else "the events are kept, and ecbench res") in full.err
    recording = read_episode(open_run(out), 0)
    assert roomy["events.jsonl"].startswith(recording.written)
    assert recording.finished == (share == 1)
    assert Command(capsys, "resume", str(out), "--quiet").code == 0
    assert files_of(open_run(out)) == roomy
