"""A year as a file to send: its record, which whoever receives it can compute again."""

import io
import zipfile
from pathlib import Path

from ecbench.errors import RunError
from ecbench.runs.arena import market_record
from ecbench.runs.arena.folder import seat_place
from ecbench.runs.folder import ARENA, EVENTS, MANIFEST, Run
from ecbench.runs.record.atomic_write import read_file

ONE_TIME = (1980, 1, 1, 0, 0, 0)  # the same run gives the same bytes
RECORDS = (MANIFEST, EVENTS, ARENA, market_record.FILE)  # what else lies there derives from them


def proof_of(run: Run) -> bytes:
    """A ZIP of the run folder without what derives from the record. A seat is proven by its whole arena."""
    root = _root(run)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in root.rglob("*") if path.name in RECORDS and path.is_file()):
            try:
                content = read_file(path)
            except OSError as error:
                raise RunError(f"cannot read {path}: {error.strerror}") from error
            name = f"{root.name}/{path.relative_to(root).as_posix()}"
            archive.writestr(zipfile.ZipInfo(name, ONE_TIME), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def name_of(run: Run) -> str:
    """Of the file."""
    return f"{_root(run).name}.zip"


def commands_of(run: Run) -> list[str]:
    """What whoever receives the file types to check it."""
    return [f"unzip {name_of(run)}", f"ecbench replay {_root(run).name} --verify"]


def _root(run: Run) -> Path:
    """Of a seat the arena."""
    return run.folder.absolute() if run.terms.arena is None else seat_place(run.folder).arena
