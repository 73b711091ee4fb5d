"""A run as a file to send: its record, which the receiver can replay, and its receipts."""

import io
import zipfile

from ecbench.errors import RunError
from ecbench.runs.folder import EVENTS, MANIFEST, Run
from ecbench.runs.receipts.receipt import RECEIPTS
from ecbench.runs.record.atomic_write import read_file

SENT = (MANIFEST, EVENTS, RECEIPTS)
ONE_TIME = (1980, 1, 1, 0, 0, 0)  # the same run gives the same bytes


def proof_of(run: Run) -> bytes:
    """A ZIP of the run folder without what derives from the records."""
    root = run.folder.absolute()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(root.rglob("*")):
            if path.is_symlink():
                raise RunError(f"{path} is a link; a file that proves a run holds what is in its folder alone")
            if path.name not in SENT or not path.is_file():
                continue
            try:
                content = read_file(path, follow_links=False)
            except OSError as error:
                raise RunError(f"cannot read {path}: {error.strerror}") from error
            name = f"{root.name}/{path.relative_to(root).as_posix()}"
            archive.writestr(zipfile.ZipInfo(name, ONE_TIME), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def name_of(run: Run) -> str:
    """Of the file."""
    return f"{run.folder.absolute().name}.zip"


def commands_of(run: Run) -> list[str]:
    """With which a receiver verifies the file."""
    return [f"unzip {name_of(run)}", f"ecbench replay {run.folder.absolute().name} --verify"]
