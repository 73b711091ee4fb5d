"""A year as a file to send: its record, which whoever receives it can compute again."""

import io
import zipfile

from ecbench.runs.disk import read_file
from ecbench.runs.folder import MANIFEST, Run
from ecbench.runs.problems import RunError

ONE_TIME = (1980, 1, 1, 0, 0, 0)  # the same run gives the same bytes


def proof_of(run: Run) -> bytes:
    """A ZIP of the run folder without what derives from the record."""
    files = [run.folder / MANIFEST, *(run.events_path(episode) for episode in range(run.episodes))]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            if not path.is_file():
                continue
            try:
                content = read_file(path)
            except OSError as error:
                raise RunError(f"cannot read {path}: {error.strerror}") from error
            name = f"{run.folder.absolute().name}/{path.relative_to(run.folder).as_posix()}"
            archive.writestr(zipfile.ZipInfo(name, ONE_TIME), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def commands_of(run: Run) -> list[str]:
    """What whoever receives the file types to check it."""
    name = run.folder.absolute().name
    return [f"unzip {name}.zip", f"ecbench replay {name} --verify"]
