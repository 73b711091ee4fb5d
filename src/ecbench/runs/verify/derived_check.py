"""Compares the derived files of an episode with those that its replay gives."""

from collections.abc import Mapping

from ecbench.runs.folder import Run
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.results.checksum_manifest import CHECKSUMS, DERIVED


def mismatched_file(run: Run, episode: int, files: Mapping[str, str]) -> str:
    """The first file of the run's entry that differs from `files`; one that is missing does not differ."""
    for name in (*DERIVED, CHECKSUMS):
        path = run.results_folder(episode) / name
        try:
            matches = name in files and read_file(path) == files[name].encode()
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"episode {episode}: cannot read {path}: {error.strerror}"
        if not matches and path.exists():
            return f"episode {episode}: {path} does not follow from the events; replay --rebuild derives it again"
    return ""


def missing_files(run: Run, episode: int) -> list[str]:
    return [name for name in (*DERIVED, CHECKSUMS) if not (run.results_folder(episode) / name).exists()]
