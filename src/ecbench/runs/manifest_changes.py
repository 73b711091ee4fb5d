"""What changes in `run.json` after a run was created: another year of a host, another context window."""

from collections.abc import Mapping
from typing import Any

from ecbench.errors import RunError
from ecbench.runs.folder import MANIFEST, Run, open_run
from ecbench.runs.record.atomic_write import atomic_write, sync_folder


def add_episode(run: Run) -> Run:
    """The same run with one more year to play. Its other years are left alone; only its host does this."""
    return _restate(run, "add a year to", episodes=run.episodes + 1)


def change_window(run: Run, window: Mapping[str, int]) -> Run:
    """The same run, of which models go on with another context policy."""
    return _restate(run, "change the window of", resumed_window=dict(window))


def _restate(run: Run, what: str, **stated: Any) -> Run:
    """The file is read again: this process may look for its worlds elsewhere than it says."""
    try:
        atomic_write(run.folder / MANIFEST, open_run(run.folder).stating(**stated).manifest.text())
        sync_folder(run.folder)
    except OSError as error:
        raise RunError(f"cannot {what} {run.folder}: {error}") from error
    return run.stating(**stated)
