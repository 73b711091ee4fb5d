"""A run as one file: a ZIP of its records and signatures, from which the receiver can verify it."""

import io
import os
import stat
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from ecbench.errors import RunError
from ecbench.runs.folder import EVENTS, MANIFEST, Run
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.signatures.signature import SIGNATURE

SENT = (MANIFEST, EVENTS, SIGNATURE)
ONE_TIME = (1980, 1, 1, 0, 0, 0)  # the same run gives the same bytes
SUFFIX = ".zip"
MOST_FILES = 10_000
MOST_BYTES = 2 << 30  # of an archive when it is unpacked
LARGEST_FILE = 128 << 20  # bytes, unpacked: a record is read into memory
LONGEST_ENTRY = 512  # bytes of the directory for one file
CHUNK = 1 << 20
_END = struct.Struct("<4s4H2IH")  # the last record of a ZIP file: its directory
_END_MARK = b"PK\5\6"
_LONGEST_COMMENT = 0xFFFF
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others can take gigabytes to unpack a byte


def packed_run(run: Run) -> bytes:
    """A ZIP of the run folder without what derives from the records."""
    root = run.folder.absolute()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(root.rglob("*")):
            if path.is_symlink():
                raise RunError(f"{path} is a link; an archive contains only what is in the run's folder")
            if path.name not in SENT or not path.is_file():
                continue
            try:
                content = read_file(path)
            except OSError as error:
                raise RunError(f"cannot read {path}: {error.strerror}") from error
            name = f"{root.name}/{path.relative_to(root).as_posix()}"
            archive.writestr(zipfile.ZipInfo(name, ONE_TIME), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def archive_name(run: Run) -> str:
    """The name of the archive file."""
    return f"{run.folder.absolute().name}{SUFFIX}"


@contextmanager
def run_folder(archive_path: Path) -> Iterator[Path]:
    """The folder of a run: the path itself, or what a ZIP file contains, in a folder that is deleted afterwards."""
    if archive_path.suffix != SUFFIX or not archive_path.is_file():
        yield archive_path
        return
    with TemporaryDirectory(prefix="ecbench-") as scratch:
        yield _unpacked(archive_path, Path(scratch))


def _unpacked(archive_path: Path, target: Path) -> Path:
    """Raises RunError for an archive that is damaged, too large, or would write anywhere else."""
    try:
        _check_directory(archive_path)
        with zipfile.ZipFile(archive_path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            roots = {_root_of(archive_path, entry) for entry in entries}
            if len(roots) != 1:
                raise RunError(f"{archive_path}: an archive of a run contains one folder, not {len(roots)}")
            left = MOST_BYTES
            for entry in entries:
                left = _extract(archive_path, archive, entry, target, left)
    except RunError:
        raise
    except Exception as problem:  # a damaged archive makes the module raise nearly anything
        what = " ".join(str(problem).split())[:200] or type(problem).__name__
        raise RunError(f"{archive_path}: this is not an archive of a run ({what})") from problem
    return target / roots.pop()


def _check_directory(archive_path: Path) -> None:
    """Count the files of an archive before its directory is read. Raises RunError, and ValueError if it has none."""
    with archive_path.open("rb") as file:
        file.seek(-min(file.seek(0, os.SEEK_END), _END.size + _LONGEST_COMMENT), os.SEEK_END)
        last = file.read()
    at = last.rfind(_END_MARK)
    if at < 0 or len(last) < at + _END.size:
        raise ValueError("it has no directory")
    _, _, _, _, count, size, _, _ = _END.unpack_from(last, at)
    if count > MOST_FILES or size > LONGEST_ENTRY * max(count, 1):
        raise RunError(f"{archive_path}: {count:,} files; an archive has at most {MOST_FILES:,}, with short names")


def _root_of(archive_path: Path, entry: zipfile.ZipInfo) -> str:
    """The folder in which a file of an archive lies."""
    path = PurePosixPath(entry.filename)
    linked = stat.S_ISLNK(entry.external_attr >> 16)
    if path.is_absolute() or ".." in path.parts or len(path.parts) < 2 or "\\" in entry.filename or linked:
        raise RunError(f"{archive_path}: {entry.filename[:80]!r} is not a file of a run's folder")
    return path.parts[0]


def _extract(archive_path: Path, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, left: int) -> int:
    """Write one file, and return how many bytes of the limit are left. The stated size is not trusted."""
    if entry.compress_type not in _PLAIN:
        raise RunError(f"{archive_path}: {entry.filename[:80]!r} is packed by another method than deflate")
    path, most = target / entry.filename, min(left, LARGEST_FILE)
    path.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as packed, path.open("xb") as written:
        while content := packed.read(CHUNK):
            left, most = left - len(content), most - len(content)
            if most < 0:
                limits = f"{LARGEST_FILE:,} bytes in a file or {MOST_BYTES:,} in all"
                raise RunError(f"{archive_path}: more than {limits} when it is unpacked")
            written.write(content)
    return left
