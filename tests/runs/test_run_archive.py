"""A ZIP of a run is opened like its folder; one that would write elsewhere, or is too large, is refused."""

import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ecbench.errors import RunError
from ecbench.runs import run_archive
from ecbench.runs.run_archive import run_folder

Fill = Callable[[zipfile.ZipFile], object]


def link(archive: zipfile.ZipFile) -> None:
    entry = zipfile.ZipInfo("run/run.json")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(entry, "/etc/passwd")


@pytest.mark.parametrize(
    ("fill", "why"),
    [
        (lambda archive: archive.writestr("../run.json", "{}"), "not a file of a run's folder"),
        (lambda archive: archive.writestr("/etc/run.json", "{}"), "not a file of a run's folder"),
        (lambda archive: archive.writestr("run\\..\\run.json", "{}"), "not a file of a run's folder"),
        (lambda archive: archive.writestr("run.json", "{}"), "not a file of a run's folder"),
        (link, "not a file of a run's folder"),
        (lambda archive: [archive.writestr(f"{name}/run.json", "{}") for name in "ab"], "contains one folder, not 2"),
        (lambda archive: None, "contains one folder, not 0"),
        (lambda archive: archive.writestr("run/events.jsonl", "x" * 2_000), "or 1,000 in all"),
        (lambda archive: [archive.writestr(f"run/{name}", "") for name in "abcd"], "4 files"),
    ],
)
def test_a_hostile_archive_is_refused_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fill: Fill, why: str
) -> None:
    monkeypatch.setattr(run_archive, "MOST_BYTES", 1_000)
    monkeypatch.setattr(run_archive, "MOST_FILES", 3)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    with zipfile.ZipFile(tmp_path / "sent.zip", "w") as archive:
        fill(archive)
    with pytest.raises(RunError, match=why), run_folder(tmp_path / "sent.zip"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scratch", "sent.zip"]
    assert list((tmp_path / "scratch").iterdir()) == []
