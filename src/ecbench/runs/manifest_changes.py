"""What changes in `run.json` after a run was created: another year of a host, another context window."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ecbench.errors import RunError
from ecbench.runs.folder import MANIFEST, Run, manifest_text
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, atomic_write, read_file, sync_folder
from ecbench.runs.record.schema import parse


def add_episode(run: Run) -> Run:
    """The same run with one more year to play. Its other years are left alone; only its host does this."""
    _restate(run, "add a year to", episodes=run.episodes + 1)
    return replace(run, episodes=run.episodes + 1)


def change_window(run: Run, window: Mapping[str, int]) -> Run:
    """The same run, of which models go on with another context policy."""
    _restate(run, "change the window of", resumed_window=dict(window))
    return replace(run, resumed_window=window)


def _restate(run: Run, what: str, **stated: Any) -> None:
    path = run.folder / MANIFEST
    try:
        manifest = parse(read_file(path, MANIFEST_LIMIT))
        atomic_write(path, manifest_text(manifest | stated))
        sync_folder(run.folder)
    except (OSError, ValueError) as error:
        raise RunError(f"cannot {what} {run.folder}: {error}") from error
