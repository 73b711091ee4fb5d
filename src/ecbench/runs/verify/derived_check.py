"""The files beside a record, held against those that follow from it."""

from collections.abc import Mapping

from ecbench.runs.folder import Run
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.checksums import SEAL, SEALED, sealed_before


def strange_file(run: Run, episode: int, files: Mapping[str, str], recording: Recording) -> str:
    """The first file that says something else than the events; one that is missing says nothing wrong."""
    if sealed_before(run.episode_folder(episode), recording.end_check):
        return ""  # of an earlier version, which said less; the seal vouches for them
    for name in (*SEALED, SEAL):
        path = run.episode_folder(episode) / name
        try:
            follows = name in files and read_file(path) == files[name].encode()
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"episode {episode}: cannot read {path}: {error.strerror}"
        if not follows and path.exists():
            return f"episode {episode}: {path} does not follow from the events; replay --rebuild makes it anew"
    return ""


def missing_files(run: Run, episode: int) -> list[str]:
    return [name for name in (*SEALED, SEAL) if not (run.episode_folder(episode) / name).exists()]
